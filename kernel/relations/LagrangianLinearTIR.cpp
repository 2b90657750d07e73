// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {

LagrangianLinearTIR::LagrangianLinearTIR(const Matrix& H) : LagrangianLinearTIR(H, Vector(H.size1())) {
}

LagrangianLinearTIR::LagrangianLinearTIR(const Matrix& H, const Vector& b) : H_(H), b_(b), offset_(b) {
  if (H.size1() == 0 || H.size2() == 0) throw Error("LagrangianLinearTIR", "H is empty.");
  requireFinite(H, "LagrangianLinearTIR: H");
  requireSize(b, H.size1(), "LagrangianLinearTIR: b (one entry a row of H)");
  requireFinite(b, "LagrangianLinearTIR: b");
}

LagrangianLinearTIR& LagrangianLinearTIR::setD(const Matrix& D) {
  requireSize(D, size(), size(), "LagrangianLinearTIR: D");
  requireFinite(D, "LagrangianLinearTIR: D");
  requireSymmetric(D, "LagrangianLinearTIR: D");
  // Semidefinite means definite after adding a shift above rounding.
  Matrix lifted = D;
  const double lift = 1e-10 * normMax(D) + std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < size(); ++i) lifted(i, i) += lift;
  CholeskyFactorization().factor(lifted, "LagrangianLinearTIR: D, which must be positive semidefinite");
  D_ = D;
  compliant_ = normMax(D) > 0.;
  parametersChanged();
  return *this;
}

LagrangianLinearTIR& LagrangianLinearTIR::setFz(const Matrix& F, const Vector& z) {
  requireSize(F, size(), z.size(), "LagrangianLinearTIR: F (outputs x size of z)");
  requireFinite(F, "LagrangianLinearTIR: F");
  requireFinite(z, "LagrangianLinearTIR: z");
  F_ = F;
  setZ(z);
  return *this;
}

void LagrangianLinearTIR::setZ(const Vector& z) {
  requireSize(z, F_.size2(), "LagrangianLinearTIR: z (one entry a column of F)");
  requireFinite(z, "LagrangianLinearTIR: z");
  offset_ = b_;
  multiply(1., F_, z, 1., offset_);
  parametersChanged();
}

void LagrangianLinearTIR::computeOutput(double, const Vector& q, const Vector& lambda, Vector& y) {
  assign(offset_, y);
  multiply(1., H_, q, 1., y);
  if (isCompliant()) multiply(1., D_, lambda, 1., y);
}

void LagrangianLinearTIR::computeJacobian(double, const Vector&, const Vector&, Matrix& G) {
  G = H_;
}

void LagrangianLinearTIR::computeCompliance(double, const Vector&, const Vector&, Matrix& D) {
  if (isCompliant()) D = D_;
}

void LagrangianLinearTIR::checkDimensions(std::size_t configurations, std::size_t) const {
  if (H_.size2() == configurations) return;
  throw Error("LagrangianLinearTIR", "H has " + std::to_string(H_.size2()) + " columns, but the linked systems have " +
                                         std::to_string(configurations) + " coordinates in all.");
}

Settings LagrangianLinearTIR::settings() const {
  Settings settings;
  settings.add("H", H_);
  if (b_.size() > 0) settings.add("b", b_);
  if (compliant_) settings.add("D", D_);
  if (F_.size1() > 0) settings.add("F", F_);
  return settings;
}

void LagrangianLinearTIR::serializeState(StateArchive& archive) {
  Relation::serializeState(archive);
  archive.value("offset", offset_);
}

}  // namespace delassus
