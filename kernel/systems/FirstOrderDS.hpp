// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/TimeFunction.hpp>
#include <delassus/kernel/systems/ControlTerm.hpp>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <delassus/kernel/systems/StateHistory.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {

/// A first-order system
///
///     M(t, x) ẋ = F(t, x, ẋ) + r,   F = f(t, x) + T(x) u(t, x, ẋ),   x(t₀) = x₀
///
/// with state x (n entries), vector field f, control T u, and r the input of the interactions (a rate times M, not an
/// impulse). M is the identity unless it is given. A derived class defines f; f and u may depend on parameters z (a
/// discrete state) that the user may change between steps. ([Siconos 2017], chapter 2 and 9.1.)
///
/// A constant M may be singular: the combinations of rows in which it vanishes are algebraic equations, as at the nodes
/// of a circuit without a capacitor. They must determine what M ẋ does not (index 1: M − s D ∂F/∂x is regular, where D
/// projects onto these combinations). Time stepping by EulerMoreauOSI takes such systems, and begins at a state with
/// the given M x that satisfies them.
class FirstOrderDS : public DynamicalSystem {
 public:
  FirstOrderDS* firstOrder() final { return this; }

  /// Number n of states.
  std::size_t dimension() const { return x_.size(); }
  /// The present (last accepted) state, and that of construction.
  ///@{
  const Vector& x() const { return x_; }
  const Vector& x0() const { return x0_; }
  ///@}
  /// Input of the interactions in the last step.
  const Vector& r() const { return r_; }

  /// Parameters, a discrete state; empty until they are set.
  const Vector& z() const { return z_; }
  /// Throws Error if a number is not finite.
  void setZ(const Vector& z);

  /// Sets the present state (a reset, or a jump that the user imposes between two steps); throws Error if the size is
  /// wrong or a number not finite.
  void setState(const Vector& x);

  /// A constant M, dense or sparse; throws Error if it does not fit or is not finite.
  void setM(const SquareMatrix& constant);
  /// M as a function (t, x, M), regular: Newton's method leaves out its derivative, which costs contraction but no
  /// accuracy.
  template <class F>
  requires(!std::is_convertible_v<F, SquareMatrix>) void setM(F f) {
    static_assert(std::is_invocable_v<F&, double, const Vector&, Matrix&>, "M must be a function (t, x, M)");
    setMassFunction(std::move(f));
  }

  /// The control term with a constant T (n x size of u); not of sparse systems. u is a function (t, x, u) or (t, x,
  /// xDot, u) with its Jacobians by x (and by xDot): withJacobians(…), differenced(…) or automatic(…). Throws Error if
  /// T does not fit.
  template <class D>
  void setControl(const Matrix& T, D u) {
    requireControlGain(T);
    takeControl(ControlTerm(
        T.size2(), [T](const Vector&, Matrix& gain) { gain = T; }, true, std::move(u)));
  }
  /// With T as a function (x, T); `controls` is the size of u.
  template <class D>
  void setControl(std::size_t controls, ControlTerm::Gain T, D u) {
    requireControls(controls, static_cast<bool>(T));
    takeControl(ControlTerm(controls, std::move(T), false, std::move(u)));
  }

  /// A previous state and its time.
  struct State {
    double time = 0.;  ///< t
    Vector x;          ///< x(t)
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

  // For schemes.

  /// Makes (x, r) the state and the input by swapping, and pushes the present state, of time `before`, to the history.
  void accept(double before, Vector& x, Vector& r);
  /// Sets the input, and the state with the same M x that satisfies algebraic equations; for a scheme that finds both
  /// for the initial state.
  void setStart(const Vector& x, const Vector& r);

  /// False if no M was given, so that it is the identity.
  bool hasMass() const { return hasMass_; }
  /// True if M depends neither on x nor on t.
  bool hasConstantMass() const { return !massFunction_; }
  /// True if F depends on ẋ.
  bool dependsOnRate() const { return control_.dependsOnRate(); }
  /// True if F is affine in x, with M constant: a scheme then needs no iteration.
  bool isLinear() const { return hasLinearField() && !control_.isGiven() && hasConstantMass(); }
  /// True if moreover ∂f/∂x is constant: a scheme then factors once.
  bool isTimeInvariant() const { return isLinear() && hasConstantJacobian(); }
  /// True if moreover F does not depend on t.
  bool isAutonomous() const { return isTimeInvariant() && hasConstantSource(); }

