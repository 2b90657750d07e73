// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>

namespace delassus {

/// A linear relation between first-order systems that schemes of mechanics integrate as velocities (FlowAsMotion),
///
///     y = C x + D λ + e,     r = B λ,
///
/// as one of mechanics: its rates are C x + e, there are no positions, and G = C. What makes it another one is said by
/// input(), since B is not Cᵀ, and feedthrough(). The interaction has y and λ of level 0 after a step, as under
/// EulerMoreauOSI; no initial multipliers are looked for.
class FlowRelation final : public SecondOrderR {
 public:
  /// Of a relation that must outlive this, between systems of `states` in all. Throws Error beginning with `label` if
  /// it is not linear.
  FlowRelation(FirstOrderR& relation, std::size_t states, const std::string& label);

  std::string_view className() const override { return relation_.className(); }
  std::size_t size() const override { return relation_.size(); }
  std::size_t parameterChanges() const override { return relation_.parameterChanges(); }
  bool isTimeDependent() const override { return true; }
  bool isLinear() const override { return relation_.isTimeInvariant(); }
  void computeOutput(double, const Vector&, const Vector&, Vector&) override {}
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeDrift(double t, const Vector& q, Vector& drift) override;
  void checkConfiguration(double, const Vector&, const std::string&) override {}

  /// Bᵀ at t, outputs x states: how multipliers act.
  const Matrix& input(double t);
  /// D at t; zeros without feedthrough.
  const Matrix& feedthrough(double t);

 private:
  FirstOrderR& relation_;
  Vector noState_, noMultiplier_;
  Matrix B_, input_, D_;
};

}  // namespace delassus
