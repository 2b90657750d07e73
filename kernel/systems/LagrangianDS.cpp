// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/LagrangianDS.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

void subtract(const Vector& term, Vector& force) {
  addScaled(-1., term, force);
}

void subtract(const Matrix& term, Matrix& total) {
  for (std::size_t k = 0; k < term.data().size(); ++k) total.data()[k] -= term.data()[k];
}

}  // namespace

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0, std::string_view className)
    : SecondOrderDS(q0, v0, className),
      fIntByQ_(overriddenFInt()),
      fIntByV_(overriddenFInt()),
      nnlByQ_(overriddenNNL()),
      nnlByV_(overriddenNNL()),
      term_(v0.size()),
      termJacobian_(v0.size(), v0.size()) {
  requireSize(q0, v0.size(), std::string(className) + ": initial position q0 (of the size of v0)");
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0) : LagrangianDS(q0, v0, "LagrangianDS") {
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0, const Matrix& mass)
    : LagrangianDS(q0, v0, mass, "LagrangianDS") {
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0, const Matrix& mass, std::string_view className)
    : LagrangianDS(q0, v0, className) {
  const std::string what = std::string(className) + ": mass M";
  requireSize(mass, v0.size(), v0.size(), what);
  CholeskyFactorization().factor(mass, what);
  mass_ = mass;
}

LagrangianDS::Force LagrangianDS::overriddenFInt() {
  return [this](double t, const Vector& q, const Vector& v, Vector& out) { computeFInt(t, q, v, out); };
}

LagrangianDS::Inertia LagrangianDS::overriddenNNL() {
  return [this](const Vector& q, const Vector& v, Vector& out) { computeNNL(q, v, out); };
}

void LagrangianDS::setMass(const Matrix& constant) {
  requireSize(constant, dimension(), dimension(), label() + ": mass M");
  CholeskyFactorization().factor(constant, label() + ": mass M");
  mass_ = constant;
  massFunction_ = nullptr;
}

void LagrangianDS::setExternalForces(const Vector& constant) {
  requireSize(constant, dimension(), label() + ": external forces");
  requireFinite(constant, label() + ": external forces");
  constantForces_ = constant;
  externalForces_ = nullptr;
}

void LagrangianDS::requireTermSize(const Vector& term, const char* what) const {
  // The message is only put together when there is something to say: this is in every step.
  if (term.size() != dimension()) requireSize(term, dimension(), label() + ": " + what);
}

void LagrangianDS::requireFiniteForces(double t, const Vector& q, const Vector& v) {
  const auto require = [&](const char* what) {
    requireFinite(term_, label() + ": " + what + " at t = " + std::to_string(t));
  };
  setZero(term_);
  computeFExt(t, term_);
  require("external forces F_ext");
  setZero(term_);
  computeFInt(t, q, v, term_);
  require("internal forces F_int");
  setZero(term_);
  computeNNL(q, v, term_);
  require("nonlinear inertia terms NNL");
}

void LagrangianDS::computeMass(const Vector& q, Matrix& mass) {
  if (massFunction_) {
    massFunction_(q, mass);
  } else if (mass_.size1() > 0) {
    mass = mass_;
  } else {
    throw Error(label(), "no mass was given: pass a matrix to the constructor, call setMass, or override computeMass.");
  }
}

void LagrangianDS::addExternalForces(double t, Vector& force) {
  computeFExt(t, force);
  requireTermSize(force, "external forces F_ext");
}

void LagrangianDS::computeFExt(double t, Vector& force) {
  if (externalForces_) {
    externalForces_(t, force);
  } else if (constantForces_.size() > 0) {
    assign(constantForces_, force);
  }
}

void LagrangianDS::computeFInt(double t, const Vector& q, const Vector& v, Vector& force) {
  if (internalForces_) internalForces_.value(t, q, v, force);
}

void LagrangianDS::computeJacobianFIntq(double t, const Vector& q, const Vector& v, Matrix& jacobian) {
  if (internalForces_) {
    internalForces_.jacobian<0>(t, q, v, jacobian);
  } else {
    fIntByQ_(t, q, v, jacobian);
  }
}

void LagrangianDS::computeJacobianFIntv(double t, const Vector& q, const Vector& v, Matrix& jacobian) {
  if (internalForces_) {
    internalForces_.jacobian<1>(t, q, v, jacobian);
  } else {
    fIntByV_(t, q, v, jacobian);
  }
}

void LagrangianDS::computeNNL(const Vector& q, const Vector& v, Vector& force) {
  if (nnl_) nnl_.value(q, v, force);
}

void LagrangianDS::computeJacobianNNLq(const Vector& q, const Vector& v, Matrix& jacobian) {
  if (nnl_) {
    nnl_.jacobian<0>(q, v, jacobian);
  } else {
    nnlByQ_(q, v, jacobian);
  }
}

void LagrangianDS::computeJacobianNNLv(const Vector& q, const Vector& v, Matrix& jacobian) {
  if (nnl_) {
    nnl_.jacobian<1>(q, v, jacobian);
  } else {
    nnlByV_(q, v, jacobian);
  }
}

void LagrangianDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  addExternalForces(t, force);
  setZero(term_);
  computeFInt(t, q, v, term_);
  requireTermSize(term_, "internal forces F_int");
  subtract(term_, force);
  setZero(term_);
  computeNNL(q, v, term_);
  requireTermSize(term_, "nonlinear inertia terms NNL");
  subtract(term_, force);
}

void LagrangianDS::computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  setZero(termJacobian_);
  computeJacobianFIntq(t, q, v, termJacobian_);
  subtract(termJacobian_, byQ);
  setZero(termJacobian_);
  computeJacobianFIntv(t, q, v, termJacobian_);
  subtract(termJacobian_, byV);
  setZero(termJacobian_);
  computeJacobianNNLq(q, v, termJacobian_);
  subtract(termJacobian_, byQ);
  setZero(termJacobian_);
  computeJacobianNNLv(q, v, termJacobian_);
  subtract(termJacobian_, byV);
}

void LagrangianDS::checkJacobians(double t, double tolerance) {
  const Matrix sized(dimension(), dimension());
  const auto what = [this](const char* term) { return label() + ": Jacobian of " + term; };
  checkJacobian<1>(
      overriddenFInt(),
      [this](double at, const Vector& q, const Vector& v, Matrix& J) { computeJacobianFIntq(at, q, v, J); }, sized,
      tolerance, what("F_int with respect to q"), t, q(), velocity());
  checkJacobian<2>(
      overriddenFInt(),
      [this](double at, const Vector& q, const Vector& v, Matrix& J) { computeJacobianFIntv(at, q, v, J); }, sized,
      tolerance, what("F_int with respect to v"), t, q(), velocity());
  checkJacobian<0>(
      overriddenNNL(), [this](const Vector& q, const Vector& v, Matrix& J) { computeJacobianNNLq(q, v, J); }, sized,
      tolerance, what("NNL with respect to q"), q(), velocity());
  checkJacobian<1>(
      overriddenNNL(), [this](const Vector& q, const Vector& v, Matrix& J) { computeJacobianNNLv(q, v, J); }, sized,
      tolerance, what("NNL with respect to v"), q(), velocity());
}

}  // namespace delassus
