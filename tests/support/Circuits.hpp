// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>
#include <string>
#include <support/PiecewiseLinear.hpp>
#include <utility>
#include <vector>

// First-order models that tests and benchmarks share.
namespace delassus::test {

/// An LC oscillator (x = voltage and current) that drives a bridge of four ideal diodes with the load R: λ are two
/// diode currents and two diode voltages, such that one problem of size 4 says it all. From 10 V, L = 10 mH, C = 1 µF.
struct DiodeBridge {
  explicit DiodeBridge(double end, double resistance = 1e3);

  static constexpr double inductance = 1e-2;
  static constexpr double capacitance = 1e-6;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> oscillator;
  std::shared_ptr<Interaction> bridge;
};

/// The circuit of examples/NAME/NAME.cir, with these values of its parameters.
Circuit circuitOfExample(const std::string& name, const std::vector<std::pair<std::string, double>>& parameters = {});

/// N stages, each a capacitor with a leak, behind each other with a diode and a source between neighbours:
/// v̇_i = λ_i − λ_{i+1} − v_i / 10 and 0 ≤ v_i − v_{i−1} − sin(t + i) + λ_i / 10 ⟂ λ_i ≥ 0, v_0 = 0. Each stage is a
/// system, and all along the ladder the diodes open and close in each period.
struct DiodeLadder {
  DiodeLadder(std::size_t stages, double end);

  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<FirstOrderLinearTIDS>> stages;
  std::vector<std::shared_ptr<Interaction>> diodes;
};

/// The same circuit by its elements: sources V1, …, diodes D1, …, capacitors C1, … at nodes n1, …
Circuit makeDiodeLadder(std::size_t stages);

/// A line of nodes n1, … that resistors join, each with a capacitor of 1 F, a diode that clamps it at 0.2 V, and a
/// current that varies.
Circuit makeClampedLine(std::size_t nodes, double resistance);

/// A third-order oscillator under relay feedback (ξ = −0.07, ω = 10, λ_r = 0.05, σ = −1, ρ = k = 1) that slides.
struct RelayOscillator {
  explicit RelayOscillator(double end);

  /// Its motion mode by mode.
  static PiecewiseLinear exact();

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> oscillator;
  std::shared_ptr<Interaction> relay;
};

}  // namespace delassus::test
