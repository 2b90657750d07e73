// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

LagrangianCompliantR::LagrangianCompliantR(std::size_t size, Function h) : size_(size), h_(std::move(h)) {
  if (size == 0) throw Error("LagrangianCompliantR", "the number of outputs must be at least 1.");
}

void LagrangianCompliantR::computeOutput(double, const Vector& q, const Vector& lambda, Vector& y) {
  h_.value(q, lambda, y);
}

void LagrangianCompliantR::computeJacobian(double, const Vector& q, const Vector& lambda, Matrix& G) {
  h_.jacobian<0>(q, lambda, G);
}

void LagrangianCompliantR::computeCompliance(double, const Vector& q, const Vector& lambda, Matrix& D) {
  h_.jacobian<1>(q, lambda, D);
}

void LagrangianCompliantR::checkJacobians(double, const Vector& q, double tolerance, const std::string& label) {
  const Vector lambda(size_);
  const auto value = [this](const Vector& x, const Vector& l, Vector& y) { h_.value(x, l, y); };
  checkJacobian<0>(
      value, [this](const Vector& x, const Vector& l, Matrix& G) { h_.jacobian<0>(x, l, G); }, Matrix(size_, q.size()),
      tolerance, label + ": Jacobian of h with respect to q", q, lambda);
  checkJacobian<1>(
      value, [this](const Vector& x, const Vector& l, Matrix& D) { h_.jacobian<1>(x, l, D); }, Matrix(size_, size_),
      tolerance, label + ": Jacobian of h with respect to lambda", q, lambda);
}

}  // namespace delassus
