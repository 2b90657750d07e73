// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// States x of first-order systems beside the outputs h of a relation between mechanical systems, for force elements
/// that tie both (a motor, a coil, an actuator with its lag, a controller):
///
///     y = (0, h(t, q)),     ẏ = (x, G_h v + ∂h/∂t).
///
/// x stands among the rates, since a multiplier acts on M ẋ as on M v̇, by λ₁ in M ẋ = F + λ₁; it has no y. Linked to
/// the first-order systems first, or to parts of them, then to those of the relation:
///
///     model.link("motor", GyratorLaw(0.05), TransducerR(1, pivot.angle()), SystemPart(circuit, 0, 1), frame, arm);
///
/// The law takes all outputs at once: that of several states and outputs is a SmoothLaw of their number, or each pair
/// has a link of its own.
class TransducerR final : public SecondOrderR {
 public:
  /// `states` is the number of x. Throws Error if it is 0, or the relation is null or compliant.
  ///@{
  TransducerR(std::size_t states, std::shared_ptr<SecondOrderR> relation);
  template <std::derived_from<SecondOrderR> R>
  TransducerR(std::size_t states, R relation) : TransducerR(states, std::make_shared<R>(std::move(relation))) {}
  ///@}

  /// The relation between the mechanical systems.
  const SecondOrderR& relation() const { return *relation_; }

  std::string_view className() const override { return "TransducerR"; }
  Settings settings() const override;
  std::size_t size() const override { return states_ + relation_->size(); }
  std::size_t firstOrderStates() const override { return states_; }
  std::size_t parameterChanges() const override {
    return SecondOrderR::parameterChanges() + relation_->parameterChanges();
  }
  Membership& membership() override { return relation_->membership(); }
  bool isTimeDependent() const override { return relation_->isTimeDependent(); }
  bool isCompliant() const override { return relation_->isCompliant(); }
  bool isLinear() const override { return relation_->isLinear(); }
  bool hasMemory() const override { return relation_->hasMemory(); }
  bool isSelfContained() const override { return relation_->isSelfContained(); }
  void serializeState(StateArchive& archive) override;
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeDrift(double t, const Vector& q, Vector& drift) override;
  bool isCoordinate() const override { return relation_->isCoordinate(); }
  void checkConfiguration(double t, const Vector& q, const std::string& label) override;
  void checkDimensions(std::size_t configurations, std::size_t velocities) const override;
  void checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                      const std::string& label) override;

 private:
  void copyPart(Vector& to, const char* what) const;

  std::size_t states_;
  std::shared_ptr<SecondOrderR> relation_;
  Vector part_, noForce_;
  Matrix G_;
};

}  // namespace delassus
