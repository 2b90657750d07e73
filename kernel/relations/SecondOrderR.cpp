// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/SecondOrderR.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>

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
  Differences& differences = differences_.get();
  Matrix& byQ = differences.byQ;
  if (byQ.size1() != size() || byQ.size2() != q.size()) byQ.resize(size(), q.size(), false);
  differences.method.compute<1>(outputOf(*this), t, q, lambda, byQ, typicalSize_);
  alongVelocities(byQ, q, G);
}

void SecondOrderR::alongVelocities(const Matrix& byQ, const Vector&, Matrix& G) const {
  std::copy(byQ.data().begin(), byQ.data().end(), G.data().begin());
}

void SecondOrderR::checkConfiguration(double, const Vector&, const std::string&) {
}

void SecondOrderR::computeDrift(double t, const Vector& q, Vector& drift) {
  Differences& differences = differences_.get();
  assignZero(differences.noForce, size());
  differences.method.compute<0>(outputOf(*this), t, q, differences.noForce, drift, typicalSize_);
}

bool SecondOrderR::findContacts(double, const Vector&, std::vector<ContactPoint>&) {
  return false;
}

bool SecondOrderR::computeBias(double, const Vector&, const Vector&, Vector&) {
  return false;
}

void SecondOrderR::computeCompliance(double t, const Vector& q, const Vector& lambda, Matrix& D) {
  differences_.get().method.compute<2>(outputOf(*this), t, q, lambda, D, typicalSize_);
}

void SecondOrderR::setTypicalSize(double typicalSize) {
  requireTypicalSize(typicalSize);
  typicalSize_ = typicalSize;
}

void SecondOrderR::checkDimensions(std::size_t, std::size_t) const {
}

void SecondOrderR::checkOutputJacobian(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                                       const std::string& label) {
  const Vector lambda(size());
  Vector y(size());
  computeOutput(t, q, lambda, y);
  Matrix given(size(), velocities), differenced(size(), velocities), byQ(size(), q.size());
  computeJacobian(t, q, lambda, given);
  CentralDifferences<double, Vector, Vector>().compute<1>(outputOf(*this), t, q, lambda, byQ, check.typicalSize);
  const std::string what = label + ": Jacobian of h with respect to q";
  requireSize(given, size(), velocities, what);
  alongVelocities(byQ, q, differenced);
  requireSameJacobian(given, differenced, check.tolerance, 1e-9 * std::max(1., normInf(y)) / check.typicalSize, what);
}

void SecondOrderR::checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                                  const std::string& label) {
  const Vector lambda(size());
  checkOutputJacobian(t, q, velocities, check, label);
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
