// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/integrators/FlowAsMotion.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

FlowAsMotion::FlowAsMotion(FirstOrderDS& flow)
    : SecondOrderDS(Vector(), flow.x(), flow.className()), flow_(flow), noRate_(flow.dimension()) {
  setName(flow.name());
  setZero(noRate_);
  requireMechanical();
  takeMatrices();
  stateFrom_.take(flow.stateResets());
  matricesFrom_.take(flow.parameterChanges());
}

void FlowAsMotion::requireMechanical() {
  const std::string tied = "it is integrated with mechanical systems that force elements tie circuits to, ";
  if (!flow_.hasConstantMass()) {
    throw Error("System '" + flow_.name() + "'", tied + "but its M is a function; expected a constant.");
  }
  if (flow_.dependsOnRate()) {
    throw Error("System '" + flow_.name() + "'", tied + "but its control depends on the rate of x.");
  }
  SquareMatrix mass;
  flow_.mass(0., flow_.x(), mass);
  if (isPositiveDefinite(mass)) return;
  requirePositiveDefinite(mass, "System '" + flow_.name() + "': M (" + tied +
                                    "among whose masses it stands; it must be symmetric positive definite)");
}

// M, and A if the system is linear with a constant one; true if they are others than before.
bool FlowAsMotion::takeMatrices() {
  SquareMatrix mass, byX;
  flow_.mass(0., flow_.x(), mass);
  if (flow_.isTimeInvariant()) flow_.vectorFieldJacobians(0., flow_.x(), noRate_, byX, byRate_);
  if (areEqual(mass, mass_) && areEqual(byX, byX_)) return false;
  mass_.swap(mass);
  byX_.swap(byX);
  return true;
}

void FlowAsMotion::takeState() {
  matricesFrom_.renew(flow_.parameterChanges(), [this] {
    requireMechanical();
    parametersChanged();
    if (takeMatrices()) stateWasReset();
  });
  const Vector& x = flow_.x();
  if (stateFrom_.isCurrent(flow_.stateResets()) && std::equal(x.begin(), x.end(), velocity().begin())) return;
  stateFrom_.take(flow_.stateResets());
  setState(Vector(), x);
}

void FlowAsMotion::serializeState(StateArchive& archive) {
  SecondOrderDS::serializeState(archive);
  stateFrom_.serializeState(archive, "stateFrom");
  matricesFrom_.serializeState(archive, "matricesFrom");
}

void FlowAsMotion::accept(double before, Vector& q, Vector& v, Vector& p) {
  assign(v, x_);
  assign(p, r_);
  SecondOrderDS::accept(before, q, v, p);
  flow_.accept(before, x_, r_);
}

void FlowAsMotion::rates(const Vector&, Matrix& T) const {
  assignZero(T, 0, dimension());
}

void FlowAsMotion::computeMass(const Vector&, Matrix& mass) {
  flow_.mass(0., velocity(), mass);
}

void FlowAsMotion::storeMass(const Vector&, SquareMatrix& mass) {
  flow_.mass(0., velocity(), mass);
}

void FlowAsMotion::computeForces(double t, const Vector&, const Vector& v, Vector& force) {
  flow_.vectorField(t, v, noRate_, force);
}

void FlowAsMotion::computeForceJacobians(double t, const Vector&, const Vector& v, Matrix& byQ, Matrix& byV) {
  SquareMatrix first, second;
  storeForceJacobians(t, Vector(), v, first, second);
  byQ = toDense(first);
  byV = toDense(second);
}

void FlowAsMotion::storeForceJacobians(double t, const Vector&, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV) {
  flow_.vectorFieldJacobians(t, v, noRate_, byV, byRate_);
  if (byV.isSparse()) {
    byQ = SquareMatrix::zeros(byV);
  } else {
    byQ.makeDense(dimension());
  }
}

}  // namespace delassus
