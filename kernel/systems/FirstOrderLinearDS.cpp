// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0) : FirstOrderDS(x0, "FirstOrderLinearDS") {
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const Matrix& A) : FirstOrderLinearDS(x0) {
  setA(A);
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const Matrix& A, const Vector& b) : FirstOrderLinearDS(x0, A) {
  setB(b);
}

void FirstOrderLinearDS::setA(const Matrix& A) {
  requireSize(A, dimension(), dimension(), label() + ": A");
  requireFinite(A, label() + ": A");
  A_.set(A);
  parametersChanged();
}

void FirstOrderLinearDS::setB(const Vector& b) {
  requireSize(b, dimension(), label() + ": b");
  requireFinite(b, label() + ": b");
  b_.set(b);
  parametersChanged();
}

void FirstOrderLinearDS::A(double t, Matrix& A) const {
  const std::size_t n = dimension();
  assignZero(A, n, n);
  A_.compute(t, *this, A);
  if (A_.isConstant() || (A.size1() == n && A.size2() == n && allFinite(A))) return;
  requireSize(A, n, n, label() + ": A at t = " + toText(t));
  requireFinite(A, label() + ": A at t = " + toText(t));
}

void FirstOrderLinearDS::b(double t, Vector& b) const {
  assignZero(b, dimension());
  b_.compute(t, *this, b);
  if (b_.isConstant() || (b.size() == dimension() && allFinite(b))) return;
  requireSize(b, dimension(), label() + ": b at t = " + toText(t));
  requireFinite(b, label() + ": b at t = " + toText(t));
}

void FirstOrderLinearDS::computeF(double t, const Vector& x, Vector& f) {
  if (b_.isGiven()) b(t, f);
  if (!A_.isGiven()) return;
  if (A_.isConstant()) {
    multiply(1., A_.constant(), x, 1., f);
  } else {
    A(t, present_);
    multiply(1., present_, x, 1., f);
  }
}

void FirstOrderLinearDS::computeJacobianFx(double t, const Vector&, Matrix& jacobian) {
  A(t, jacobian);
}

Settings FirstOrderLinearDS::settings() const {
  Settings settings = FirstOrderDS::settings();
  A_.addTo(settings, "A");
  b_.addTo(settings, "b");
  return settings;
}

}  // namespace delassus
