// SPDX-License-Identifier: Apache-2.0
//
// Converters that are started in their periodic motion, which is known exactly: matrix exponentials of each piece, and
// a fixed point of their product.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <functional>
#include <numbers>
#include <support/AffineFlow.hpp>
#include <support/CircuitRuns.hpp>
#include <support/PeriodicMotion.hpp>
#include <utility>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double pi = std::numbers::pi;

// The Ćuk converter, x = (i₁, v₁, i₂, v): currents of the inductors towards the node between, voltages of the capacitor
// between them and of the load, whose sign is turned.
namespace cuk {

constexpr double V = 12., L1 = 1e-4, L2 = 1.5e-4, C1 = 1e-5, C2 = 2e-5, period = 1e-5, duty = 0.4;

AffineFlow whileOn(double R) {
  return {
      makeMatrix(
          {{0., 0., 0., 0.}, {0., 0., -1. / C1, 0.}, {0., 1. / L2, 0., -1. / L2}, {0., 0., 1. / C2, -1. / (R * C2)}}),
      makeVector({V / L1, 0., 0., 0.})};
}

AffineFlow whileOff(double R) {
  return {
      makeMatrix(
          {{0., -1. / L1, 0., 0.}, {1. / C1, 0., 0., 0.}, {0., 0., 0., -1. / L2}, {0., 0., 1. / C2, -1. / (R * C2)}}),
      makeVector({V / L1, 0., 0., 0.})};
}

// Neither conducts: i₁ = −i₂ flows through both inductors.
AffineFlow whileIdle(double R) {
  const double L = L1 + L2;
  return {makeMatrix({{0., -1. / L, 0., 1. / L},
                      {1. / C1, 0., 0., 0.},
                      {0., 1. / L, 0., -1. / L},
                      {0., 0., 1. / C2, -1. / (R * C2)}}),
          makeVector({V / L, 0., -V / L, 0.})};
}

Circuit circuit(double R, const Vector& start) {
  Circuit circuit;
  circuit.source("V", "in", "0", V);
  circuit.inductor("L1", "in", "x", L1, start(0));
  circuit.idealSwitch("S", "x", "0", Gate::pulses({.period = period, .width = duty * period}));
  circuit.capacitor("C1", "x", "y", C1, start(1));
  circuit.diode("D", "y", "0");
  circuit.inductor("L2", "out", "y", L2, start(2));
  circuit.capacitor("C2", "0", "out", C2, start(3));
  circuit.resistor("R", "out", "0", R);
  return circuit;
}

void expectMotion(const PeriodicMotion& motion, double R) {
  const Vector scales = makeVector({1., V, 1., V});
  double sum = 0., lowest = 1e9, highest = -1e9;
  std::size_t count = 0;
  const double h = 0.01 * period;
  runEvents(circuit(R, motion.start), 10. * period, h, [&](double t, const CircuitInstance& c) {
    const Vector exact = motion.at(t);
    const double values[] = {c.current("L1"), c.elementVoltage("C1"), c.current("L2"), c.elementVoltage("C2")};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(values[i], exact(i), 1e-10 * scales(i)) << i << ' ' << t;
    if (t > 9. * period * 1.000001) {
      sum += values[3];
      ++count;
    }
    lowest = std::min(lowest, values[0]);
    highest = std::max(highest, values[0]);
  });
  EXPECT_EQ(count, 100U);
  // The source alone drives i₁ while the switch is on: its ripple is V D T/L₁.
  EXPECT_NEAR(highest - lowest, V * duty * period / L1, 1e-10);
}

// Mean error of the first current and the output over three periods.
void expectOrder(const char* title, const PeriodicMotion& motion, double R) {
  std::vector<double> steps, errors;
  for (const double h : {period / 100., period / 200., period / 400.}) {
    double sum = 0.;
    runStepping(circuit(R, motion.start), 3. * period, h, 1., [&](double t, const CircuitInstance& c) {
      const Vector exact = motion.at(t);
      sum += h * (std::abs(c.current("L1") - exact(0)) + std::abs(c.elementVoltage("C2") - exact(3)));
    });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder(title, steps, errors), 0.9);
}

}  // namespace cuk

TEST(CircuitPeriodic, CukConverterInContinuousConduction) {
  using namespace cuk;
  const double R = 5.;
  PeriodicMotion motion{{{whileOn(R), duty * period}, {whileOff(R), (1. - duty) * period}}, {}};
  motion.start = motion.map().fixedPoint();
  expectMotion(motion, R);
  expectOrder("Cuk converter, continuous", motion, R);
  double sum = 0., lowest = 1e9, highest = 0.;
  for (int k = 0; k < 400; ++k) {
    const double v = motion.at(k * period / 400.)(3);
    sum += v / 400.;
    lowest = std::min(lowest, v);
    highest = std::max(highest, v);
  }
  // Of small ripple: ratio D/(1 − D), and Δv = Δi₂ T/(8 C₂), Δi₂ = V D T/L₂.
  EXPECT_NEAR(sum, duty / (1. - duty) * V, 1e-3 * V);
  EXPECT_NEAR(highest - lowest, V * duty * period * period / (8. * L2 * C2), 0.03 * (highest - lowest));
}

