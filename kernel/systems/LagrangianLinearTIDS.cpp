// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <span>
#include <string>

namespace delassus {

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const SquareMatrix& M)
    : LagrangianLinearTIDS(q0, v0, M, SquareMatrix::zeros(M), SquareMatrix::zeros(M)) {
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const SquareMatrix& M,
                                           const SquareMatrix& K, const SquareMatrix& C)
    : SecondOrderDS(q0, v0, "LagrangianLinearTIDS"), M_(M) {
  const std::size_t n = v0.size();
  requireSize(q0, n, "LagrangianLinearTIDS: initial position q0 (of the size of v0)");
  requireSize(M, n, n, "LagrangianLinearTIDS: mass M");
  requirePositiveDefinite(M, "LagrangianLinearTIDS: mass M");
  setStiffness(K);
  setDamping(C);
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrices& matrices)
    : LagrangianLinearTIDS(q0, v0, matrices.M) {
  if (matrices.K.size1() > 0) setStiffness(matrices.K);
  if (matrices.C.size1() > 0) setDamping(matrices.C);
}

SquareMatrix LagrangianLinearTIDS::storedAsMass(const SquareMatrix& given, const char* what) const {
  requireSize(given, dimension(), dimension(), what);
  requireFinite(given, what);
  if (given.isSparse() == M_.isSparse()) return given;
  return M_.isSparse() ? SquareMatrix(sparseFromDense(given.dense())) : SquareMatrix(toDense(given));
}

void LagrangianLinearTIDS::setStiffness(const SquareMatrix& K) {
  K_ = storedAsMass(K, "LagrangianLinearTIDS: stiffness K");
  hasK_ = normMax(K_) > 0.;
  stateWasReset();
  parametersChanged();
}

void LagrangianLinearTIDS::setDamping(const SquareMatrix& C) {
  C_ = storedAsMass(C, "LagrangianLinearTIDS: damping C");
  hasC_ = normMax(C_) > 0.;
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
  mass = toDense(M_);
}

void LagrangianLinearTIDS::computeForceJacobians(double, const Vector&, const Vector&, Matrix& byQ, Matrix& byV) {
  byQ = -toDense(K_);
  byV = -toDense(C_);
}

void LagrangianLinearTIDS::storeMass(const Vector&, SquareMatrix& mass) {
  mass = M_;
}

void LagrangianLinearTIDS::storeForceJacobians(double, const Vector&, const Vector&, SquareMatrix& byQ,
                                               SquareMatrix& byV) {
  byQ = K_;
  byV = C_;
  byQ.scale(-1.);
  byV.scale(-1.);
}

void LagrangianLinearTIDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  computeFExt(t, force);
  if (force.size() != dimension()) requireSize(force, dimension(), label() + ": external forces F_ext");
  if (hasK_) multiply(-1., K_, q, 1., force);
  if (hasC_) multiply(-1., C_, v, 1., force);
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
