// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <support/Motor.hpp>

namespace delassus::test {

/// A motor behind a chopper, L i̇ = b − R i − k ω + λ, 0 ≤ i ⟂ λ ≥ 0: the switch puts V on it, and while it is open the
/// current goes on through a diode until it has come to zero; then λ is the voltage k ω of the motor.
struct Chopper {
  static constexpr double L = 2e-3, R = 0.8, k = 0.05, J = 1e-5, friction = 2e-5, V = 24., period = 1e-3;

  static double source(double t) { return std::fmod(t + 1e-9, period) < 0.3 * period ? V : 0.; }

  NonSmoothDynamicalSystem model{0., 0.04};
  std::shared_ptr<FirstOrderLinearTIDS> circuit;
  std::shared_ptr<LagrangianLinearTIDS> shaft;
  std::shared_ptr<Interaction> diode;

  Chopper() {
    circuit = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-R}}));
    circuit->setM(makeMatrix({{L}}));
    circuit->setB([](double t, Vector& b) { b(0) = source(t); });
    shaft = std::make_shared<LagrangianLinearTIDS>(
        makeVector({0.}), makeVector({0.}),
        LagrangianLinearTIDS::Matrices{.M = makeMatrix({{J}}), .C = makeMatrix({{friction}})});
    model.insert("shaft", shaft);
    model.insert("circuit", circuit);
    model.link("motor", GyratorLaw(k), TransducerR(1, coordinate), circuit, shaft);
    diode = model.link("diode", ComplementarityConditionNSL(),
                       FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})), circuit);
  }

  void addStop() {
    model.link("stop", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({0.5})), shaft);
  }
};

/// The same as one first-order system of (i, φ, ω).
inline std::shared_ptr<FirstOrderLinearTIDS> chopperAsOneSystem() {
  const auto system = std::make_shared<FirstOrderLinearTIDS>(
      makeVector({0., 0., 0.}),
      makeMatrix({{-Chopper::R, 0., -Chopper::k}, {0., 0., 1.}, {Chopper::k, 0., -Chopper::friction}}));
  system->setM(diagonalMatrix({Chopper::L, 1., Chopper::J}));
  system->setB([](double t, Vector& b) { b(0) = Chopper::source(t); });
  return system;
}

}  // namespace delassus::test
