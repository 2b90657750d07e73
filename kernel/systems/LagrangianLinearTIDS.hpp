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
/// given), all dense or, where M is a SparseMatrix (a mesh of finite elements), all sparse; z parameters that the user
/// may change between steps. ([Siconos 2017], 2.5.)
class LagrangianLinearTIDS : public SecondOrderDS {
 public:
  /// The matrices by name, since K and C taken for each other run and are wrong:
  ///
  ///     LagrangianLinearTIDS::Matrices{.M = M, .C = C, .K = K}
  struct Matrices {
    SquareMatrix M;       ///< mass
    SquareMatrix C = {};  ///< damping; empty: zero
    SquareMatrix K = {};  ///< stiffness; empty: zero
  };

  /// Each throws Error if sizes do not fit, a number is not finite or M is not symmetric positive definite. Without
  /// names K comes before C.
  ///@{
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const SquareMatrix& M);
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const SquareMatrix& M, const SquareMatrix& K,
                       const SquareMatrix& C);
  LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrices& matrices);
  ///@}

  /// Also between two steps. Throw Error if the size does not fit or a number is not finite.
  ///@{
  void setStiffness(const SquareMatrix& K);
  void setDamping(const SquareMatrix& C);
  ///@}

  std::string_view className() const override { return "LagrangianLinearTIDS"; }
  bool isLinear() const final { return true; }

  /// Mass, stiffness and damping, n x n; K and C are zero where they were not given.
  ///@{
  const SquareMatrix& M() const { return M_; }
  const SquareMatrix& K() const { return K_; }
  const SquareMatrix& C() const { return C_; }
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
  void storeMass(const Vector& q, SquareMatrix& mass) final;
  void storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV) final;
  /// `given`, stored as M is. Throws Error if its size does not fit or a number is not finite.
  SquareMatrix storedAsMass(const SquareMatrix& given, const char* what) const;
  void requireFiniteForces(double t, const Vector& q, const Vector& v) final;

  SquareMatrix M_;
  SquareMatrix K_;
  SquareMatrix C_;
  bool hasK_ = false;
  bool hasC_ = false;
  Vector z_;
  ExternalForces externalForces_;
};

}  // namespace delassus
