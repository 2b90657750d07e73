// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

LagrangianRheonomousR::LagrangianRheonomousR(std::size_t size, Function h) : size_(size), h_(std::move(h)) {
  if (size == 0) throw Error("LagrangianRheonomousR", "the number of outputs must be at least 1.");
}

void LagrangianRheonomousR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  h_.value(t, q, y);
}

void LagrangianRheonomousR::computeJacobian(double t, const Vector& q, const Vector&, Matrix& G) {
  h_.jacobian<0>(t, q, G);
}

void LagrangianRheonomousR::computeDrift(double t, const Vector& q, Vector& drift) {
  h_.jacobian<1>(t, q, drift);
}

void LagrangianRheonomousR::checkJacobians(double t, const Vector& q, double tolerance, const std::string& label) {
  const auto value = [this](const double& at, const Vector& x, Vector& y) { h_.value(at, x, y); };
  checkJacobian<1>(
      value, [this](double at, const Vector& x, Matrix& G) { h_.jacobian<0>(at, x, G); }, Matrix(size_, q.size()),
      tolerance, label + ": Jacobian of h with respect to q", t, q);
  checkJacobian<0>(
      value, [this](double at, const Vector& x, Vector& d) { h_.jacobian<1>(at, x, d); }, Vector(size_), tolerance,
      label + ": derivative of h with respect to t", t, q);
}

}  // namespace delassus
