// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/SmoothLaw.hpp>

namespace delassus {

/// An elastic bearing: a spring and a damper over all outputs of a relation together,
///
///     λ = −K y − C ẏ,     E = ½ yᵀ K y,
///
/// with K and C symmetric and not indefinite. On the six outputs of a joint that holds all, stiffness against each
/// displacement and rotation, in directions that turn with the second body:
///
///     model.link("bushing", BushingLaw(K, C), FixedJointR::at(anchor, frame->q(), arm->q()), frame, arm);
class BushingLaw final : public SmoothLaw {
 public:
  /// K in N/m, N and N m, C in N s/m, N s and N m s, as the outputs are lengths or angles; without C no damping. Throws
  /// Error unless both are square, of one size, symmetric, positive semidefinite and finite.
  ///@{
  explicit BushingLaw(const Matrix& stiffness);
  BushingLaw(const Matrix& stiffness, const Matrix& damping);
  ///@}

  const Matrix& stiffness() const { return stiffness_; }  ///< K
  const Matrix& damping() const { return damping_; }      ///< C

  std::string_view className() const override { return "BushingLaw"; }
  Settings settings() const override;
  bool isLinear() const override { return true; }
  bool isSelfContained() const override { return true; }
  void computeForce(double t, const Vector& y, const Vector& yDot, Vector& lambda) const override;
  void computeJacobians(double t, const Vector& y, const Vector& yDot, Matrix& byY, Matrix& byRate) const override;
  double energy(const Vector& y) const override;

 private:
  Matrix stiffness_;
  Matrix damping_;
};

}  // namespace delassus
