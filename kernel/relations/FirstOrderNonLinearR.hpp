// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/ParametricFunction.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>

namespace delassus {

/// The fully nonlinear relation y = h(t, x, λ, z), r = g(t, x, λ, z), with K = ∂g/∂x ≠ 0. ([Siconos 2017], 9.1.)
///
///     FirstOrderNonLinearR(1, automatic([](auto t, const auto& x, const auto& lambda, auto& y) { … }),
///                             automatic([](auto t, const auto& x, const auto& lambda, auto& r) { … }))
///
/// Functions come with their Jacobians by x and by λ, in this order (withJacobians, differenced, automatic), and may
/// take z as one more argument before the result; or by overriding computeOutput and computeInput.
///
/// x and λ are vectors both: functions that take λ before x compile, and compute something else. Where an index or a
/// size does not fit, the Error names the order and both sizes; where there are as many states as outputs nothing can
/// tell, but TimeSteppingOptions::checkJacobians of Jacobians that are given.
class FirstOrderNonLinearR : public FirstOrderR {
 public:
  /// h or g of (t, x, λ) or (t, x, λ, z), with ∂/∂x and ∂/∂λ.
  using Function = ParametricFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>>;

  /// `size` outputs. Throws Error if size is 0 or a function is empty.
  FirstOrderNonLinearR(std::size_t size, Function h, Function g);

  std::string_view className() const override { return "FirstOrderNonLinearR"; }
  std::size_t size() const override { return size_; }
  void computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) override;
  void computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) override;
  void computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) override;
  void computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) override;
  void computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) override;
  void computeK(double t, const Vector& x, const Vector& lambda, Matrix& K) override;

 protected:
  /// For derived classes that override computeOutput and computeInput. Throws Error if size is 0.
  explicit FirstOrderNonLinearR(std::size_t size);

 private:
  std::size_t size_;
  Function h_, g_;
};

}  // namespace delassus
