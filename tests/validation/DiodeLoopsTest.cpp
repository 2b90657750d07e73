// SPDX-License-Identifier: Apache-2.0
//
// Loops of sources, capacitors and ideal diodes without resistors, event-driven, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <numbers>

namespace {

using namespace delassus;

constexpr double pi = std::numbers::pi;
constexpr double amplitude = 10.;  // of the source, V

// A source 10 V sin ωt, a capacitor to a node, a diode from ground to the node and one from it to the output capacitor.
TEST(DiodeLoops, AVoltageDoublerChargesFromRest) {
  const double C = 1e-6;
  for (const double frequency : {50., 1e3, 2e4}) {
    const double omega = 2. * pi * frequency;
    auto capacitors = std::make_shared<FirstOrderLinearTIDS>(Vector(2), Matrix(2, 2));
    FirstOrderLinearR relation(makeMatrix({{1., 0.}, {-1., 1.}}), makeMatrix({{1. / C, -1. / C}, {0., 1. / C}}));
    relation.setE([=](double t, Vector& e) {
      e(0) = amplitude * std::sin(omega * t);
      e(1) = -e(0);
    });
    NonSmoothDynamicalSystem model(0., 2. / frequency);
    model.insert(capacitors);
    auto diodes = model.link("diodes", ComplementarityConditionNSL(2), relation, capacitors);
    EventDriven simulation(model, 0.25 / frequency);
    // Both share the charge while the source rises, and the first is charged by the ground while it is negative.
    const double first[] = {0., -5., 0., 10., 7.5, 2.5, 2.5, 10., 10.};
    const double second[] = {0., 5., 5., 5., 7.5, 12.5, 12.5, 12.5, 12.5};
    simulation.run([&] {
      const auto quarter = static_cast<std::size_t>(std::lround(4. * frequency * simulation.time()));
      EXPECT_NEAR(capacitors->x()(0), first[quarter], 1e-8) << frequency << ' ' << quarter;
      EXPECT_NEAR(capacitors->x()(1), second[quarter], 1e-8) << frequency << ' ' << quarter;
    });
    // The diodes open where the source is largest and close where it has come back.
    const double instants[] = {0.25, 5. / 12., 0.75, 11. / 12., 1.25, 1.5 + std::asin(0.25) / (2. * pi), 1.75};
    ASSERT_EQ(simulation.events().size(), std::size(instants)) << frequency;
    for (std::size_t k = 0; k < std::size(instants); ++k) {
      EXPECT_NEAR(simulation.events()[k].t * frequency, instants[k], 1e-8) << frequency << ' ' << k;
    }
  }
}

// A source, a diode, and a capacitor with a resistor beside it: x follows the source until ωt = π − atan ωRC, and
// decays until the source is above it again.
TEST(DiodeLoops, AHalfWaveRectifierFollowsItsSource) {
  const double C = 1e-3;
  for (const double R : {100., 1e5, 1e9}) {
    for (const double frequency : {50., 60., 100., 400., 1e3}) {
      const double omega = 2. * pi * frequency;
      const double opens = (pi - std::atan(omega * R * C)) / omega;
      const auto exact = [=](double t) {
        const double source = amplitude * std::sin(omega * t);
        if (t <= opens) return source;
        const double since = std::fmod(t - opens, 1. / frequency);
        return std::max(source, amplitude * std::sin(omega * opens) * std::exp(-since / (R * C)));
      };
      auto capacitor = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-1. / (R * C)}}));
      FirstOrderLinearR relation(makeMatrix({{1.}}), makeMatrix({{1. / C}}));
      relation.setE([=](double t, Vector& e) { e(0) = -amplitude * std::sin(omega * t); });
      NonSmoothDynamicalSystem model(0., 5. / frequency);
      model.insert(capacitor);
      auto diode = model.link("diode", ComplementarityConditionNSL(1), relation, capacitor);
      EventDriven simulation(model, 0.03 / frequency);
      // The tolerance of the integration over five periods. A source that rises above the capacitor by 1e-8 of its
      // amplitude alone may be seen a period late.
      const double tolerance = 1e-8 + (R == 1e9 ? 2. * amplitude / (R * C * frequency) : 0.);
      simulation.run([&] {
        EXPECT_NEAR(capacitor->x()(0), exact(simulation.time()), tolerance) << R << ' ' << frequency;
        EXPECT_GE(diode->y(0)(0), -tolerance);
        EXPECT_GE(diode->lambda(0)(0), -1e-12);
      });
      EXPECT_GE(simulation.events().size(), R == 1e9 ? 3u : 8u) << R << ' ' << frequency;
    }
  }
}

}  // namespace
