// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

LagrangianCompliantR::LagrangianCompliantR(std::size_t size) : size_(size) {
  if (size == 0) throw Error("LagrangianCompliantR", "the number of outputs must be at least 1.");
}

LagrangianCompliantR::LagrangianCompliantR(std::size_t size, Function h) : LagrangianCompliantR(size) {
  if (!h) throw Error("LagrangianCompliantR", "the function h is empty.");
  h_ = std::move(h);
}

void LagrangianCompliantR::computeOutput(double, const Vector& q, const Vector& lambda, Vector& y) {
  if (!h_) throw Error("LagrangianCompliantR", "a derived class must override computeOutput.");
  h_.value(q, lambda, y);
}

void LagrangianCompliantR::computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) {
  if (!h_) return SecondOrderR::computeJacobian(t, q, lambda, G);
  h_.jacobian<0>(q, lambda, G);
}

void LagrangianCompliantR::computeCompliance(double t, const Vector& q, const Vector& lambda, Matrix& D) {
  if (!h_) return SecondOrderR::computeCompliance(t, q, lambda, D);
  h_.jacobian<1>(q, lambda, D);
}

}  // namespace delassus