TEST(CircuitPeriodic, CukConverterInDiscontinuousConduction) {
  using namespace cuk;
  const double R = 200.;
  const auto motionFor = [&](double fall) {
    PeriodicMotion motion{
        {{whileOn(R), duty * period}, {whileOff(R), fall}, {whileIdle(R), (1. - duty) * period - fall}}, {}};
    motion.start = motion.map().fixedPoint();
    return motion;
  };
  // The current of the diode, i₁ + i₂, ends after `fall`.
  double below = 0.01 * period, above = 0.59 * period;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (below + above);
    const Vector start = motionFor(middle).start;
    (start(0) + start(2) > 0. ? below : above) = middle;
  }
  const PeriodicMotion motion = motionFor(below);
  EXPECT_NEAR(motion.start(0) + motion.start(2), 0., 1e-12);
  expectMotion(motion, R);
  expectOrder("Cuk converter, discontinuous", motion, R);
  // Of small ripple: D/√K, K = 2 L/(R T) with both inductors in parallel.
  const double K = 2. * L1 * L2 / (L1 + L2) / (R * period);
  EXPECT_NEAR(motion.start(3), V * duty / std::sqrt(K), 2e-3 * motion.start(3));
}

// The class-E amplifier, x = (i of the choke, v of the switch, i of the load, v of the series capacitor). Its network
// is such that the voltage of the switch comes back to zero with a zero slope when it closes (Sokal and Sokal 1975).
namespace classE {

constexpr double V = 10., frequency = 1e6, period = 1. / frequency, w = 2. * pi * frequency, R = 8., quality = 10.;
constexpr double L0 = quality * R / w, choke = 2000. * R / w;

struct Network {
  double shunt, series, load = R;

  AffineFlow whileOn() const {
    return {makeMatrix({{0., 0., 0., 0.}, {0., 0., 0., 0.}, {0., 0., -load / L0, -1. / L0}, {0., 0., 1. / series, 0.}}),
            makeVector({V / choke, 0., 0., 0.})};
  }
  AffineFlow whileOff() const {
    return {makeMatrix({{0., -1. / choke, 0., 0.},
                        {1. / shunt, 0., -1. / shunt, 0.},
                        {0., 1. / L0, -load / L0, -1. / L0},
                        {0., 0., 1. / series, 0.}}),
            makeVector({V / choke, 0., 0., 0.})};
  }
  /// The voltage of the switch is zero when it closes, whatever it was before.
  PeriodicMotion motion() const {
    PeriodicMotion result{{{whileOn(), 0.5 * period}, {whileOff(), 0.5 * period}}, {}};
    AffineMap map = result.map();
    for (std::size_t j = 0; j < 4; ++j) map.Phi(1, j) = 0.;
    map.g(1) = 0.;
    result.start = map.fixedPoint();
    return result;
  }
  /// Just before the switch closes.
  Vector end() const {
    const PeriodicMotion all = motion();
    return all.map()(all.start);
  }
  Circuit circuit() const {
    const Vector start = motion().start;
    Circuit circuit;
    circuit.source("V", "in", "0", V);
    circuit.inductor("choke", "in", "x", choke, start(0));
    circuit.idealSwitch("S", "x", "0", Gate::pulses({.period = period, .width = 0.5 * period}));
    circuit.capacitor("C", "x", "0", shunt, 0.);
    circuit.inductor("L", "x", "y", L0, start(2));
    circuit.capacitor("Cs", "y", "z", series, start(3));
    circuit.resistor("R", "z", "0", load);
    return circuit;
  }
};

// Newton's method for v = 0 and v̇ = 0 where the switch closes, from Sokal's formulas.
Network nominal(const Network& guess) {
  const auto residual = [](const Network& n) {
    const Vector x = n.end();
    return makeVector({x(1) / V, (x(0) - x(2)) * R / V});
  };
  Network n = guess;
  for (int k = 0; k < 8; ++k) {
    const Vector r = residual(n);
    const double part = 1e-6;
    Network byShunt = n, bySeries = n;
    byShunt.shunt *= 1. + part;
    bySeries.series *= 1. + part;
    const Vector a = (residual(byShunt) - r) / part, b = (residual(bySeries) - r) / part;
    const double determinant = a(0) * b(1) - b(0) * a(1);
    n.shunt *= 1. - (r(0) * b(1) - b(0) * r(1)) / determinant;
    n.series *= 1. - (a(0) * r(1) - r(0) * a(1)) / determinant;
  }
  return n;
}

// N. O. Sokal, Class-E RF power amplifiers, QEX, January 2001: formulas fitted to a numerical solution, to within 0.2 %
// of it for a choke that is large.
const Network sokal = {
    (0.99866 + 0.91424 / quality - 1.03175 / (quality * quality)) / (34.2219 * frequency * R) + 0.6 / (w * w * choke),
    (1.00121 + 1.01468 / (quality - 1.7879)) / (w * R * (quality - 0.104823)) - 0.2 / (w * w * choke)};

std::vector<Event> expectMotion(const Network& network, std::size_t periods) {
  const PeriodicMotion motion = network.motion();
  NonSmoothDynamicalSystem model(0., static_cast<double>(periods) * period - 1e-9 * period);
  CircuitInstance c = network.circuit().insertInto(model, "amplifier");
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  EventDriven simulation(model, TimeDiscretisation(0., 0.0173 * period), options);
  c.attach(simulation);
  simulation.run([&] {
    const double t = simulation.time();
    const Vector exact = motion.at(t);
    const double values[] = {c.current("choke"), c.voltage("x"), c.current("L"), c.elementVoltage("Cs")};
    const double scales[] = {V / R, V, V / R, V};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(values[i], exact(i), 1e-10 * scales[i]) << i << ' ' << t / period;
  });
  std::vector<Event> jumps;
  for (const Event& event : simulation.events()) {
    if (event.kind == EventKind::stateJump) jumps.push_back(event);
  }
  return jumps;
}

double largest(const Vector& impulse) {
  double most = 0.;
  for (const double p : impulse) most = std::max(most, std::abs(p));
  return most;
}

// Means over a period, by Simpson's rule in each half.
double meanOf(const PeriodicMotion& motion, const std::function<double(const Vector&)>& f) {
  const int n = 2000;
  double sum = 0.;
  for (int half = 0; half < 2; ++half) {
    for (int k = 0; k <= n; ++k) {
      const double weight = k == 0 || k == n ? 1. : k % 2 == 1 ? 4. : 2.;
      // Within the half: the voltage of the switch jumps at its end.
      const double t = (half + (1. - 1e-9) * k / n) * 0.5 * period;
      sum += weight * f(motion.at(t)) / (6. * n);
    }
  }
  return sum;
}

}  // namespace classE

