// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>

/// Parameters of the Colpitts oscillator, SI units; the defaults are near those of Kennedy, 1994.
struct ColpittsParameters {
  double collectorSupply = 5.;      ///< V_CC, V
  double emitterSupply = 5.;        ///< V_EE, V: the emitter is pulled to −V_EE
  double resistance = 35.;          ///< R in series with L, Ω
  double inductance = 98.5e-6;      ///< L, H
  double capacitance1 = 54e-9;      ///< C₁, collector to emitter, F
  double capacitance2 = 54e-9;      ///< C₂, base to emitter, F
  double emitterResistance = 400.;  ///< R_EE, Ω
  double gain = 200.;               ///< β, collector current over base current
  double baseResistance = 100.;     ///< R_on of the conducting junction, Ω
  double threshold = 0.75;          ///< V_th of the junction, V
  double end = 1e-3;                ///< s
};

/// The matrices of the example: the oscillator with a transistor of two pieces, x = (v_CE, v_BE, i_L), λ = i_B. The
/// README.md of the example has the equations.
struct Colpitts {
  explicit Colpitts(const ColpittsParameters& parameters) : p(parameters), model(0., parameters.end) {
    using namespace delassus;
    const double L = p.inductance, C1 = p.capacitance1, C2 = p.capacitance2;
    circuit = std::make_shared<FirstOrderLinearTIDS>(
        makeVector({0., 0., 0.}),
        makeMatrix({{0., 0., 1. / C1},
                    {0., -1. / (p.emitterResistance * C2), -1. / C2},
                    {-1. / L, 1. / L, -p.resistance / L}}),
        makeVector({0., p.emitterSupply / (p.emitterResistance * C2), p.collectorSupply / L}));
    model.insert("circuit", circuit);
    FirstOrderLinearTIR relation(makeMatrix({{0., -1., 0.}}), makeMatrix({{p.baseResistance}}),
                                 makeMatrix({{-p.gain / C1}, {-1. / C2}, {0.}}));
    relation.setE(makeVector({p.threshold}));
    junction = model.link("junction", ComplementarityConditionNSL(), relation, circuit);
  }

  const ColpittsParameters p;
  delassus::NonSmoothDynamicalSystem model;
  std::shared_ptr<delassus::FirstOrderLinearTIDS> circuit;
  std::shared_ptr<delassus::Interaction> junction;
};
