// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <delassus/kernel/systems/StateHistory.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>

namespace delassus {

/// A mechanical system M(q) v̇ = F(t, q, v) + p with configuration q and velocity v (a twist, where q̇ is not v). It
/// provides all that a time-stepping scheme needs: mass, total force, the Jacobians of the force in velocity
/// coordinates, and how the configuration moves along a displacement h·v.
class SecondOrderDS : public DynamicalSystem {
 public:
  SecondOrderDS* secondOrder() final { return this; }

  std::size_t dimension() const { return v_.size(); }  ///< of v, M, F and p
  /// The present (last accepted) configuration q and velocity v.
  ///@{
  const Vector& q() const { return q_; }
  const Vector& velocity() const { return v_; }
  ///@}
  /// Configuration and velocity given at construction.
  ///@{
  const Vector& q0() const { return q0_; }
  const Vector& velocity0() const { return v0_; }
  ///@}
  /// v̇ of the present state, as event-driven simulations find it at each output and event: with the forces of contacts,
  /// friction and joints in the mode that goes on from there. Throws Error where it is not known: before such a
  /// simulation is initialised, after setState and the setters of parameters, and in time stepping, which knows
  /// velocities and impulses alone.
  const Vector& acceleration() const;
  /// Σ Gᵀλ of the last step over all interactions, at the velocity level: an impulse, N·s.
  const Vector& p() const { return p_; }

  /// ½ vᵀM(q) v of the present state, J. Throws Error if M is not finite.
  double kineticEnergy();

  /// Sets the present state (a reset, or a jump that the user imposes between two steps); throws Error if
  /// a size is wrong or a number not finite.
  void setState(const Vector& q, const Vector& v);

  /// A previous state and its time.
  struct State {
    double time = 0.;  ///< t
    Vector q;          ///< q(t)
    Vector v;          ///< v(t)
  };
  /// Previous states, by the number of steps back.
  using History = StateHistory<State>;
  /// history().at(1) is the state before the present one.
  const History& history() const { return history_; }
  /// Number of previous states that are kept (default 1); forgets those that are held. Throws Error where there is no
  /// memory for so many.
  void setHistoryDepth(std::size_t depth) { history_ = History(depth, "System '" + name() + "'"); }

  Settings settings() const override;
  void serializeState(StateArchive& archive) override;

  /// For models: makes the weight of this acceleration, m/s² in the inertial frame, a part of F. Throws Error, unless
  /// it is zero, where the coordinates do not say which way a weight acts: so by default.
  virtual void takeGravity(const Vector3& g);
  /// −m g·x, J: the potential of the model's gravity, zero at the origin; 0 for systems that take none.
  virtual double gravityPotential() const { return 0.; }

  /// For schemes: makes (q, v, p) the state by swapping, and pushes the present one, of time `before`, to the
  /// history.
  virtual void accept(double before, Vector& q, Vector& v, Vector& p);
  /// For schemes that know v̇ of the state that was accepted.
  virtual void setAcceleration(const Vector& acceleration);

