// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

/// Normal cone to a polyhedron:
///
///     −y ∈ N_P(λ),   P = { λ : H λ ≤ k }.
///
/// With one auxiliary unknown μ a face this is the mixed problem y + Hᵀ μ = 0, 0 ≤ k − H λ ⟂ μ ≥ 0, whose own block is
/// skew-symmetric. For boxes use RelayNSL, which needs no auxiliary unknowns. (Acary, Brogliato, 2008, section 1.1.)
class NormalConeNSL final : public NonSmoothLaw {
 public:
  /// H: faces x size, k: faces. Throws Error if sizes do not fit, H is empty, a row of it is zero, or a number is not
  /// finite. The solver finds out whether P is empty.
  NormalConeNSL(const Matrix& H, const Vector& k);

  /// The faces H λ ≤ k, one a row.
  ///@{
  const Matrix& H() const { return H_; }
  const Vector& k() const { return k_; }
  ///@}

  std::string_view className() const override { return "NormalConeNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return H_.size2(); }
  std::size_t unknowns() const override { return H_.size2() + H_.size1(); }
  void bounds(double* lower, double* upper) const override;
  void addBlock(double* block) const override;
  void addConstant(double* freeOutput) const override;

 private:
  Matrix H_;
  Vector k_;
};

}  // namespace delassus
