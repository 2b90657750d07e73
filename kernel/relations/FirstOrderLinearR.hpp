// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/TimeFunction.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>

namespace delassus {

/// The linear relation
///
///     y = C x + D λ + F z + e,     r = B λ,
///
/// with coefficients that are constant or functions of time; D, F and e are zero where they are not given. x stacks the
/// n states of the linked systems, m outputs: C m x n, B n x m, D m x m, F m x (size of z), e m. ([Siconos 2017], 9.4;
/// [Siconos, event capturing].)
///
///     FirstOrderLinearR load(C, B);       // or, by name: FirstOrderLinearR::Coefficients{.C = C, .B = B}
///     load.setD(D).setE([=](double t, Vector& e) { e(0) = -amplitude * std::sin(omega * t); });
class FirstOrderLinearR : public FirstOrderR {
 public:
  /// Constant coefficients by name, since matrices of one shape are mistaken for each other where states and outputs
  /// are as many. D and e are zero where they are left out.
  struct Coefficients {
    Matrix C;       ///< outputs x states
    Matrix D = {};  ///< outputs x outputs
    Vector e = {};  ///< one entry an output
    Matrix B;       ///< states x outputs
  };

  /// Constant C and B; throws Error if one is empty, not finite, or they do not fit each other.
  FirstOrderLinearR(const Matrix& C, const Matrix& B);
  /// The same with D and e.
  explicit FirstOrderLinearR(const Coefficients& coefficients);
  /// `outputs` outputs, with C and B to be given by setC and setB.
  explicit FirstOrderLinearR(std::size_t outputs);

  /// A constant, or a function (t, result) or (t, z, result), which may bring its derivative in time (see
  /// TimeFunction): event-driven simulations then take no differences. Throw Error if a constant does not fit or is not
  /// finite; the result of a function is checked when it is called.
  ///@{
  template <class T>
  FirstOrderLinearR& setC(T C) {
    return set(C_, std::move(C), "C");
  }
  template <class T>
  FirstOrderLinearR& setB(T B) {
    return set(B_, std::move(B), "B");
  }
  template <class T>
  FirstOrderLinearR& setD(T D) {
    return set(D_, std::move(D), "D");
  }
  template <class T>
  FirstOrderLinearR& setF(T F) {
    return set(F_, std::move(F), "F");
  }
  template <class T>
  FirstOrderLinearR& setE(T e) {
    return set(e_, std::move(e), "e");
  }
  ///@}

  std::string_view className() const override { return "FirstOrderLinearR"; }
  Settings settings() const override;
  std::size_t size() const override { return size_; }
  bool isLinear() const override { return true; }
  bool isTimeInvariant() const override { return C_.isConstant() && D_.isConstant() && B_.isConstant(); }
  bool hasFeedthrough() const override { return D_.isGiven(); }
  bool inputDependsOnState() const override { return false; }
  bool outputDependsOnTime() const override {
    return !(C_.isConstant() && D_.isConstant() && F_.isConstant() && e_.isConstant());
  }
  bool computeOutputRate(double t, const Vector& x, const Vector& lambda, Vector& yDot) override;
  void computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) override;
  void computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) override;
  void computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) override;
  void computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) override;
  void computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) override;
  void checkDimensions(std::size_t states) const override;

 private:
  template <class Value, class T>
  FirstOrderLinearR& set(TimeFunction<Value>& coefficient, T value, const char* name) {
    if constexpr (std::is_convertible_v<T, Value>) {
      const Value constant(std::move(value));
      requireConstant(constant, name);
      coefficient.set(constant);
    } else {
      coefficient.set(std::move(value));
    }
    parametersChanged();
    return *this;
  }
  void requireConstant(const Matrix& value, const char* name) const;
  void requireConstant(const Vector& value, const char* name) const;
  void requireGiven() const;
  void checkParameters(const Vector& z) const override;
  const Matrix& coefficient(const TimeFunction<Matrix>& function, double t, std::size_t columns, const char* name);

  std::size_t size_;
  TimeFunction<Matrix> C_, D_, F_, B_;
  TimeFunction<Vector> e_;
  Matrix present_;  // a coefficient at t
};

}  // namespace delassus
