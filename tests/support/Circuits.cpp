// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
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

}  // namespace delassus::test
