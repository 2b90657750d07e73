// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/TimeFunction.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>

namespace delassus {

/// M ẋ = A(t, z) x + b(t, z) + r; A and b are constant or functions of time, zero where they are not given. Use b for a
/// source that varies in time. ([Siconos 2017], 2.3.)
///
///     FirstOrderLinearDS tank(x0, A);
///     tank.setB([=](double t, Vector& b) { b(0) = amplitude * std::sin(omega * t); });
class FirstOrderLinearDS : public FirstOrderDS {
 public:
  /// Each constructor throws Error if sizes do not fit or a number is not finite.
  ///@{
  explicit FirstOrderLinearDS(const Vector& x0);
  FirstOrderLinearDS(const Vector& x0, const Matrix& A);
  FirstOrderLinearDS(const Vector& x0, const Matrix& A, const Vector& b);
  ///@}

  /// Constant; throws Error if it does not fit or is not finite.
  ///@{
  void setA(const Matrix& A);
  void setB(const Vector& b);
  ///@}
  /// Functions (t, A) or (t, z, A), and (t, b) or (t, z, b).
  ///@{
  template <class F>
  requires(!std::is_convertible_v<F, Matrix>) void setA(F A) {
    A_.set(std::move(A));
    parametersChanged();
  }
  template <class F>
  requires(!std::is_convertible_v<F, Vector>) void setB(F b) {
    b_.set(std::move(b));
    parametersChanged();
  }
  ///@}

  /// A(t) and b(t); throw Error if a size is wrong or a number not finite.
  ///@{
  void A(double t, Matrix& A) const;
  void b(double t, Vector& b) const;
  ///@}

  std::string_view className() const override { return "FirstOrderLinearDS"; }
  Settings settings() const override;

 private:
  void computeF(double t, const Vector& x, Vector& f) override;
  void computeJacobianFx(double t, const Vector& x, Matrix& jacobian) override;
  bool hasLinearField() const override { return true; }
  bool hasConstantJacobian() const override { return A_.isConstant(); }
  bool hasConstantSource() const override { return b_.isConstant(); }

  TimeFunction<Matrix> A_;
  TimeFunction<Vector> b_;
  Matrix present_;  // A(t)
};

}  // namespace delassus