  /// M(q) into `mass`, dimension() x dimension(), stored as the system has it or with all entries. Throw Error, naming
  /// also t, if a number is not finite.
  ///@{
  void mass(double t, const Vector& q, SquareMatrix& mass);
  void mass(double t, const Vector& q, Matrix& mass);
  ///@}
  /// F(t, q, v) into `force`. Throws Error if a number is not finite.
  void forces(double t, const Vector& q, const Vector& v, Vector& force);
  /// ∂F/∂q (along displacements) and ∂F/∂v, likewise. Throw Error if a number is not finite.
  ///@{
  void forceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV);
  void forceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV);
  ///@}

  /// The part of F that comes from inertia alone, −NNL(q, v) or −Ω × IΩ, into `force`; zero by default. Beside
  /// ½ vᵀṀv it does no work, so that energy balances leave it out.
  virtual void inertialForces(const Vector& q, const Vector& v, Vector& force);

  /// Γ(v), the part of F that is quadratic in v and does no work at any v: −Ω × IΩ of rigid bodies.
  ///@{
  virtual bool hasGyroscopicForces() const { return false; }
  /// force := force + a Γ(v)
  virtual void addGyroscopicForces(double, const Vector&, Vector&) const {}
  /// force := force + a Γ̄, the mean of Γ in a time h in which the system has the velocity v at first and no other force
  /// acts on it: M v⁺ = M v + h Γ̄ has the energy of v, however large h and v are. By default Γ(v), which has it for
  /// small h alone.
  virtual void addMeanGyroscopicForces(double h, double a, const Vector& v, Vector& force) const {
    static_cast<void>(h);
    addGyroscopicForces(a, v, force);
  }
  /// byV := byV + a ∂Γ/∂v at v, where byV has the storage of the Jacobians.
  virtual void addGyroscopicJacobian(double, const Vector&, SquareMatrix&) {}
  /// A bound of the symmetric part of J = ∂Γ/∂v at v beside the mass M, 1/s: |xᵀJx| is at most so many times xᵀMx.
  virtual double gyroscopicRate(const Vector&) const { return 0.; }
  ///@}

  /// q moved by a displacement (h·v, in velocity coordinates) into `moved`; q + displacement here.
  virtual void move(const Vector& q, const Vector& displacement, Vector& moved) const;

  /// q̇ = T(q) v into `rate`, of the size of q.
  virtual void computeRate(const Vector& q, const Vector& v, Vector& rate) const;

  // What projections on constraints need of it.

  /// Entry i of the diagonal matrix (TᵀT)⁻¹, a constant; 1 by default, where T = 1.
  virtual double inverseRateMetric(std::size_t) const { return 1.; }
  /// T(q) into `T`, (size of q) x dimension(); the identity by default.
  virtual void rates(const Vector& q, Matrix& T) const;
  /// Number of constraints c_k(q) = 0 that q has by itself (the norm of a quaternion).
  virtual std::size_t configurationConstraints() const { return 0; }
  /// c_k(q) and its gradient for any q near a configuration, k < configurationConstraints().
  virtual double configurationConstraint(std::size_t k, const Vector& q, Vector& gradient) const;
  /// Takes q, near configurations, to the nearest one.
  virtual void normalise(Vector&) const {}

  /// True if v is q̇ entry by entry, so that an entry of both is a coordinate that can be taken alone.
  /// Found from the rates of two velocities, without the matrix T(q).
  bool hasRatesAsVelocities() const;

  /// A size of the system, m, to which errors of positions are compared; 0 where coordinates do not say what is one.
  virtual double length() const { return 0.; }

  /// True if M and both Jacobians of F are constant, whatever the parameters are: a scheme then factors once and needs
  /// no iteration. (A class in which they may be set anew calls stateWasReset there.)
  virtual bool isLinear() const { return false; }
  /// True if M is constant.
  virtual bool hasConstantMass() const { return isLinear(); }

  /// True if its functions may be called while those of other systems and relations run on other threads: they write to
  /// nothing that these use. User functions promise none of that, so false by default. Asked again where the model or a
  /// parameter has changed (parametersChanged()).
  virtual bool isSelfContained() const { return false; }

  /// Throws Error naming the function and the entry if a Jacobian is not that of its function at
  /// (t, q, v), by central differences; `check` says how. Nothing to check by default.
  virtual void checkJacobians(double t, const JacobianCheck& check);

  /// For simulations, once before the first step, at t0: warns in the log of what is hardly meant. Nothing by default.
  virtual void checkStart(double) {}

  /// Throws Error naming the system and t if `mass` is not symmetric and positive definite.
  void requireDefiniteMass(double t, const SquareMatrix& mass);

 protected:
  /// Throws Error if a size is wrong or a number not finite.
  SecondOrderDS(const Vector& q0, const Vector& v0, std::string_view className);

  /// Throws Error beginning with `what` if q, of the right size and finite, is not a valid configuration; may remove
  /// rounding errors from q. By default every q is valid.
  virtual void requireConfiguration(Vector& q, const std::string& what) const;
  /// For systems that are sparse: both in a storage of their own; by default the dense ones below.
  ///@{
  virtual void storeMass(const Vector& q, SquareMatrix& mass);
  virtual void storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV);
  ///@}

  /// For constructors that remove rounding errors from q0.
  void setInitialConfiguration(const Vector& q0) { q0_ = q_ = q0; }

 private:
  virtual void computeMass(const Vector& q, Matrix& mass) = 0;
  /// `force` is zero on entry.
  virtual void computeForces(double t, const Vector& q, const Vector& v, Vector& force) = 0;
  /// Both are zero on entry.
  virtual void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) = 0;
  /// Throws Error naming the part of the force that is not finite; called when the total is not.
  virtual void requireFiniteForces(double t, const Vector& q, const Vector& v);

  void requireMatrix(const SquareMatrix& a, const char* what, double t) const;

  Vector q0_, v0_;
  Vector q_, v_, p_, acceleration_;
  MadeFrom<std::size_t> accelerationFrom_;  // parameterChanges()
  History history_;
};

}  // namespace delassus
