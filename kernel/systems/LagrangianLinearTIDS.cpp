// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M)
    : LagrangianLinearTIDS(q0, v0, M, Matrix(v0.size(), v0.size()), Matrix(v0.size(), v0.size())) {
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M, const Matrix& K,
                                           const Matrix& C)
    : SecondOrderDS(q0, v0, "LagrangianLinearTIDS"), M_(M), K_(K), C_(C) {
  const std::size_t n = v0.size();
  requireSize(q0, n, "LagrangianLinearTIDS: initial position q0 (of the size of v0)");
  requireSize(M, n, n, "LagrangianLinearTIDS: mass M");
  CholeskyFactorization().factor(M, "LagrangianLinearTIDS: mass M");
  setStiffness(K);
  setDamping(C);
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrices& matrices)
    : LagrangianLinearTIDS(q0, v0, matrices.M) {
  if (matrices.K.size1() > 0) setStiffness(matrices.K);
  if (matrices.C.size1() > 0) setDamping(matrices.C);
}

void LagrangianLinearTIDS::setStiffness(const Matrix& K) {
  requireSize(K, dimension(), dimension(), "LagrangianLinearTIDS: stiffness K");
  requireFinite(K, "LagrangianLinearTIDS: stiffness K");
  K_ = K;
  hasK_ = normMax(K) > 0.;
  stateWasReset();
  parametersChanged();
}

void LagrangianLinearTIDS::setDamping(const Matrix& C) {
  requireSize(C, dimension(), dimension(), "LagrangianLinearTIDS: damping C");
  requireFinite(C, "LagrangianLinearTIDS: damping C");
  C_ = C;
  hasC_ = normMax(C) > 0.;
  stateWasReset();
  parametersChanged();
}

void LagrangianLinearTIDS::setZ(const Vector& z) {
  requireFinite(z, label() + ": parameters z");
  z_ = z;
  parametersChanged();
}

void LagrangianLinearTIDS::setExternalForces(const Vector& constant) {
  requireSize(constant, dimension(), label() + ": external forces");
  requireFinite(constant, label() + ": external forces");
  externalForces_.set(constant);
  parametersChanged();
}

void LagrangianLinearTIDS::computeFExt(double t, Vector& force) {
  externalForces_.compute(t, force);
}

void LagrangianLinearTIDS::computeMass(const Vector&, Matrix& mass) {
  mass = M_;
}

void LagrangianLinearTIDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  computeFExt(t, force);
  if (force.size() != dimension()) requireSize(force, dimension(), label() + ": external forces F_ext");
  if (hasK_) multiply(-1., K_, q, 1., force);
  if (hasC_) multiply(-1., C_, v, 1., force);
}

void LagrangianLinearTIDS::computeForceJacobians(double, const Vector&, const Vector&, Matrix& byQ, Matrix& byV) {
  for (std::size_t k = 0; k < K_.data().size(); ++k) {
    byQ.data()[k] = -K_.data()[k];
    byV.data()[k] = -C_.data()[k];
  }
}

void LagrangianLinearTIDS::requireFiniteForces(double t, const Vector&, const Vector&) {
  Vector force(dimension());
  computeFExt(t, force);
  requireFinite(force, label() + ": external forces F_ext at t = " + toText(t));
}

Settings LagrangianLinearTIDS::settings() const {
  Settings settings = SecondOrderDS::settings();
  settings.add("M", M_);
  if (hasK_) settings.add("K", K_);
  if (hasC_) settings.add("C", C_);
  return settings;
}

void LagrangianLinearTIDS::serializeState(StateArchive& archive) {
  SecondOrderDS::serializeState(archive);
  archive.value("z", z_);
}

}  // namespace delassus
