// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/FirstOrderType2R.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

FirstOrderType2R::FirstOrderType2R(std::size_t size) : size_(size) {
  if (size == 0) throw Error("FirstOrderType2R", "the number of outputs must be at least 1.");
}

FirstOrderType2R::FirstOrderType2R(std::size_t size, OutputFunction h, InputFunction g) : FirstOrderType2R(size) {
  if (!h || !g) throw Error("FirstOrderType2R", "a function is empty.");
  h_ = std::move(h);
  g_ = std::move(g);
}

void FirstOrderType2R::computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) {
  if (!h_) throw Error("FirstOrderType2R", "a derived class must override computeOutput.");
  h_.value(t, x, lambda, *this, y);
}

void FirstOrderType2R::computeInput(double t, const Vector&, const Vector& lambda, Vector& r) {
  if (!g_) throw Error("FirstOrderType2R", "a derived class must override computeInput.");
  g_.value(t, lambda, *this, r);
}

void FirstOrderType2R::computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) {
  if (!h_) return FirstOrderR::computeC(t, x, lambda, C);
  h_.jacobian<0>(t, x, lambda, *this, C);
}

void FirstOrderType2R::computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) {
  if (!h_) return FirstOrderR::computeD(t, x, lambda, D);
  h_.jacobian<1>(t, x, lambda, *this, D);
}

void FirstOrderType2R::computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) {
  if (!g_) return FirstOrderR::computeB(t, x, lambda, B);
  g_.jacobian<0>(t, lambda, *this, B);
}

}  // namespace delassus
