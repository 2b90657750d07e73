// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

FirstOrderNonLinearR::FirstOrderNonLinearR(std::size_t size) : size_(size) {
  if (size == 0) throw Error("FirstOrderNonLinearR", "the number of outputs must be at least 1.");
}

FirstOrderNonLinearR::FirstOrderNonLinearR(std::size_t size, Function h, Function g) : FirstOrderNonLinearR(size) {
  if (!h || !g) throw Error("FirstOrderNonLinearR", "a function is empty.");
  h_ = std::move(h);
  g_ = std::move(g);
}

void FirstOrderNonLinearR::computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) {
  if (!h_) throw Error("FirstOrderNonLinearR", "a derived class must override computeOutput.");
  h_.value(t, x, lambda, *this, y);
}

void FirstOrderNonLinearR::computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) {
  if (!g_) throw Error("FirstOrderNonLinearR", "a derived class must override computeInput.");
  g_.value(t, x, lambda, *this, r);
}

void FirstOrderNonLinearR::computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) {
  if (!h_) return FirstOrderR::computeC(t, x, lambda, C);
  h_.jacobian<0>(t, x, lambda, *this, C);
}

void FirstOrderNonLinearR::computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) {
  if (!h_) return FirstOrderR::computeD(t, x, lambda, D);
  h_.jacobian<1>(t, x, lambda, *this, D);
}

void FirstOrderNonLinearR::computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) {
  if (!g_) return FirstOrderR::computeB(t, x, lambda, B);
  g_.jacobian<1>(t, x, lambda, *this, B);
}

void FirstOrderNonLinearR::computeK(double t, const Vector& x, const Vector& lambda, Matrix& K) {
  if (!g_) return FirstOrderR::computeK(t, x, lambda, K);
  g_.jacobian<0>(t, x, lambda, *this, K);
}

}  // namespace delassus
