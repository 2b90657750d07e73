// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/TimeFunction.hpp>
#include <delassus/kernel/systems/ControlTerm.hpp>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <delassus/kernel/systems/StateHistory.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>

namespace delassus {

/// A first-order system
///
///     M(t, x) ẋ = F(t, x, ẋ) + r,   F = f(t, x) + T(x) u(t, x, ẋ),   x(t₀) = x₀
///
/// with state x (n entries), vector field f, control T u, and r the input of the interactions (a rate times M, not an
/// impulse). M is the identity unless it is given, and must be regular. A derived class defines f; f and u may depend
/// on parameters z (a discrete state) that the user may change between steps. ([Siconos 2017], chapter 2 and 9.1.)
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

  /// A constant M; throws Error if it does not fit, is not finite or is singular.
  void setM(const Matrix& constant);
  /// M as a function (t, x, M): Newton's method leaves out its derivative, which costs contraction but no accuracy.
  template <class F>
  requires(!std::is_convertible_v<F, Matrix>) void setM(F f) {
    static_assert(std::is_invocable_v<F&, double, const Vector&, Matrix&>, "M must be a function (t, x, M)");
    massFunction_ = std::move(f);
    hasMass_ = true;
    parametersChanged();
  }

  /// The control term with a constant T (n x size of u). u is a function (t, x, u) or (t, x, xDot, u) with its
  /// Jacobians by x (and by xDot): withJacobians(…), differenced(…) or automatic(…). Throws Error if T does not fit.
  template <class D>
  void setControl(const Matrix& T, D u) {
    requireControlGain(T);
    control_ = ControlTerm(
        T.size2(), [T](const Vector&, Matrix& gain) { gain = T; }, true, std::move(u));
    parametersChanged();
  }
  /// With T as a function (x, T); `controls` is the size of u.
  template <class D>
  void setControl(std::size_t controls, ControlTerm::Gain T, D u) {
    requireControls(controls, static_cast<bool>(T));
    control_ = ControlTerm(controls, std::move(T), false, std::move(u));
    parametersChanged();
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
  /// Sets the input alone; for a scheme that finds it for the initial state.
  void setInput(const Vector& r);

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

  /// M into `mass`, n x n (the identity if there is none). Throws Error naming t if it is not finite or not n x n.
  void mass(double t, const Vector& x, Matrix& mass);
  /// Throws Error naming the system and t if M is singular to working precision.
  void requireRegularMass(double t, const Matrix& mass);
  /// F(t, x, ẋ) into `f`. Throws Error naming t and the term if a number is not finite or a size is wrong.
  void vectorField(double t, const Vector& x, const Vector& xDot, Vector& f);
  /// ∂F/∂x and ∂F/∂ẋ. Throws Error as above.
  void vectorFieldJacobians(double t, const Vector& x, const Vector& xDot, Matrix& byX, Matrix& byRate);

  /// Throws Error naming the function and the entry if a Jacobian is not that of its function at (t, x), by central
  /// differences; `check` says how.
  void checkJacobians(double t, const JacobianCheck& check);

 protected:
  /// Throws Error if x0 is empty or not finite.
  FirstOrderDS(const Vector& x0, std::string_view className);

 private:
  /// f(t, x); `f` is zero on entry.
  virtual void computeF(double t, const Vector& x, Vector& f) = 0;
  /// ∂f/∂x; `jacobian` is zero on entry.
  virtual void computeJacobianFx(double t, const Vector& x, Matrix& jacobian) = 0;
  /// True if f is affine in x.
  virtual bool hasLinearField() const { return false; }
  /// True if moreover ∂f/∂x is constant.
  virtual bool hasConstantJacobian() const { return false; }
  /// True if the part of f that does not depend on x is constant.
  virtual bool hasConstantSource() const { return false; }

  void requireControlGain(const Matrix& T) const;
  void requireControls(std::size_t controls, bool hasGain) const;
  void requireField(double t, const Vector& f, const char* what) const;
  void requireJacobian(double t, const Matrix& jacobian, const char* what) const;

  Vector x0_, x_, r_, z_;
  bool hasMass_ = false;
  Matrix mass_;
  std::function<void(double, const Vector&, Matrix&)> massFunction_;
  ControlTerm control_;
  History history_;
  LUFactorization massFactor_;
};

}  // namespace delassus
