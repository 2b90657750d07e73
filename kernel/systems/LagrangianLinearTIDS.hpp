// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/systems/ExternalForces.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <type_traits>
#include <utility>

namespace delassus {

/// Linear time-invariant Lagrangian system
///
///     M v̇ + C v + K q = F_ext(t, z) + p,      q̇ = v
///
/// with constant n x n matrices: M symmetric positive definite, K stiffness, C damping (both arbitrary, zero unless
/// given); z parameters that the user may change between steps. ([Siconos 2017], 2.5.)
class LagrangianLinearTIDS : public SecondOrderDS {
 public:
  /// The matrices by name, since K and C taken for each other run and are wrong:
  ///
  ///     LagrangianLinearTIDS::Matrices{.M = M, .C = C, .K = K}
  struct Matrices {
    Matrix M;       ///< mass
    Matrix C = {};  ///< damping; empty: zero
    Matrix K = {};  ///< stiffness; empty: zero
  };

  /// Each throws Error if sizes do not fit, a number is not finite or M is not symmetric positive definite. Without
  /// names K comes before C.
  ///@{
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M);
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M, const Matrix& K, const Matrix& C);
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrices& matrices);
  ///@}

  /// Also between two steps. Throw Error if the size does not fit or a number is not finite.
  ///@{
  void setStiffness(const Matrix& K);
  void setDamping(const Matrix& C);
  ///@}

  std::string_view className() const override { return "LagrangianLinearTIDS"; }
  bool isLinear() const final { return true; }

  /// Mass, stiffness and damping, n x n; K and C are zero where they were not given.
  ///@{
  const Matrix& M() const { return M_; }
  const Matrix& K() const { return K_; }
  const Matrix& C() const { return C_; }
  ///@}

  /// Parameters of F_ext; empty until they are set.
  const Vector& z() const { return z_; }
  /// Throws Error if a number is not finite.
  void setZ(const Vector& z);

  Settings settings() const override;
  void serializeState(StateArchive& archive) override;

  /// Constant; throws Error if it does not fit or is not finite.
  void setExternalForces(const Vector& constant);
  /// f(t, F) or f(t, z, F).
  template <class F>
  requires(!std::is_convertible_v<F, Vector>) void setExternalForces(F f) {
    externalForces_.set(std::move(f), z_);
    parametersChanged();
  }

 protected:
  /// F_ext(t) into `force`, which is zero on entry: the function that was set, or an override.
  virtual void computeFExt(double t, Vector& force);

 private:
  void computeMass(const Vector& q, Matrix& mass) final;
  void computeForces(double t, const Vector& q, const Vector& v, Vector& force) final;
  void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) final;
  void requireFiniteForces(double t, const Vector& q, const Vector& v) final;

  Matrix M_;
  Matrix K_;
  Matrix C_;
  bool hasK_ = false;
  bool hasC_ = false;
  Vector z_;
  ExternalForces externalForces_;
};

}  // namespace delassus
