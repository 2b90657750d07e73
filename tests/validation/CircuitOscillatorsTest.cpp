// SPDX-License-Identifier: Apache-2.0
//
// Chua's and Colpitts' oscillators from corner to corner of their elements, and a delta-sigma modulator by its map.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <delassus/delassus.hpp>
#include <support/CircuitRuns.hpp>
#include <support/Circuits.hpp>
#include <support/Colpitts.hpp>
#include <support/PiecewiseLinear.hpp>
#include <utility>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// Chua's oscillator from v₂ = 0.1 V. Between two corners it is linear: matrix exponentials, and corners by bisection.
namespace chua {

constexpr double ga = -0.76e-3, gb = -0.41e-3, corner = 1., L = 18e-3, C1 = 10e-9, C2 = 100e-9, R = 1.6e3;

Circuit circuit() {
  Circuit circuit;
  circuit.inductor("L", "b", "0", L, 0.);
  circuit.capacitor("C2", "b", "0", C2, 0.1);
  circuit.capacitor("C1", "a", "0", C1, 0.);
  circuit.resistor("R", "a", "b", R);
  circuit.piecewiseLinear("N", "a", "0", {{{-corner, -ga * corner}, {corner, ga * corner}}, gb, gb});
  return circuit;
}

// Its current is in milliamperes: numbers of one size have exponentials of few squarings.
PiecewiseLinear motion(double scan) {
  const auto mode = [](double slope, double current, std::vector<PiecewiseLinear::Guard> guards) {
    return PiecewiseLinear::Mode{makeMatrix({{0., 1e3 / L, 0.},
                                             {-1e-3 / C2, -1. / (R * C2), 1. / (R * C2)},
                                             {0., 1. / (R * C1), -(1. / R + slope) / C1}}),
                                 makeVector({0., 0., -current / C1}), std::move(guards)};
  };
  const auto guard = [](double sign, double offset, std::size_t target) {
    return PiecewiseLinear::Guard{makeVector({0., 0., sign}), offset, target};
  };
  const double offset = (ga - gb) * corner;
  return {{mode(gb, -offset, {guard(-1., -corner, 1)}), mode(ga, 0., {guard(1., corner, 0), guard(-1., corner, 2)}),
           mode(gb, offset, {guard(1., -corner, 1)})},
          scan,
          makeVector({0., 0.1, 0.}),
          1};
}

}  // namespace chua

TEST(CircuitOscillators, ChuasOscillatorIsItsMotionFromCornerToCorner) {
  const double end = 3e-3, h = 1e-5;
  PiecewiseLinear exact = chua::motion(h);  // few products: chaos makes their rounding grow
  double largest = 0.;
  NonSmoothDynamicalSystem model(0., end);
  CircuitInstance c = chua::circuit().insertInto(model, "Chua");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-13;
  options.integration.absoluteTolerance = 1e-16;
  EventDriven simulation(model, TimeDiscretisation(0., h), options);
  c.attach(simulation);
  simulation.run([&] {
    const double t = simulation.time();
    largest = std::max(largest, std::abs(c.voltage("a")));
    if (t > 2e-3) return;
    exact.advanceTo(t);
    EXPECT_NEAR(c.voltage("a"), exact.x()(2), 1e-10) << t;
    EXPECT_NEAR(c.voltage("b"), exact.x()(1), 1e-10) << t;
    EXPECT_NEAR(1e3 * c.current("L"), exact.x()(0), 1e-10) << t;
  });
  // The same in numbers of 40 digits, which leave chaos no rounding.
  EXPECT_NEAR(c.voltage("a"), -2.24517637579282691, 1e-11);
  EXPECT_NEAR(c.voltage("b"), -0.178443543279667576, 1e-11);
  EXPECT_NEAR(c.current("L"), -2.02228487202759173e-3, 1e-14);
  EXPECT_GE(exact.switchings(), 9U);
  EXPECT_GT(largest, 2. * chua::corner);
}

// Over the first passages of corners, before chaos makes errors of steps grow beyond their order.
TEST(CircuitOscillators, TimeSteppingFollowsChuasOscillatorWithItsOrder) {
  const double output = 2e-6;
  std::vector<double> steps, errors;
  for (const std::size_t parts : {50U, 100U, 200U}) {
    PiecewiseLinear exact = chua::motion(output);
    const double h = output / static_cast<double>(parts);
    double sum = 0.;
    std::size_t k = 0;
    runStepping(chua::circuit(), 1e-3, h, 1., [&](double t, const CircuitInstance& c) {
      if (++k % parts != 0) return;
      exact.advanceTo(t);
      sum += output * (std::abs(c.voltage("a") - exact.x()(2)) + std::abs(1e3 * c.current("L") - exact.x()(0)));
    });
    EXPECT_GE(exact.switchings(), 3U);
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("Chua's oscillator", steps, errors), 0.9);
}

