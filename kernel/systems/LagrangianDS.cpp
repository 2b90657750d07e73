// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0)
    : SecondOrderDS(q0, v0, "LagrangianDS"), term_(v0.size()), termJacobian_(v0.size(), v0.size()) {
  requireSize(q0, v0.size(), "LagrangianDS: initial position q0 (of the size of v0)");
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0, const Matrix& mass) : LagrangianDS(q0, v0) {
  setMass(mass);
}

void LagrangianDS::setZ(const Vector& z) {
  requireFinite(z, label() + ": parameters z");
  z_ = z;
  parametersChanged();
}

void LagrangianDS::setTypicalSize(double typicalSize) {
  requireTypicalSize(typicalSize);
  typicalSize_ = typicalSize;
}

void LagrangianDS::setMass(const Matrix& constant) {
  requireSize(constant, dimension(), dimension(), label() + ": mass M");
  CholeskyFactorization().factor(constant, label() + ": mass M");
  mass_ = constant;
  massFunction_ = nullptr;
  parametersChanged();
}

void LagrangianDS::setExternalForces(const Vector& constant) {
  requireSize(constant, dimension(), label() + ": external forces");
  requireFinite(constant, label() + ": external forces");
  externalForces_.set(constant);
  parametersChanged();
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

void LagrangianDS::computeFExt(double t, Vector& force) {
  externalForces_.compute(t, force);
}

void LagrangianDS::computeFInt(double t, const Vector& q, const Vector& v, Vector& force) {
  if (internalForces_) internalForces_.value(t, q, v, force);
}

void LagrangianDS::computeJacobianFIntq(double t, const Vector& q, const Vector& v, Matrix& jacobian) {
  if (internalForces_) {
    internalForces_.jacobian<0>(t, q, v, jacobian);
  } else {
    const auto term = [this](double at, const Vector& x, const Vector& y, Vector& out) { computeFInt(at, x, y, out); };
    fIntDifferences_.compute<1>(term, t, q, v, jacobian, typicalSize_);
  }
}

void LagrangianDS::computeJacobianFIntv(double t, const Vector& q, const Vector& v, Matrix& jacobian) {
  if (internalForces_) {
    internalForces_.jacobian<1>(t, q, v, jacobian);
  } else {
    const auto term = [this](double at, const Vector& x, const Vector& y, Vector& out) { computeFInt(at, x, y, out); };
    fIntDifferences_.compute<2>(term, t, q, v, jacobian, typicalSize_);
  }
}

void LagrangianDS::computeNNL(const Vector& q, const Vector& v, Vector& force) {
  if (nnl_) nnl_.value(q, v, force);
}

void LagrangianDS::computeJacobianNNLq(const Vector& q, const Vector& v, Matrix& jacobian) {
  if (nnl_) {
    nnl_.jacobian<0>(q, v, jacobian);
  } else {
    const auto term = [this](const Vector& x, const Vector& y, Vector& out) { computeNNL(x, y, out); };
    nnlDifferences_.compute<0>(term, q, v, jacobian, typicalSize_);
  }
}

void LagrangianDS::computeJacobianNNLv(const Vector& q, const Vector& v, Matrix& jacobian) {
  if (nnl_) {
    nnl_.jacobian<1>(q, v, jacobian);
  } else {
    const auto term = [this](const Vector& x, const Vector& y, Vector& out) { computeNNL(x, y, out); };
    nnlDifferences_.compute<1>(term, q, v, jacobian, typicalSize_);
  }
}

// Messages are composed only if there is an error, since this runs in every step.
void LagrangianDS::subtract(const Vector& term, const char* what, Vector& force) const {
  if (term.size() != dimension()) requireSize(term, dimension(), label() + ": " + what);
  addScaled(-1., term, force);
}

void LagrangianDS::subtract(const Matrix& term, const char* what, Matrix& total) const {
  const std::size_t n = dimension();
  if (term.size1() != n || term.size2() != n) requireSize(term, n, n, label() + ": Jacobian of " + what);
  for (std::size_t k = 0; k < n * n; ++k) total.data()[k] -= term.data()[k];
}

void LagrangianDS::inertialForces(const Vector& q, const Vector& v, Vector& force) {
  assignZero(force, dimension());
  assignZero(term_, dimension());
  computeNNL(q, v, term_);
  subtract(term_, "nonlinear inertia terms NNL", force);
}

void LagrangianDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  computeFExt(t, force);
  if (force.size() != dimension()) requireSize(force, dimension(), label() + ": external forces F_ext");
  assignZero(term_, dimension());
  computeFInt(t, q, v, term_);
  subtract(term_, "internal forces F_int", force);
  assignZero(term_, dimension());
  computeNNL(q, v, term_);
  subtract(term_, "nonlinear inertia terms NNL", force);
}

void LagrangianDS::computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  const std::size_t n = dimension();
  assignZero(termJacobian_, n, n);
  computeJacobianFIntq(t, q, v, termJacobian_);
  subtract(termJacobian_, "F_int with respect to q", byQ);
  assignZero(termJacobian_, n, n);
  computeJacobianFIntv(t, q, v, termJacobian_);
  subtract(termJacobian_, "F_int with respect to v", byV);
  assignZero(termJacobian_, n, n);
  computeJacobianNNLq(q, v, termJacobian_);
  subtract(termJacobian_, "NNL with respect to q", byQ);
  assignZero(termJacobian_, n, n);
  computeJacobianNNLv(q, v, termJacobian_);
  subtract(termJacobian_, "NNL with respect to v", byV);
}

void LagrangianDS::requireFiniteForces(double t, const Vector& q, const Vector& v) {
  const auto require = [&](const char* what) {
    requireFinite(term_, label() + ": " + what + " at t = " + toText(t));
    assignZero(term_, dimension());
  };
  assignZero(term_, dimension());
  computeFExt(t, term_);
  require("external forces F_ext");
  computeFInt(t, q, v, term_);
  require("internal forces F_int");
  computeNNL(q, v, term_);
  require("nonlinear inertia terms NNL");
}

void LagrangianDS::checkJacobians(double t, const JacobianCheck& check) {
  const Matrix sized(dimension(), dimension());
  const auto what = [this](const char* term) { return label() + ": Jacobian of " + term; };
  const auto fInt = [this](double at, const Vector& x, const Vector& y, Vector& out) { computeFInt(at, x, y, out); };
  const auto nnl = [this](const Vector& x, const Vector& y, Vector& out) { computeNNL(x, y, out); };
  checkJacobian<1>(
      fInt, [this](double at, const Vector& x, const Vector& y, Matrix& J) { computeJacobianFIntq(at, x, y, J); },
      sized, check, what("F_int with respect to q"), t, q(), velocity());
  checkJacobian<2>(
      fInt, [this](double at, const Vector& x, const Vector& y, Matrix& J) { computeJacobianFIntv(at, x, y, J); },
      sized, check, what("F_int with respect to v"), t, q(), velocity());
  checkJacobian<0>(
      nnl, [this](const Vector& x, const Vector& y, Matrix& J) { computeJacobianNNLq(x, y, J); }, sized, check,
      what("NNL with respect to q"), q(), velocity());
  checkJacobian<1>(
      nnl, [this](const Vector& x, const Vector& y, Matrix& J) { computeJacobianNNLv(x, y, J); }, sized, check,
      what("NNL with respect to v"), q(), velocity());
}

void LagrangianDS::serializeState(StateArchive& archive) {
  SecondOrderDS::serializeState(archive);
  archive.value("z", z_);
}

}  // namespace delassus