TEST(CircuitPeriodic, ClassEAmplifierClosesAtZeroVoltageAndSlope) {
  using namespace classE;
  const Network network = nominal(sokal);
  EXPECT_NEAR(network.end()(1), 0., 1e-11 * V);
  EXPECT_NEAR(network.end()(0), network.end()(2), 1e-11 * V / R);
  EXPECT_NEAR(network.shunt, sokal.shunt, 0.01 * sokal.shunt);
  EXPECT_NEAR(network.series, sokal.series, 0.01 * sokal.series);
  // The switch closes on a voltage of rounding, and takes no charge.
  for (const Event& jump : expectMotion(network, 4)) EXPECT_LE(largest(jump.impulse), 1e-11 * network.shunt * V);
  const PeriodicMotion motion = network.motion();
  const double power = meanOf(motion, [](const Vector& x) { return R * x(2) * x(2); });
  EXPECT_NEAR(power, V * meanOf(motion, [](const Vector& x) { return x(0); }), 1e-7 * power);
  const double expected = V * V / R * 0.576801 * (1.001245 - 0.451759 / quality - 0.402444 / (quality * quality));
  EXPECT_NEAR(power, expected, 0.01 * expected);
}

// With a larger load the voltage has not come back: the switch takes the charge of its capacitor, ½ C v² of energy.
TEST(CircuitPeriodic, ClassEAmplifierOffItsLoadLosesTheChargeOfItsCapacitor) {
  using namespace classE;
  Network network = nominal(sokal);
  network.load = 1.5 * R;
  const double v = network.end()(1);
  ASSERT_GT(std::abs(v), 0.1 * V);
  const std::vector<Event> jumps = expectMotion(network, 4);
  ASSERT_EQ(jumps.size(), 3U);
  EXPECT_NEAR(largest(jumps[0].impulse), network.shunt * std::abs(v), 1e-9 * network.shunt * V);
  const PeriodicMotion motion = network.motion();
  const double given = V * meanOf(motion, [](const Vector& x) { return x(0); });
  const double taken = meanOf(motion, [&](const Vector& x) { return network.load * x(2) * x(2); });
  std::vector<double> steps, errors;
  for (const double h : {period / 200., period / 400., period / 800.}) {
    double sum = 0.;
    runStepping(network.circuit(), 2.5 * period, h, 1.,
                [&](double t, const CircuitInstance& c) { sum += h * std::abs(c.current("L") - motion.at(t)(2)); });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("class E", steps, errors), 0.9);
  EXPECT_NEAR(given - taken, 0.5 * network.shunt * v * v * frequency, 1e-6 * given);
}

}  // namespace
