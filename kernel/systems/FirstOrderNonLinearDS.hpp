// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/ParametricFunction.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>

namespace delassus {

/// M(t, x) ẋ = f(t, x, z) + T(x) u(t, x, ẋ) + r with a nonlinear vector field. ([Siconos 2017], 2.2.)
///
///     FirstOrderNonLinearDS oscillator(x0, automatic([](auto t, const auto& x, auto& f) {
///       f(0) = x(1);
///       f(1) = (1. - x(0) * x(0)) * x(1) - x(0);
///     }));
///
/// f comes as a function (t, x, f) or (t, x, z, f) with its Jacobian by x (withJacobians, differenced, automatic), or
/// by overriding computeF, and computeJacobianFx to avoid differences. Results are zero on entry.
class FirstOrderNonLinearDS : public FirstOrderDS {
 public:
  /// f(t, x) or f(t, x, z) with ∂f/∂x.
  using Field = ParametricFunction<Arguments<double, Vector>, WithRespectTo<1>>;

  /// For derived classes that override computeF. Throws Error if x0 is empty or not finite.
  explicit FirstOrderNonLinearDS(const Vector& x0);
  /// With f. Throws Error also if that is empty.
  FirstOrderNonLinearDS(const Vector& x0, Field f);

  std::string_view className() const override { return "FirstOrderNonLinearDS"; }

 protected:
  void computeF(double t, const Vector& x, Vector& f) override;
  /// The default is the Jacobian of the function that was given, and central differences of computeF without one.
  void computeJacobianFx(double t, const Vector& x, Matrix& jacobian) override;
  /// For those differences: the size that x typically has (default 1, see CentralDifferences). Throws Error unless it
  /// is positive and finite.
  void setTypicalSize(double typicalSize);

 private:
  Field f_;
  double typicalSize_ = 1.;
  CentralDifferences<double, Vector> differences_;
};

}  // namespace delassus
