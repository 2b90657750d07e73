// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>

/// Parameters of the rectifier, SI units: a transformer of 12 V (17 V peak), 50 Hz.
struct RectifierParameters {
  double amplitude = 17.;       ///< V̂, V
  double frequency = 50.;       ///< Hz
  double inductance = 1e-3;     ///< L of the source, H
  double resistance = 0.5;      ///< r of the source, Ω
  double capacitance = 2.2e-3;  ///< C of the filter, F
  double load = 20.;            ///< R, Ω
  double end = 0.2;             ///< s
};

/// The matrices of the example: a bridge of four ideal diodes between a sinusoidal source and a filter capacitor with a
/// load, x = (i, v): the current of the source and the voltage of the capacitor. λ = (i₂, i₄, v − v_a, v − v_b), y =
/// (v_a, v_b, i₁, i₃); its README.md has the equations.
struct Rectifier {
  explicit Rectifier(const RectifierParameters& parameters) : p(parameters), model(0., parameters.end) {
    using namespace delassus;
    const double L = p.inductance, C = p.capacitance;
    circuit = std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0.}),
                                                     makeMatrix({{-p.resistance / L, 0.}, {0., -1. / (p.load * C)}}));
    model.insert("circuit", circuit);
    const double peak = p.amplitude / L, omega = angularFrequency();
    circuit->setB([peak, omega](double t, Vector& b) { b(0) = peak * std::sin(omega * t); });
    bridge = model.link(
        "bridge", ComplementarityConditionNSL(4),
        FirstOrderLinearTIR(makeMatrix({{0., 1.}, {0., 1.}, {1., 0.}, {-1., 0.}}),
                            makeMatrix({{0., 0., -1., 0.}, {0., 0., 0., -1.}, {1., 0., 0., 0.}, {0., 1., 0., 0.}}),
                            makeMatrix({{0., 0., 1. / L, -1. / L}, {1. / C, 1. / C, 0., 0.}})),
        circuit);
  }

  double angularFrequency() const { return 2. * M_PI * p.frequency; }
  double sourceCurrent() const { return circuit->x()(0); }
  double outputVoltage() const { return circuit->x()(1); }

  const RectifierParameters p;
  delassus::NonSmoothDynamicalSystem model;
  std::shared_ptr<delassus::FirstOrderLinearTIDS> circuit;
  std::shared_ptr<delassus::Interaction> bridge;
};
