// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <string>
#include <support/Circuits.hpp>

namespace delassus::test {

DiodeBridge::DiodeBridge(double end, double resistance) : model(0., end) {
  const double conductance = 1. / resistance;
  oscillator = std::make_shared<FirstOrderLinearTIDS>(makeVector({10., 0.}),
                                                      makeMatrix({{0., -1. / capacitance}, {1. / inductance, 0.}}));
  const Matrix C = makeMatrix({{0., 0.}, {0., 0.}, {-1., 0.}, {1., 0.}});
  const Matrix D = makeMatrix(
      {{conductance, conductance, -1., 0.}, {conductance, conductance, 0., -1.}, {1., 0., 0., 0.}, {0., 1., 0., 0.}});
  const Matrix B = makeMatrix({{0., 0., -1. / capacitance, 1. / capacitance}, {0., 0., 0., 0.}});
  bridge = std::make_shared<Interaction>(ComplementarityConditionNSL(4), FirstOrderLinearTIR(C, D, B));
  model.insert(oscillator);
  model.link(bridge, oscillator);
}

Circuit circuitOfExample(const std::string& name, const std::vector<std::pair<std::string, double>>& parameters) {
  const NetlistDocument document =
      NetlistDocument::fromFile(std::string(DELASSUS_EXAMPLES) + '/' + name + '/' + name + ".cir");
  return circuitOf(document.netlist(parameters));
}

DiodeLadder::DiodeLadder(std::size_t count, double end) : model(0., end) {
  for (std::size_t i = 0; i < count; ++i) {
    stages.push_back(std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-0.1}})));
    model.insert(stages.back());
    FirstOrderLinearR relation = i == 0 ? FirstOrderLinearR(makeMatrix({{1.}}), makeMatrix({{1.}}))
                                        : FirstOrderLinearR(makeMatrix({{-1., 1.}}), makeMatrix({{-1.}, {1.}}));
    const double phase = static_cast<double>(i);
    relation.setD(makeMatrix({{0.1}})).setE([phase](double t, Vector& e) { e(0) = -std::sin(t + phase); });
    diodes.push_back(std::make_shared<Interaction>(ComplementarityConditionNSL(), relation));
    if (i == 0) {
      model.link(diodes.back(), stages[0]);
    } else {
      model.link(diodes.back(), stages[i - 1], stages[i]);
    }
  }
}

Circuit makeDiodeLadder(std::size_t stages) {
  Circuit circuit;
  std::string below = "0";
  for (std::size_t k = 1; k <= stages; ++k) {
    const std::string n = std::to_string(k);
    circuit.source("V" + n, "s" + n, below, sine(1., 0.5 / M_PI, static_cast<double>(k - 1)));
    circuit.diode("D" + n, "s" + n, "n" + n, {.resistance = 0.1});
    circuit.capacitor("C" + n, "n" + n, "0", 1.);
    circuit.resistor("R" + n, "n" + n, "0", 10.);
    below = "n" + n;
  }
  return circuit;
}

Circuit makeClampedLine(std::size_t nodes, double resistance) {
  Circuit circuit;
  std::string before = "0";
  for (std::size_t k = 1; k <= nodes; ++k) {
    const std::string n = std::to_string(k);
    circuit.resistor("R" + n, before, "n" + n, resistance);
    circuit.capacitor("C" + n, "n" + n, "0", 1.);
    circuit.diode("D" + n, "n" + n, "0", {.threshold = 0.2, .resistance = 0.1});
    circuit.currentSource("I" + n, "0", "n" + n, sine(1., 0.5 / M_PI, static_cast<double>(k)));
    before = "n" + n;
  }
  return circuit;
}

RelayOscillator::RelayOscillator(double end) : model(0., end) {
  const double xi = -0.07, omega = 10., pole = 0.05, sigma = -1., rho = 1., gain = 1.;
  oscillator = std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0.5, 0.}),
                                                      makeMatrix({{-(2. * xi * omega + pole), 1., 0.},
                                                                  {-(2. * xi * omega * pole + omega * omega), 0., 1.},
                                                                  {-pole * omega * omega, 0., 0.}}));
  relay = std::make_shared<Interaction>(
      RelayNSL(1), FirstOrderLinearTIR(makeMatrix({{1., 0., 0.}}),
                                       makeMatrix({{gain}, {2. * gain * sigma * rho}, {gain * rho * rho}})));
  model.insert(oscillator);
  model.link(relay, oscillator);
}

// λ = −1, λ = 1, and sliding with λ = −C A x / (C B), x₁ = 0.
PiecewiseLinear RelayOscillator::exact() {
  const Matrix A = makeMatrix({{1.35, 1., 0.}, {-99.93, 0., 1.}, {-5., 0., 0.}});
  const Vector b = makeVector({1., -2., 1.});
  // λ = −(1.35 x₁ + x₂)
  Matrix sliding = A;
  for (std::size_t i = 0; i < 3; ++i) {
    sliding(i, 0) -= b(i) * 1.35;
    sliding(i, 1) -= b(i);
  }
  const Vector y = makeVector({1., 0., 0.});
  const double margin = 1e-14;
  std::vector<PiecewiseLinear::Mode> modes;
  modes.push_back({A, Vector(-b), {{y, margin, 2, {}}}});  // y > 0
  modes.push_back({A, b, {{Vector(-y), margin, 2, {}}}});  // y < 0
  modes.push_back(
      {sliding,
       makeVector({0., 0., 0.}),
       {{makeVector({-1.35, -1., 0.}), 1. + margin, 0, {}}, {makeVector({1.35, 1., 0.}), 1. + margin, 1, {}}}});
  return PiecewiseLinear(std::move(modes), 1. / 512., makeVector({0., 0.5, 0.}), 2);
}

}  // namespace delassus::test
