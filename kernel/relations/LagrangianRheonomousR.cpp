// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

LagrangianRheonomousR::LagrangianRheonomousR(std::size_t size) : size_(size) {
  if (size == 0) throw Error("LagrangianRheonomousR", "the number of outputs must be at least 1.");
}

LagrangianRheonomousR::LagrangianRheonomousR(std::size_t size, Function h) : LagrangianRheonomousR(size) {
  if (!h) throw Error("LagrangianRheonomousR", "the function h is empty.");
  h_ = std::move(h);
}

void LagrangianRheonomousR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  if (!h_) throw Error("LagrangianRheonomousR", "a derived class must override computeOutput.");
  h_.value(t, q, y);
}

void LagrangianRheonomousR::computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) {
  if (!h_) return SecondOrderR::computeJacobian(t, q, lambda, G);
  h_.jacobian<0>(t, q, G);
}

void LagrangianRheonomousR::computeDrift(double t, const Vector& q, Vector& drift) {
  if (!h_) return SecondOrderR::computeDrift(t, q, drift);
  h_.jacobian<1>(t, q, drift);
}

bool LagrangianRheonomousR::computeBias(double t, const Vector& q, const Vector& v, Vector& bias) {
  if (bias_) bias_(t, q, v, bias);
  return static_cast<bool>(bias_);
}

}  // namespace delassus
