// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/Relation.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <string>

namespace delassus {

/// A relation between first-order systems,
///
///     y = h(t, x, λ, z),     r = g(t, x, λ, z),
///
/// where x stacks the states of the linked systems in the order of the link, and r their inputs. m outputs, n states:
///
///     C = ∂h/∂x (m x n),   D = ∂h/∂λ (m x m),   B = ∂g/∂λ (n x m),   K = ∂g/∂x (n x n).
///
/// A derived class overrides computeOutput and computeInput, and the Jacobians if it has something better than central
/// differences. Results are zero on entry. z are parameters that the user may change between steps. ([Siconos 2017],
/// 9.1.)
class FirstOrderR : public Relation {
 public:
  FirstOrderR* firstOrder() final { return this; }

  /// For messages.
  std::string label() const { return std::string(className()); }
  /// Parameters of h and g; empty until they are set.
  const Vector& z() const { return z_; }
  /// Throws Error if a number is not finite, or z does not fit.
  void setZ(const Vector& z);
  void serializeState(StateArchive& archive) override;

  /// y = h(t, x, λ, z).
  virtual void computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) = 0;
  /// r = g(t, x, λ, z).
  virtual void computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) = 0;

  /// C = ∂h/∂x, m x n.
  virtual void computeC(double t, const Vector& x, const Vector& lambda, Matrix& C);
  /// D = ∂h/∂λ, m x m; called for relations with feedthrough only.
  virtual void computeD(double t, const Vector& x, const Vector& lambda, Matrix& D);
  /// B = ∂g/∂λ, n x m.
  virtual void computeB(double t, const Vector& x, const Vector& lambda, Matrix& B);
  /// K = ∂g/∂x, n x n; called only for relations whose input depends on the state.
  virtual void computeK(double t, const Vector& x, const Vector& lambda, Matrix& K);

  /// True if h is affine in (x, λ) and g linear in λ alone: no iteration is needed.
  virtual bool isLinear() const { return false; }
  /// True if moreover C, D and B are constant.
  virtual bool isTimeInvariant() const { return false; }
  /// True if h depends on λ (D ≠ 0).
  virtual bool hasFeedthrough() const { return true; }
  /// True if g depends on x (K ≠ 0).
  virtual bool inputDependsOnState() const { return true; }

  /// False if h is known not to depend on t, so that its time derivative needs no differences.
  virtual bool outputDependsOnTime() const { return true; }

  /// (t, x, λ, yDot); the result is zero on entry.
  using RateFunction = std::function<void(double, const Vector&, const Vector&, Vector&)>;
  /// Gives ∂h/∂t, which event-driven simulations need where an output without feedthrough is held at zero. Without it
  /// they take differences of h.
  void setOutputRate(RateFunction rate);
  /// ∂h/∂t into `yDot` (zero on entry). Returns false if the relation does not know it, as by default where
  /// setOutputRate has given none.
  virtual bool computeOutputRate(double t, const Vector& x, const Vector& lambda, Vector& yDot);

  /// Throws Error if the relation cannot act on systems with this total number of states.
  virtual void checkDimensions(std::size_t states) const;

  /// Throws Error naming `label` and the entry of a Jacobian that is not that of its function, by central differences.
  void checkJacobians(double t, const Vector& x, const Vector& lambda, const JacobianCheck& check,
                      const std::string& label);

 protected:
  /// Throws Error if z does not have the right size.
  virtual void checkParameters(const Vector& z) const;
  /// For the Jacobians that are not overridden: the size that arguments typically have (default 1, see
  /// CentralDifferences). Throws Error unless it is positive and finite.
  void setTypicalSize(double typicalSize);

 private:
  Vector z_;
  RateFunction rate_;
  double typicalSize_ = 1.;
  CentralDifferences<double, Vector, Vector> differences_;
};

}  // namespace delassus
