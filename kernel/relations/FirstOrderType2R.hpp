// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/ParametricFunction.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>

namespace delassus {

/// y = h(t, x, λ, z), r = g(t, λ, z): h depends on λ, and the input does not depend on the state. ([Siconos 2017],
/// 9.3.)
///
/// h comes with its Jacobians by x and by λ, in this order, and g with that by λ (withJacobians, differenced,
/// automatic); both may take z as one more argument before the result. Or by overriding computeOutput and computeInput.
///
/// x and λ are vectors both: an h that takes λ before x compiles, and computes something else. Where an index or a size
/// does not fit, the Error names the order and both sizes; where there are as many states as outputs nothing can tell.
class FirstOrderType2R : public FirstOrderR {
 public:
  /// h(t, x, λ) or h(t, x, λ, z), with ∂h/∂x and ∂h/∂λ.
  using OutputFunction = ParametricFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>>;
  /// g(t, λ) or g(t, λ, z), with ∂g/∂λ.
  using InputFunction = ParametricFunction<Arguments<double, Vector>, WithRespectTo<1>>;

  /// `size` outputs. Throws Error if size is 0 or a function is empty.
  FirstOrderType2R(std::size_t size, OutputFunction h, InputFunction g);

  std::string_view className() const override { return "FirstOrderType2R"; }
  std::size_t size() const override { return size_; }
  bool inputDependsOnState() const override { return false; }
  void computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) override;
  void computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) override;
  void computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) override;
  void computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) override;
  void computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) override;

 protected:
  /// For derived classes that override computeOutput and computeInput. Throws Error if size is 0.
  explicit FirstOrderType2R(std::size_t size);

 private:
  std::size_t size_;
  OutputFunction h_;
  InputFunction g_;
};

}  // namespace delassus
