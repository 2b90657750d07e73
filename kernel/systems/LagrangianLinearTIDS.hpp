// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/systems/LagrangianDS.hpp>

namespace delassus {

/// Linear time-invariant Lagrangian system
///
///     M v̇ + C v + K q = F_ext(t, z) + p,      q̇ = v
///
/// with constant n x n matrices: M symmetric positive definite, K stiffness, C damping (both arbitrary, zero
/// unless given). (Notes, 2.5.)
class LagrangianLinearTIDS final : public LagrangianDS {
 public:
  /// Each throws Error if sizes do not fit, a number is not finite or M is not symmetric positive definite.
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M);
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M, const Matrix& K, const Matrix& C);

  std::string_view className() const override { return "LagrangianLinearTIDS"; }
  bool isLinear() const override { return true; }

  const Matrix& K() const { return K_; }
  const Matrix& C() const { return C_; }

  // What would make the system nonlinear belongs to LagrangianDS.
  template <class F>
  void setMass(F) = delete;
  template <class F>
  void setNNL(F) = delete;
  template <class F>
  void setInternalForces(F) = delete;

  /// Nothing to check: K and C are the Jacobians.
  void checkJacobians(double, double) override {}

 private:
  void computeForces(double t, const Vector& q, const Vector& v, Vector& force) override;
  void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) override;

  Matrix K_;
  Matrix C_;
  bool hasK_ = false;
  bool hasC_ = false;
};

}  // namespace delassus
