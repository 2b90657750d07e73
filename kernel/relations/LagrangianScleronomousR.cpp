// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

LagrangianScleronomousR::LagrangianScleronomousR(std::size_t size, Function h) : size_(size), h_(std::move(h)) {
  if (size == 0) throw Error("LagrangianScleronomousR", "the number of outputs must be at least 1.");
}

void LagrangianScleronomousR::computeOutput(double, const Vector& q, const Vector&, Vector& y) {
  h_.value(q, y);
}

void LagrangianScleronomousR::computeJacobian(double, const Vector& q, const Vector&, Matrix& G) {
  h_.jacobian<0>(q, G);
}

void LagrangianScleronomousR::checkJacobians(double, const Vector& q, double tolerance, const std::string& label) {
  checkJacobian<0>([this](const Vector& at, Vector& y) { h_.value(at, y); },
                   [this](const Vector& at, Matrix& G) { h_.jacobian<0>(at, G); }, Matrix(size_, q.size()), tolerance,
                   label + ": Jacobian of h with respect to q", q);
}

}  // namespace delassus
