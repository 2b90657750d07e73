// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>

namespace delassus {

/// A first-order system M ẋ = F(t, x) + r as one of mechanics without coordinates whose velocity is x, so that schemes
/// integrate it with the mechanical systems that force elements tie it to: M (x⁺ − x) = hθF⁺ + h(1 − θ)F + p.
///
/// It has a copy of the state: takeState() reads it, and accept() gives the accepted state back.
class FlowAsMotion final : public SecondOrderDS {
 public:
  /// Of a system that must outlive this. Throws Error naming it if M is not constant, symmetric and positive definite,
  /// or F depends on ẋ.
  explicit FlowAsMotion(FirstOrderDS& flow);

  /// Takes in a state and parameters that were set: then stateResets() and parameterChanges() change.
  void takeState();

  std::string_view className() const override { return flow_.className(); }
  void serializeState(StateArchive& archive) override;
  void accept(double before, Vector& q, Vector& v, Vector& p) override;
  void setAcceleration(const Vector&) override {}
  bool isLinear() const override { return flow_.isTimeInvariant(); }
  bool hasConstantMass() const override { return true; }
  void move(const Vector&, const Vector&, Vector&) const override {}
  void computeRate(const Vector&, const Vector&, Vector&) const override {}
  void rates(const Vector& q, Matrix& T) const override;

 private:
  void requireMechanical();
  bool takeMatrices();
  void computeMass(const Vector& q, Matrix& mass) override;
  void computeForces(double t, const Vector& q, const Vector& v, Vector& force) override;
  void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) override;
  void storeMass(const Vector& q, SquareMatrix& mass) override;
  void storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV) override;

  FirstOrderDS& flow_;
  MadeFrom<std::size_t> stateFrom_, matricesFrom_;  // stateResets and parameterChanges of the flow
  SquareMatrix mass_, byX_;  // at the last change of parameters; byX_ is empty where it is not constant
  Vector noRate_, x_, r_;
  SquareMatrix byRate_;
};

}  // namespace delassus
