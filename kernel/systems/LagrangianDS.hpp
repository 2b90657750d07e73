// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/systems/ExternalForces.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/kernel/systems/SparseForce.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <type_traits>

namespace delassus {

/// Nonlinear Lagrangian system in generalised coordinates q (any units, say m and rad), v = q̇:
///
///     M(q, z) v̇ + NNL(q, v) + F_int(t, q, v) = F_ext(t, z) + p
///
/// M (n x n) symmetric positive definite; NNL nonlinear inertia terms; F_int internal forces; F_ext external forces; p
/// the input of the interactions; z parameters (a discrete state) that the user may change between steps. All terms
/// except M are zero unless given. ([Siconos 2017], 2.4 and 10.1.)
///
/// Terms come as functions,
///
///     auto arm = std::make_shared<LagrangianDS>(q0, v0);
///     arm->setMass([=](const Vector& q, Matrix& M) { ... });
///     arm->setNNL(automatic([=](const auto& q, const auto& v, auto& N) { ... }));
///     arm->setInternalForces(withJacobians(force, jacobianByQ, jacobianByV));   // or differenced(force)
///
/// With a constant mass that is a SparseMatrix (a nonlinear mesh of finite elements) all matrices are sparse; internal
/// forces then bring sparse Jacobians:
///
///     mesh->setInternalForces(SparseForce{.f = force, .byQ = tangent});        // and .byV = damping
///
/// Where the mass is not sparse, terms may also come by overriding the compute… members in a derived class, where z()
/// can be read. The functions of mass and external forces may take z as one more argument before the result. Results
/// are zero on entry and keep their size.
class LagrangianDS : public SecondOrderDS {
 public:
  /// NNL(q, v) with ∂/∂q, ∂/∂v.
  using InertiaFunction = SmoothFunction<Arguments<Vector, Vector>, WithRespectTo<0, 1>>;
  /// F(t, q, v) with ∂/∂q, ∂/∂v.
  using ForceFunction = SmoothFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>>;

  /// With a mass to be given by setMass or by overriding computeMass.
  /// Each constructor throws Error if sizes differ or a number is not finite.
  LagrangianDS(const Vector& q0, const Vector& v0);
  /// With a constant mass, dense or sparse; throws Error also if it is not symmetric positive definite.
  LagrangianDS(const Vector& q0, const Vector& v0, const SquareMatrix& mass);

  std::string_view className() const override { return "LagrangianDS"; }

  /// Parameters, a discrete state; empty until they are set.
  const Vector& z() const { return z_; }
  /// Throws Error if a number is not finite.
  void setZ(const Vector& z);

  void serializeState(StateArchive& archive) override;

  /// A constant mass, dense or sparse; throws Error if it does not fit or is not symmetric positive definite, or if it
  /// is sparse and NNL was given.
  void setMass(const SquareMatrix& constant);
  /// f(q, M) or f(q, z, M).
  template <class F>
  requires(!std::is_convertible_v<F, SquareMatrix>) void setMass(F f) {
    if constexpr (std::is_invocable_v<F&, const Vector&, const Vector&, Matrix&>) {
      massFunction_ = [this, f = std::move(f)](const Vector& q, Matrix& M) mutable { f(q, z_, M); };
    } else {
      static_assert(std::is_invocable_v<F&, const Vector&, Matrix&>, "the mass must be a function (q, M) or (q, z, M)");
      massFunction_ = std::move(f);
    }
    mass_ = SquareMatrix();
    parametersChanged();
  }

  /// Constant; throws Error if it does not fit or is not finite.
  void setExternalForces(const Vector& constant);
  /// f(t, F) or f(t, z, F).
  template <class F>
  requires(!std::is_convertible_v<F, Vector>) void setExternalForces(F f) {
    externalForces_.set(std::move(f), z_);
    parametersChanged();
  }

