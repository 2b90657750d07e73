// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/relations/TransducerR.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

TransducerR::TransducerR(std::size_t states, std::shared_ptr<SecondOrderR> relation)
    : states_(states), relation_(std::move(relation)) {
  if (states == 0) throw Error("TransducerR", "expected at least one state of a first-order system, got 0.");
  if (!relation_) throw Error("TransducerR", "the relation between mechanical systems is null.");
  const std::string className(relation_->className());
  if (relation_->isCompliant()) {
    throw Error("TransducerR", "the relation " + className + " is compliant, and force elements take none that is.");
  }
  if (relation_->firstOrderStates() > 0) {
    throw Error("TransducerR", "the relation " + className + " has states of first-order systems already.");
  }
  part_ = noForce_ = Vector(relation_->size());
  setZero(noForce_);
}

Settings TransducerR::settings() const {
  Settings settings;
  settings.add("states", states_);
  settings.add("relation", relation_->className());
  settings.add("relation", relation_->settings());
  return settings;
}

void TransducerR::serializeState(StateArchive& archive) {
  SecondOrderR::serializeState(archive);
  relation_->serializeState(archive);
}

void TransducerR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  assignZero(part_, noForce_.size());
  relation_->computeOutput(t, q, noForce_, part_);
  copyPart(y, "output h");
}

// Behind the states; a message is composed only if there is an error.
void TransducerR::copyPart(Vector& to, const char* what) const {
  if (part_.size() != noForce_.size()) {
    requireSize(part_, noForce_.size(), std::string(what) + " of " + std::string(relation_->className()));
  }
  std::copy(part_.begin(), part_.end(), data(to) + states_);
}

// The velocities begin with x.
void TransducerR::computeJacobian(double t, const Vector& q, const Vector&, Matrix& G) {
  for (std::size_t i = 0; i < states_; ++i) G(i, i) = 1.;
  assignZero(G_, relation_->size(), G.size2() - states_);
  relation_->computeJacobian(t, q, noForce_, G_);
  if (G_.size1() != relation_->size() || G_.size2() != G.size2() - states_) {
    requireSize(G_, relation_->size(), G.size2() - states_, "Jacobian G of " + std::string(relation_->className()));
  }
  for (std::size_t j = 0; j < G_.size2(); ++j) {
    for (std::size_t i = 0; i < G_.size1(); ++i) G(states_ + i, states_ + j) = G_(i, j);
  }
}

void TransducerR::computeDrift(double t, const Vector& q, Vector& drift) {
  assignZero(part_, noForce_.size());
  relation_->computeDrift(t, q, part_);
  copyPart(drift, "drift");
}

void TransducerR::checkConfiguration(double t, const Vector& q, const std::string& label) {
  relation_->checkConfiguration(t, q, label);
}

void TransducerR::checkDimensions(std::size_t configurations, std::size_t velocities) const {
  if (velocities < states_) {
    throw Error("TransducerR", "expected " + std::to_string(states_) + " states of first-order systems, got " +
                                   std::to_string(velocities) + " states and velocities in all.");
  }
  relation_->checkDimensions(configurations, velocities - states_);
}

void TransducerR::checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                                 const std::string& label) {
  relation_->checkJacobians(t, q, velocities - states_, check, label);
}

}  // namespace delassus