// Colpitts' oscillator by its elements: a junction that conducts or not, and a controlled source of its current.
TEST(CircuitOscillators, ColpittsIsItsMotionFromModeToMode) {
  ColpittsParameters p;
  p.resistance = 80.;
  std::vector<PiecewiseLinear::Mode> modes(2);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const double g = mode == 0 ? 0. : 1. / p.baseResistance;
    const double sign = mode == 0 ? -1. : 1.;
    // (v_CE, v_BE, i_L), the current in milliamperes.
    modes[mode] = {makeMatrix({{0., -p.gain * g / p.capacitance1, 1e-3 / p.capacitance1},
                               {0., -(1. / p.emitterResistance + g) / p.capacitance2, -1e-3 / p.capacitance2},
                               {-1e3 / p.inductance, 1e3 / p.inductance, -p.resistance / p.inductance}}),
                   makeVector({p.gain * g * p.threshold / p.capacitance1,
                               (p.emitterSupply / p.emitterResistance + g * p.threshold) / p.capacitance2,
                               1e3 * p.collectorSupply / p.inductance}),
                   {{makeVector({0., sign, 0.}), -sign * p.threshold + 1e-15, 1 - mode}}};
  }
  const double end = 1e-4, h = 1e-7;
  PiecewiseLinear exact(std::move(modes), h, makeVector({0., 0., 0.}), 0);
  NonSmoothDynamicalSystem model(0., end);
  CircuitInstance c = circuitOfExample("colpitts", {{"r", p.resistance}}).insertInto(model, "Colpitts");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-13;
  options.integration.absoluteTolerance = 1e-16;
  EventDriven simulation(model, TimeDiscretisation(0., h), options);
  c.attach(simulation);
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    EXPECT_NEAR(c.elementVoltage("C1"), exact.x()(0), 1e-10 * p.collectorSupply) << simulation.time();
    EXPECT_NEAR(c.elementVoltage("C2"), exact.x()(1), 1e-10 * p.collectorSupply) << simulation.time();
    EXPECT_NEAR(1e3 * c.current("L1"), exact.x()(2), 1e-9) << simulation.time();
  });
  EXPECT_GT(exact.switchings(), 10U);
}

// An integrator is driven by the input and by ±1 V, the sign of its output a clock before:
//
//     v ← v − (T/RC) (u + f),   f = sign v,   so that   mean f = −u − (v_N − v₀) RC/(N T).
TEST(CircuitOscillators, ADeltaSigmaModulatorIsItsMap) {
  const double R = 1e4, C = 1e-9, T = 2e-6, u = 0.3718281828, start = 0.0514159265, rate = T / (R * C);
  const std::size_t clocks = 400;
  Circuit circuit;
  circuit.source("U", "in", "0", u);
  circuit.source("F", "feedback", "0", 1.);
  circuit.resistor("R1", "in", "m", R);
  circuit.resistor("R2", "feedback", "m", R);
  circuit.capacitor("C", "out", "m", C, start);
  circuit.opAmp("A", "0", "m", "out");
  circuit.comparator("K", "out", "0", "bit", {.low = -1., .high = 1.});
  circuit.resistor("RK", "bit", "0", R);
  const auto run = [&](auto&& way) {
    double v = start, f = 1., sum = 0.;
    std::size_t k = 0;
    const Prepare prepare = [&](ClockedSimulation& simulation, CircuitInstance& c) {
      simulation.addSampling("clock", TimeDiscretisation(T, T), [&] {
        v -= rate * (u + f);
        sum += f;
        ++k;
        EXPECT_NEAR(c.voltage("out"), v, 1e-11) << k;
        const double bit = c.voltage("bit");
        EXPECT_EQ(bit, v > 0. ? 1. : -1.) << k;
        f = bit;
        c.setSource("F", f);
      });
    };
    way(prepare);
    EXPECT_EQ(k, clocks);
    const double mean = sum / static_cast<double>(k);
    EXPECT_NEAR(mean, -u - (v - start) / (rate * static_cast<double>(k)), 1e-12);
    // v stays within a step of zero.
    EXPECT_LE(std::abs(mean + u), 2. * (1. + u) / static_cast<double>(k));
  };
  const double end = (static_cast<double>(clocks) + 0.5) * T;
  run([&](const Prepare& prepare) { runEvents(circuit, end, 5. * T, {}, prepare); });
  // Straight lines: time stepping is exact too.
  run([&](const Prepare& prepare) { runStepping(circuit, end, 0.3 * T, 1., {}, prepare); });
}

}  // namespace