  /// NNL(q, v) with its Jacobians by q and by v: withJacobians(f, byQ, byV), differenced(f) or automatic(f). Throws
  /// Error where the mass is sparse.
  void setNNL(InertiaFunction nnl);
  /// F_int(t, q, v) with its Jacobians by q and by v: withJacobians(f, byQ, byV), differenced(f) or automatic(f). It
  /// must not read the state of another system, which is that of another time in a step: forces between systems are
  /// SmoothLaw and its like, linked with a relation.
  void setInternalForces(ForceFunction internalForces) {
    internalForces_ = std::move(internalForces);
    sparseForces_ = {};
    parametersChanged();
  }
  /// The same with sparse Jacobians, for systems with a sparse mass (others make them dense). Throws Error if f is
  /// empty.
  void setInternalForces(SparseForce internalForces);

  void inertialForces(const Vector& q, const Vector& v, Vector& force) override;
  void checkJacobians(double t, const JacobianCheck& check) override;

 protected:
  // The terms, for derived classes to override. A Jacobian that is not overridden is that of the function that was set,
  // and central differences of the overridden term otherwise.

  /// M(q), n x n: by default the function or constant that was set. Throws Error if there is none.
  void computeMass(const Vector& q, Matrix& mass) override;
  /// For Jacobians of terms that are overridden without them: the size that q and v typically have (default 1, see
  /// CentralDifferences). Throws Error unless it is positive and finite.
  void setTypicalSize(double typicalSize);
  /// F_ext(t) into `force`. All results of these functions are zero on entry.
  virtual void computeFExt(double t, Vector& force);
  /// F_int(t, q, v), which is subtracted on the side of the forces.
  virtual void computeFInt(double t, const Vector& q, const Vector& v, Vector& force);
  /// ∂F_int/∂q and ∂F_int/∂v, n x n: those of the function that was set, and central differences of computeFInt
  /// without one.
  ///@{
  virtual void computeJacobianFIntq(double t, const Vector& q, const Vector& v, Matrix& jacobian);
  virtual void computeJacobianFIntv(double t, const Vector& q, const Vector& v, Matrix& jacobian);
  ///@}
  /// NNL(q, v), which enters the equations like F_int.
  virtual void computeNNL(const Vector& q, const Vector& v, Vector& force);
  /// ∂NNL/∂q and ∂NNL/∂v, n x n: those of the function that was set, and central differences of computeNNL without one.
  ///@{
  virtual void computeJacobianNNLq(const Vector& q, const Vector& v, Matrix& jacobian);
  virtual void computeJacobianNNLv(const Vector& q, const Vector& v, Matrix& jacobian);
  ///@}

 private:
  void computeForces(double t, const Vector& q, const Vector& v, Vector& force) override;
  void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) override;
  void storeMass(const Vector& q, SquareMatrix& mass) override;
  void storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV) override;
  void requireFiniteForces(double t, const Vector& q, const Vector& v) override;
  void requireNoNNL(bool isGiven, bool isSparse) const;
  void requireNoOverrides(double t, const Vector& q, const Vector& v);
  /// stored = factor A, with places for the entries of all matrices of the system.
  void store(double factor, const SparseMatrix& A, SquareMatrix& stored);
  void storeSparseJacobian(const SparseForce::Jacobian& jacobian, double t, const Vector& q, const Vector& v,
                           SparseMatrix& last, SquareMatrix& stored);
  /// force −= term, after a check of its size.
  void subtract(const Vector& term, const char* what, Vector& force) const;
  void subtract(const Matrix& term, const char* what, Matrix& total) const;

  Vector z_;
  SquareMatrix mass_;
  std::function<void(const Vector&, Matrix&)> massFunction_;
  ExternalForces externalForces_;
  InertiaFunction nnl_;
  ForceFunction internalForces_;
  SparseForce sparseForces_;
  SparseMatrix byQ_, byV_;  // the last ones of these
  SparseMatrix pattern_;    // zeros, where mass and Jacobians have entries
  double typicalSize_ = 1.;
  CentralDifferences<double, Vector, Vector> fIntDifferences_;
  CentralDifferences<Vector, Vector> nnlDifferences_;
  Vector term_;
  Matrix termJacobian_;
};

}  // namespace delassus
