// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>

#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M)
    : LagrangianLinearTIDS(q0, v0, M, Matrix(v0.size(), v0.size()), Matrix(v0.size(), v0.size())) {
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& v0, const Matrix& M, const Matrix& K,
                                           const Matrix& C)
    : LagrangianDS(q0, v0, M, "LagrangianLinearTIDS"), K_(K), C_(C) {
  requireSize(K, v0.size(), v0.size(), "LagrangianLinearTIDS: stiffness K");
  requireSize(C, v0.size(), v0.size(), "LagrangianLinearTIDS: damping C");
  requireFinite(K, "LagrangianLinearTIDS: stiffness K");
  requireFinite(C, "LagrangianLinearTIDS: damping C");
  hasK_ = normMax(K) > 0.;
  hasC_ = normMax(C) > 0.;
}

void LagrangianLinearTIDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  addExternalForces(t, force);
  if (hasK_) multiply(-1., K_, q, 1., force);
  if (hasC_) multiply(-1., C_, v, 1., force);
}

void LagrangianLinearTIDS::computeForceJacobians(double, const Vector&, const Vector&, Matrix& byQ, Matrix& byV) {
  for (std::size_t k = 0; k < K_.data().size(); ++k) {
    byQ.data()[k] = -K_.data()[k];
    byV.data()[k] = -C_.data()[k];
  }
}

}  // namespace delassus