  /// True if M or ∂f/∂x is sparse: then both are.
  bool isSparse() const { return mass_.isSparse() || hasSparseField(); }
  /// Whether M is constant and singular, so that some of the equations are algebraic.
  bool hasAlgebraicPart() const { return entryCount(algebraicPart_) > 0; }
  /// The orthogonal projector D onto the combinations of rows in which M vanishes, n x n; no entries if there are none.
  const SparseMatrix& algebraicPart() const { return algebraicPart_; }

  /// M into `mass`, n x n (the identity if there is none), stored as the system is or with all entries. Throw Error
  /// naming t if it is not finite or not n x n.
  ///@{
  void mass(double t, const Vector& x, SquareMatrix& mass);
  void mass(double t, const Vector& x, Matrix& mass);
  ///@}
  /// Throws Error naming the system and t if M is singular to working precision.
  void requireRegularMass(double t, const SquareMatrix& mass);
  /// F(t, x, ẋ) into `f`. Throws Error naming t and the term if a number is not finite or a size is wrong.
  void vectorField(double t, const Vector& x, const Vector& xDot, Vector& f);
  /// ∂F/∂x and ∂F/∂ẋ, stored as the system is or with all entries. Throw Error as above.
  ///@{
  void vectorFieldJacobians(double t, const Vector& x, const Vector& xDot, SquareMatrix& byX, SquareMatrix& byRate);
  void vectorFieldJacobians(double t, const Vector& x, const Vector& xDot, Matrix& byX, Matrix& byRate);
  ///@}

  /// Throws Error naming the function and the entry if a Jacobian is not that of its function at (t, x), by central
  /// differences; `check` says how.
  void checkJacobians(double t, const JacobianCheck& check);

 protected:
  /// Throws Error if x0 is empty or not finite.
  FirstOrderDS(const Vector& x0, std::string_view className);
  /// For derived classes whose ∂f/∂x becomes sparse; throws Error if the system has a control term.
  void requireNoControl(bool isSparse) const;

 private:
  using MassFunction = std::function<void(double, const Vector&, Matrix&)>;

  /// f(t, x); `f` is zero on entry.
  virtual void computeF(double t, const Vector& x, Vector& f) = 0;
  /// ∂f/∂x; `jacobian` is zero on entry.
  virtual void computeJacobianFx(double t, const Vector& x, Matrix& jacobian) = 0;
  /// The same into a storage of its own; by default the dense one, its zeros left out where the system is sparse.
  virtual void storeJacobianFx(double t, const Vector& x, SquareMatrix& jacobian);
  /// True if ∂f/∂x is stored sparse.
  virtual bool hasSparseField() const { return false; }
  /// True if f is affine in x.
  virtual bool hasLinearField() const { return false; }
  /// True if moreover ∂f/∂x is constant.
  virtual bool hasConstantJacobian() const { return false; }
  /// True if the part of f that does not depend on x is constant.
  virtual bool hasConstantSource() const { return false; }

  void requireControlGain(const Matrix& T) const;
  void requireControls(std::size_t controls, bool hasGain) const;
  void requireField(double t, const Vector& f, const char* what) const;
  void requireJacobian(double t, const SquareMatrix& jacobian, const char* what) const;
  void requireJacobian(double t, const Matrix& jacobian, const char* what) const;
  void setMassFunction(MassFunction f);
  void takeControl(ControlTerm control);
  [[noreturn]] void refuseControl() const;

  Vector x0_, x_, r_, z_;
  bool hasMass_ = false;
  SquareMatrix mass_;
  SparseMatrix algebraicPart_;
  MassFunction massFunction_;
  ControlTerm control_;
  History history_;
  SquareFactorization massFactor_;
};

}  // namespace delassus
