// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0) : FirstOrderDS(x0, "FirstOrderLinearDS") {
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const SquareMatrix& A) : FirstOrderLinearDS(x0) {
  setA(A);
}

FirstOrderLinearDS::FirstOrderLinearDS(const Vector& x0, const SquareMatrix& A, const Vector& b)
    : FirstOrderLinearDS(x0, A) {
  setB(b);
}

void FirstOrderLinearDS::setA(const SquareMatrix& A) {
  requireSize(A, dimension(), dimension(), label() + ": A");
  requireFinite(A, label() + ": A");
  requireNoControl(A.isSparse());
  isSparseA_ = A.isSparse();
  A_.set(A);
  parametersChanged();
}

void FirstOrderLinearDS::setB(const Vector& b) {
  requireSize(b, dimension(), label() + ": b");
  requireFinite(b, label() + ": b");
  b_.set(b);
  parametersChanged();
}

void FirstOrderLinearDS::A(double t, SquareMatrix& A) const {
  const std::size_t n = dimension();
  if (!A_.isGiven() && isSparse()) {
    A = sparseFromTriplets(n, n, {});
  } else if (!A_.isGiven() || (!A_.isConstant() && !isSparseA_)) {
    A.makeDense(n);
  }
  A_.compute(t, *this, A);
  if (A_.isConstant() || (A.size1() == n && A.size2() == n && allFinite(A))) return;
  requireSize(A, n, n, label() + ": A at t = " + toText(t));
  requireFinite(A, label() + ": A at t = " + toText(t));
}

void FirstOrderLinearDS::A(double t, Matrix& A) const {
  SquareMatrix stored;
  this->A(t, stored);
  A = toDense(stored);
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
  A(t, present_);
  if (present_.isSparse()) {
    jacobian = toDense(present_);
  } else {
    jacobian = present_.dense();
  }
}

void FirstOrderLinearDS::storeJacobianFx(double t, const Vector&, SquareMatrix& jacobian) {
  A(t, jacobian);
  if (isSparse() && !jacobian.isSparse()) jacobian = sparseFromDense(jacobian.dense());
}

Settings FirstOrderLinearDS::settings() const {
  Settings settings = FirstOrderDS::settings();
  A_.addTo(settings, "A");
  b_.addTo(settings, "b");
  return settings;
}

}  // namespace delassus
