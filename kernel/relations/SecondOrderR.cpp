// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/SecondOrderR.hpp>

namespace delassus {
namespace {

// h of a relation as a function of all its arguments.
auto outputOf(SecondOrderR& relation) {
  return [&relation](double t, const Vector& q, const Vector& lambda, Vector& y) {
    relation.computeOutput(t, q, lambda, y);
  };
}

}  // namespace

void SecondOrderR::computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) {
  differences_.compute<1>(outputOf(*this), t, q, lambda, G, typicalSize_);
}

void SecondOrderR::computeDrift(double t, const Vector& q, Vector& drift) {
  assignZero(noForce_, size());
  differences_.compute<0>(outputOf(*this), t, q, noForce_, drift, typicalSize_);
}

void SecondOrderR::computeCompliance(double t, const Vector& q, const Vector& lambda, Matrix& D) {
  differences_.compute<2>(outputOf(*this), t, q, lambda, D, typicalSize_);
}

void SecondOrderR::setTypicalSize(double typicalSize) {
  requireTypicalSize(typicalSize);
  typicalSize_ = typicalSize;
}

void SecondOrderR::checkDimensions(std::size_t, std::size_t) const {
}

void SecondOrderR::checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                                  const std::string& label) {
  const Vector lambda(size());
  checkJacobian<1>(
      outputOf(*this), [this](double at, const Vector& x, const Vector& l, Matrix& G) { computeJacobian(at, x, l, G); },
      Matrix(size(), velocities), check, label + ": Jacobian of h with respect to q", t, q, lambda);
  if (isTimeDependent()) {
    checkJacobian<0>(
        outputOf(*this), [this](double at, const Vector& x, const Vector&, Vector& d) { computeDrift(at, x, d); },
        Vector(size()), check, label + ": derivative of h with respect to t", t, q, lambda);
  }
  if (isCompliant()) {
    checkJacobian<2>(
        outputOf(*this),
        [this](double at, const Vector& x, const Vector& l, Matrix& D) { computeCompliance(at, x, l, D); },
        Matrix(size(), size()), check, label + ": Jacobian of h with respect to lambda", t, q, lambda);
  }
}

}  // namespace delassus
