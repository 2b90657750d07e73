// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

FirstOrderLinearR::FirstOrderLinearR(std::size_t outputs) : size_(outputs) {
  if (outputs == 0) throw Error("FirstOrderLinearR", "the number of outputs must be at least 1.");
}

FirstOrderLinearR::FirstOrderLinearR(const Matrix& C, const Matrix& B) : FirstOrderLinearR(C.size1()) {
  if (C.size2() == 0) throw Error("FirstOrderLinearR", "C has no columns.");
  requireSize(B, C.size2(), C.size1(), "FirstOrderLinearR: B (states x outputs)");
  setC(C);
  setB(B);
}

FirstOrderLinearR::FirstOrderLinearR(const Coefficients& coefficients)
    : FirstOrderLinearR(coefficients.C, coefficients.B) {
  if (coefficients.D.size1() > 0) setD(coefficients.D);
  if (coefficients.e.size() > 0) setE(coefficients.e);
}

// Rows and, where they are known, columns. C and B have as many states as the systems that will be linked.
void FirstOrderLinearR::requireConstant(const Matrix& value, const char* name) const {
  const std::string what = std::string(className()) + ": " + name;
  if (name[0] == 'B') {
    requireSize(value, value.size1(), size_, what + " (states x outputs)");
  } else if (name[0] == 'D') {
    requireSize(value, size_, size_, what + " (outputs x outputs)");
  } else {
    requireSize(value, size_, value.size2(), what + " (a row an output)");
  }
  requireFinite(value, what);
}

void FirstOrderLinearR::requireConstant(const Vector& value, const char* name) const {
  const std::string what = std::string(className()) + ": " + name;
  requireSize(value, size_, what + " (one entry an output)");
  requireFinite(value, what);
}

void FirstOrderLinearR::checkParameters(const Vector& z) const {
  if (!F_.isGiven() || !F_.isConstant()) return;
  requireSize(z, F_.constant().size2(), std::string(className()) + ": z (one entry a column of F)");
}

void FirstOrderLinearR::requireGiven() const {
  if (C_.isGiven() && B_.isGiven()) return;
  throw Error(std::string(className()), C_.isGiven() ? "B was not given." : "C was not given.");
}

void FirstOrderLinearR::checkDimensions(std::size_t states) const {
  requireGiven();
  const auto require = [&](const TimeFunction<Matrix>& matrix, std::size_t given, const char* what) {
    if (!matrix.isConstant() || given == states) return;
    throw Error(std::string(className()), std::string(what) + std::to_string(given) + ", but the linked systems have " +
                                              std::to_string(states) + " states in all.");
  };
  require(C_, C_.constant().size2(), "the number of columns of C is ");
  require(B_, B_.constant().size1(), "the number of rows of B is ");
  if (F_.isGiven()) checkParameters(z());
}

const Matrix& FirstOrderLinearR::coefficient(const TimeFunction<Matrix>& function, double t, std::size_t columns,
                                             const char* name) {
  const bool isB = &function == &B_;
  const std::size_t rows = isB ? columns : size_;
  const std::size_t width = isB ? size_ : columns;
  if (function.isConstant()) {
    const Matrix& constant = function.constant();
    if (constant.size1() != rows || constant.size2() != width) {
      requireSize(constant, rows, width, std::string(className()) + ": " + name);
    }
    return constant;
  }
  assignZero(present_, rows, width);
  function.compute(t, *this, present_);
  if (present_.size1() != rows || present_.size2() != width || !allFinite(present_)) {
    const std::string what = std::string(className()) + ": " + name + " at t = " + toText(t);
    requireSize(present_, rows, width, what);
    requireFinite(present_, what);
  }
  return present_;
}

void FirstOrderLinearR::computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) {
  if (e_.isGiven()) {
    e_.compute(t, *this, y);
    if (y.size() != size_) requireSize(y, size_, std::string(className()) + ": e at t = " + toText(t));
  }
  multiply(1., coefficient(C_, t, x.size(), "C"), x, 1., y);
  // λ = 0 occurs in every step, for y without the multipliers.
  const bool any = std::any_of(lambda.begin(), lambda.end(), [](double entry) { return entry != 0.; });
  if (any && D_.isGiven()) multiply(1., coefficient(D_, t, size_, "D"), lambda, 1., y);
  if (F_.isGiven()) multiply(1., coefficient(F_, t, z().size(), "F"), z(), 1., y);
}

// Known if all functions of time have brought their derivatives.
bool FirstOrderLinearR::computeOutputRate(double t, const Vector& x, const Vector& lambda, Vector& yDot) {
  if (FirstOrderR::computeOutputRate(t, x, lambda, yDot)) return true;
  if (!e_.hasDerivative() || !C_.hasDerivative() || !D_.hasDerivative() || !F_.hasDerivative()) return false;
  e_.derivative(t, *this, yDot);
  const auto add = [&](const TimeFunction<Matrix>& function, const Vector& factor, const char* name) {
    if (function.isConstant()) return;
    assignZero(present_, size_, factor.size());
    function.derivative(t, *this, present_);
    requireSize(present_, size_, factor.size(), std::string(className()) + ": derivative of " + name);
    multiply(1., present_, factor, 1., yDot);
  };
  add(C_, x, "C");
  add(D_, lambda, "D");
  add(F_, z(), "F");
  return true;
}

void FirstOrderLinearR::computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) {
  multiply(1., coefficient(B_, t, x.size(), "B"), lambda, 1., r);
}

void FirstOrderLinearR::computeC(double t, const Vector& x, const Vector&, Matrix& C) {
  C = coefficient(C_, t, x.size(), "C");
}

void FirstOrderLinearR::computeD(double t, const Vector&, const Vector&, Matrix& D) {
  if (D_.isGiven()) D = coefficient(D_, t, size_, "D");
}

void FirstOrderLinearR::computeB(double t, const Vector& x, const Vector&, Matrix& B) {
  B = coefficient(B_, t, x.size(), "B");
}

Settings FirstOrderLinearR::settings() const {
  Settings settings;
  C_.addTo(settings, "C");
  D_.addTo(settings, "D");
  F_.addTo(settings, "F");
  B_.addTo(settings, "B");
  e_.addTo(settings, "e");
  return settings;
}

}  // namespace delassus
