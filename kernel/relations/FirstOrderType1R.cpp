// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/FirstOrderType1R.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

FirstOrderType1R::FirstOrderType1R(std::size_t size) : size_(size) {
  if (size == 0) throw Error("FirstOrderType1R", "the number of outputs must be at least 1.");
}

FirstOrderType1R::FirstOrderType1R(std::size_t size, OutputFunction h, InputFunction g) : FirstOrderType1R(size) {
  if (!h || !g) throw Error("FirstOrderType1R", "a function is empty.");
  h_ = std::move(h);
  g_ = std::move(g);
}

void FirstOrderType1R::computeOutput(double t, const Vector& x, const Vector&, Vector& y) {
  if (!h_) throw Error("FirstOrderType1R", "a derived class must override computeOutput.");
  h_.value(t, x, *this, y);
}

void FirstOrderType1R::computeInput(double t, const Vector&, const Vector& lambda, Vector& r) {
  if (!g_) throw Error("FirstOrderType1R", "a derived class must override computeInput.");
  g_.value(t, lambda, *this, r);
}

void FirstOrderType1R::computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) {
  if (!h_) return FirstOrderR::computeC(t, x, lambda, C);
  h_.jacobian<0>(t, x, *this, C);
}

void FirstOrderType1R::computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) {
  if (!g_) return FirstOrderR::computeB(t, x, lambda, B);
  g_.jacobian<0>(t, lambda, *this, B);
}

}  // namespace delassus
