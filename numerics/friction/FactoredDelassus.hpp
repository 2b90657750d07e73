// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/friction/DelassusOperator.hpp>
#include <vector>

namespace delassus::numerics {

/// W = Hᵀ M⁻¹ H, never built: M⁻¹ is block diagonal, one block a body; H (body coordinates x d · contacts) is sparse,
/// in columns by contact. The cost of a product is proportional to the number of pairs of a contact and a body, however
/// many contacts a body has.
class FactoredDelassus final : public DelassusOperator {
 public:
  /// `inverseMasses`: the symmetric block of each body, in the order of H's rows. Throws Error if sizes do not fit.
  FactoredDelassus(std::size_t dimension, std::vector<Matrix> inverseMasses, const SparseMatrix& H);

  std::size_t dimension() const override { return dimension_; }
  std::size_t size() const override { return dimension_ * (contactStarts_.size() - 1); }
  void multiply(const double* r, double* u) const override;
  void addExtended(const double* r, long double* u) const override;
  void addRounding(const double* r, double* bound) const override;
  void diagonalBlock(std::size_t contact, double* block) const override;
  const BlockSparseMatrix* matrix() const override { return nullptr; }
  void assemble(BlockSparseMatrix& W) const override;
  std::unique_ptr<DelassusSweep> sweep() const override;
  std::uint64_t stamp() const override { return stamp_; }
  void validate() const override;

 private:
  friend class FactoredSweep;

  // The part of H that joins one contact and one body: bodySize x d, and M⁻¹ times it.
  struct Arm {
    std::size_t body;
    std::size_t firstValue;  // in armValues_ and inverseArmValues_
  };
  std::size_t bodySize(std::size_t body) const { return bodyStarts_[body + 1] - bodyStarts_[body]; }
  void buildArms(const SparseMatrix& H);
  void addVelocities(std::size_t contact, const double* reaction, double* bodyVelocities) const;
  void relativeVelocity(std::size_t contact, const double* bodyVelocities, double* u) const;

  std::size_t dimension_;
  std::vector<Matrix> inverseMasses_;
  std::vector<std::size_t> bodyStarts_;
  std::vector<std::size_t> contactStarts_;  // first arm of each contact
  std::vector<Arm> arms_;
  std::vector<double> armValues_;           // H restricted, column-major
  std::vector<double> inverseArmValues_;    // M⁻¹ H restricted
  std::vector<std::size_t> termsOfBodies_;  // reactions that meet in the velocity of each body
  std::uint64_t stamp_;
};

}  // namespace delassus::numerics
