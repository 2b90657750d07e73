// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/GyratorLaw.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/TransducerR.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <memory>
#include <support/Matchers.hpp>

namespace delassus::test {

/// y = q of a system with one coordinate.
inline const LagrangianLinearTIR coordinate(makeMatrix({{1.}}));

/// A motor, L i̇ = u − R i − k ω, that turns a shaft, J ω̇ = k i − b ω. Beside i the circuit has a
/// state that the motor does not see, τ ẋ₂ = i − x₂.
struct Motor {
  static constexpr double L = 2e-3, R = 0.8, k = 0.05, J = 1e-4, b = 2e-4, u = 12., lag = 0.05;

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> circuit;
  std::shared_ptr<LagrangianLinearTIDS> shaft;

  explicit Motor(double end = 0.1) : model(0., end) {
    circuit = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.1, 0.}), makeMatrix({{-R, 0.}, {1., -1.}}),
                                                     makeVector({u, 0.}));
    circuit->setM(makeMatrix({{L, 0.}, {0., lag}}));
    shaft = std::make_shared<LagrangianLinearTIDS>(
        makeVector({0.2}), makeVector({-3.}),
        LagrangianLinearTIDS::Matrices{.M = makeMatrix({{J}}), .C = makeMatrix({{b}})});
    model.insert("circuit", circuit);
    model.insert("shaft", shaft);
    model.link("motor", GyratorLaw(k), TransducerR(1, coordinate), SystemPart(circuit, 0, 1), shaft);
  }
};

}  // namespace delassus::test
