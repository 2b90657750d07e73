// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

LagrangianScleronomousR::LagrangianScleronomousR(std::size_t size) : size_(size) {
  if (size == 0) throw Error("LagrangianScleronomousR", "the number of outputs must be at least 1.");
}

LagrangianScleronomousR::LagrangianScleronomousR(std::size_t size, Function h) : LagrangianScleronomousR(size) {
  if (!h) throw Error("LagrangianScleronomousR", "the function h is empty.");
  h_ = std::move(h);
}

void LagrangianScleronomousR::computeOutput(double, const Vector& q, const Vector&, Vector& y) {
  if (!h_) throw Error("LagrangianScleronomousR", "a derived class must override computeOutput.");
  h_.value(q, y);
}

void LagrangianScleronomousR::computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) {
  if (!h_) return SecondOrderR::computeJacobian(t, q, lambda, G);
  h_.jacobian<0>(q, G);
}

bool LagrangianScleronomousR::computeBias(double, const Vector& q, const Vector& v, Vector& bias) {
  if (bias_) bias_(q, v, bias);
  return static_cast<bool>(bias_);
}

}  // namespace delassus
