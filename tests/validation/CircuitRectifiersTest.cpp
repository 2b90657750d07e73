// SPDX-License-Identifier: Apache-2.0
//
// Rectifiers as circuits against closed forms, by time stepping with its order and from event to event.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/delassus.hpp>
#include <numbers>
#include <string>
#include <support/Bisection.hpp>
#include <support/CircuitRuns.hpp>
#include <support/ElementLaws.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double pi = std::numbers::pi;
constexpr double frequency = 50., period = 1. / frequency, omega = 2. * pi * frequency;
constexpr double amplitude = 325.;

TEST(CircuitRectifiers, HalfWaveWithAResistorFollowsTheSourceWhilePositive) {
  LawfulCircuit circuit;
  circuit.source("V", "in", "0", sine(amplitude, frequency));
  circuit.diode("D", "in", "out", {});
  circuit.resistor("R", "out", "0", 10.);
  const auto check = [&](double t, const CircuitInstance& c) {
    circuit.expectLaws(c, t, 1e-9);
    // No state: each step is algebraic, and exact.
    EXPECT_NEAR(c.voltage("out"), std::max(amplitude * std::sin(omega * t), 0.), 1e-9);
    EXPECT_NEAR(c.current("D"), c.voltage("out") / 10., 1e-10);
  };
  runStepping(circuit.circuit, 2. * period, 1e-4, 1., check);
  runEvents(circuit.circuit, 2. * period, 1e-4, check);
}

// i = I (sin(ωt − φ) + sin φ e^(−t/τ)) until it ends at the angle β of conduction, found by bisection.
TEST(CircuitRectifiers, HalfWaveWithAnInductorConductsUntilItsCurrentEnds) {
  const double R = 10., L = 0.05, phi = std::atan(omega * L / R), I = amplitude / std::hypot(R, omega * L);
  const auto current = [&](double t) { return I * (std::sin(omega * t - phi) + std::sin(phi) * std::exp(-R / L * t)); };
  const double end = bisect(0.5 * period, 0.999 * period, current);
  Circuit circuit;
  circuit.source("V", "in", "0", sine(amplitude, frequency));
  circuit.diode("D", "in", "a");
  circuit.resistor("R", "a", "b", R);
  circuit.inductor("L", "b", "0", L);
  const auto exact = [&](double t) {
    const double phase = t - period * std::floor(t / period * (1. + 1e-14));
    return phase < end ? current(phase) : 0.;
  };
  runEvents(circuit, 2. * period, 1e-4,
            [&](double t, const CircuitInstance& c) { EXPECT_NEAR(c.current("L"), exact(t), 1e-10 * I) << t; });
  std::vector<double> steps, errors;
  for (const double h : {2e-4, 1e-4, 5e-5, 2.5e-5}) {
    double sum = 0.;
    runStepping(circuit, period, h, 1.,
                [&](double t, const CircuitInstance& c) { sum += h * std::abs(c.current("L") - exact(t)); });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("half wave, RL", steps, errors), 0.95);
}

// The capacitor follows the source until the diode's current ends, at tan ωt = −ωRC, and discharges until the source
// reaches it again.
TEST(CircuitRectifiers, HalfWaveWithACapacitorConductsBetweenTwoAngles) {
  const double R = 100., C = 1e-4;
  const double stop = (pi - std::atan(omega * R * C)) / omega;
  const double held = amplitude * std::sin(omega * stop);
  const double start = bisect(stop + 1e-4, period + 0.2499 * period, [&](double t) {
    return held * std::exp((stop - t) / (R * C)) - amplitude * std::sin(omega * t);
  });
  Circuit circuit;
  circuit.source("V", "in", "0", sine(amplitude, frequency));
  circuit.diode("D", "in", "out");
  circuit.capacitor("C", "out", "0", C);
  circuit.resistor("R", "out", "0", R);
  const auto exact = [&](double t) {
    if (t <= stop) return amplitude * std::sin(omega * t);
    const double within = t < start ? t : t - period;
    if (t >= start && t <= stop + period) return amplitude * std::sin(omega * t);
    return held * std::exp((stop - within) / (R * C));
  };
  runEvents(circuit, 2. * period, 1e-4, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.voltage("out"), exact(t), 1e-10 * amplitude) << t;
  });
  std::vector<double> steps, errors;
  for (const double h : {2e-4, 1e-4, 5e-5, 2.5e-5}) {
    double sum = 0.;
    runStepping(circuit, 2. * period, h, 1.,
                [&](double t, const CircuitInstance& c) { sum += h * std::abs(c.voltage("out") - exact(t)); });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("half wave, RC", steps, errors), 0.95);
}

TEST(CircuitRectifiers, PeakDetectorHoldsThePeak) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(1., frequency));
  circuit.diode("D", "in", "out");
  circuit.capacitor("C", "out", "0", 1e-6);
  const auto check = [](double t, const CircuitInstance& c) {
    const double peak = t < 0.25 * period ? std::sin(omega * t) : 1.;
    EXPECT_NEAR(c.voltage("out"), peak, 1e-10) << t;
  };
  runEvents(circuit, period, 1e-4, check);
  // The grid has the peak.
  runStepping(circuit, period, 1e-4, 1., check);
}

// A multiplier by Cockcroft and Walton: node "l" of stage k hangs on the source by k + 1 capacitors, node "h" on
// ground, and charge climbs from one chain to the other by a diode each. Capacitors are smaller from stage to stage by
// the factor `taper`.
constexpr std::size_t stages = 4;

double stageCapacitance(double taper, std::size_t k) {
  return 1e-6 * std::pow(taper, static_cast<double>(k));
}

Circuit multiplier(double taper) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(1., frequency));
  std::string low = "in", high = "0";
  for (std::size_t k = 0; k < stages; ++k) {
    const std::string n = std::to_string(k);
    const std::string nextLow = "l" + n, nextHigh = "h" + n;
    circuit.capacitor("CL" + n, low, nextLow, stageCapacitance(taper, k));
    circuit.capacitor("CH" + n, high, nextHigh, stageCapacitance(taper, k));
    circuit.diode("DL" + n, high, nextLow);
    circuit.diode("DH" + n, nextLow, nextHigh);
    low = nextLow;
    high = nextHigh;
  }
  return circuit;
}

// Its voltages at the ends of swings of the source. A diode that conducts in a swing does so until its end, so that the
// charges of a swing are those of one complementarity problem, solved by passes over the diodes until none changes its
// voltage.
class ChargePump {
 public:
  explicit ChargePump(double taper) : taper_(taper) {}

  void swingTo(double u) {
    for (double& v : low_) v += u - u_;
    u_ = u;
    std::array<double, 2 * stages> charge = {};
    for (double change = 1.; change > 1e-14;) {  // rounding of the volts of all stages
      change = 0.;
      for (std::size_t d = 0; d < 2 * stages; ++d) change = std::max(change, pass(d, charge.at(d)));
    }
  }
  double low(std::size_t k) const { return low_.at(k); }
  double high(std::size_t k) const { return high_.at(k); }

 private:
  using Chain = std::array<double, stages>;

  // Volts at node i of a chain by a coulomb at its node k.
  double elastance(std::size_t i, std::size_t k) const {
    double sum = 0.;
    for (std::size_t j = 0; j <= std::min(i, k); ++j) sum += 1. / stageCapacitance(taper_, j);
    return sum;
  }
  void add(Chain& chain, std::size_t k, double charge) const {
    for (std::size_t i = 0; i < stages; ++i) chain.at(i) += charge * elastance(i, k);
  }
  // Diode 2 k leads from node k − 1 of the upper chain to node k of the lower one, diode 2 k + 1 from there up. Returns
  // by how many volts it has changed.
  double pass(std::size_t d, double& charge) {
    const std::size_t k = d / 2;
    const bool up = d % 2 == 1, fromGround = d == 0;
    const std::size_t h = up ? k : k - 1;
    const double upper = fromGround ? 0. : high_.at(h), forward = up ? low_.at(k) - upper : upper - low_.at(k);
    const double both = elastance(k, k) + (fromGround ? 0. : elastance(h, h));
    const double next = std::max(charge + forward / both, 0.);
    const double change = next - charge;
    add(low_, k, up ? -change : change);
    if (!fromGround) add(high_, h, up ? change : -change);
    charge = next;
    return both * std::abs(change);
  }

  double taper_, u_ = 0.;
  Chain low_ = {}, high_ = {};
};

// Compares all nodes at the ends of swings, where outputs are four a period or a multiple of that.
AtOutput pumpedLike(ChargePump& exact, std::size_t outputsOfPeriod) {
  return [&exact, quarter = outputsOfPeriod / 4, k = std::size_t{0}](double t, const CircuitInstance& c) mutable {
    if (++k % (2 * quarter) != quarter) return;
    exact.swingTo((k / quarter) % 4 == 1 ? 1. : -1.);
    for (std::size_t i = 0; i < stages; ++i) {
      EXPECT_NEAR(c.voltage("l" + std::to_string(i)), exact.low(i), 1e-10) << t;
      EXPECT_NEAR(c.voltage("h" + std::to_string(i)), exact.high(i), 1e-10) << t;
    }
  };
}

TEST(CircuitRectifiers, CockcroftWaltonMultiplierPumpsItsChargesSwingBySwing) {
  for (const double taper : {1., 0.25}) {
    ChargePump exact(taper);
    runEvents(multiplier(taper), 40. * period, 0.25 * period, pumpedLike(exact, 4));
    // What charge a swing brings does not depend on its steps.
    for (const std::size_t n : {4U, 100U}) {
      ChargePump again(taper);
      runStepping(multiplier(taper), 20. * period, period / static_cast<double>(n), 1., pumpedLike(again, n));
      EXPECT_GT(again.high(stages - 1), 4.);
    }
  }
}

// Small capacitors above are charged soon: by a sixth of what is missing in each period. Outputs are at the peaks too.
TEST(CircuitRectifiers, CockcroftWaltonMultiplierChargesToTwiceTheAmplitudeAStage) {
  double out = 0.;
  runEvents(multiplier(0.25), 200. * period, 0.25 * period,
            [&](double, const CircuitInstance& c) { out = c.voltage("h3"); });
  EXPECT_NEAR(out, 2. * static_cast<double>(stages), 1e-10);
}

// With a load there are differential equations, and time stepping has its order beside the run from event to event.
TEST(CircuitRectifiers, CockcroftWaltonMultiplierWithALoadHasTheOrderOfItsSteps) {
  Circuit circuit = multiplier(1.);
  circuit.resistor("R", "h" + std::to_string(stages - 1), "0", 1e6);
  const double outputs = period / 50., end = 4. * period;
  std::vector<double> exact;
  runEvents(circuit, end, outputs, [&](double, const CircuitInstance& c) { exact.push_back(c.voltage("R")); });
  std::vector<double> steps, errors;
  for (const std::size_t parts : {2U, 4U, 8U, 16U}) {
    std::size_t k = 0;
    double sum = 0.;
    runStepping(circuit, end, outputs / static_cast<double>(parts), 1., [&](double, const CircuitInstance& c) {
      if (++k % parts == 0) sum += outputs * std::abs(c.voltage("R") - exact.at(k / parts - 1));
    });
    ASSERT_EQ(k, exact.size() * parts);
    steps.push_back(outputs / static_cast<double>(parts));
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("multiplier with a load", steps, errors), 0.9);
}

// An LC circuit with a thyristor swings for half a period and stays: v = V (1 − cos ωt), i = V √(C/L) sin ωt.
TEST(CircuitRectifiers, ThyristorLetsAResonantCircuitSwingOnce) {
  const double L = 1e-3, C = 1e-6, V = 10., w = 1. / std::sqrt(L * C), fire = 5e-5;
  Circuit circuit;
  circuit.source("V", "in", "0", V);
  circuit.thyristor("T", "in", "a", Gate::pulses({.period = 1., .width = 1e-5, .delay = fire}));
  circuit.inductor("L", "a", "out", L);
  circuit.capacitor("C", "out", "0", C);
  const auto exact = [&](double t) {
    const double angle = std::clamp(w * (t - fire), 0., pi);
    return V * (1. - std::cos(angle));
  };
  runEvents(circuit, 3e-4, 1e-6, [&](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.voltage("out"), exact(t), 1e-9) << t;
    const double i = w * (t - fire) < pi && t > fire ? V * std::sqrt(C / L) * std::sin(w * (t - fire)) : 0.;
    EXPECT_NEAR(c.current("L"), i, 1e-10) << t;
  });
  double last = 0.;
  runStepping(circuit, 3e-4, 1e-7, 0.5, [&](double, const CircuitInstance& c) { last = c.voltage("out"); });
  EXPECT_NEAR(last, 2. * V, 1e-3);
  std::vector<double> steps, errors;
  for (const double h : {4e-7, 2e-7, 1e-7, 5e-8}) {
    double sum = 0.;
    runStepping(circuit, 3e-4, h, 1.,
                [&](double t, const CircuitInstance& c) { sum += h * std::abs(c.voltage("out") - exact(t)); });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder("LC with a thyristor", steps, errors), 0.95);
}

// Across a load: from its gate to the end of that half wave it takes all current, and then none,
// since it has no gate again. Where it stops its current is a sum of terms that cancel.
TEST(CircuitRectifiers, AThyristorThatHasStoppedWaitsForItsGate) {
  const double V = 10., fire = 2e-3, stop = 1e-2;
  for (int k = 0; k < 12; ++k) {
    const double R0 = 7. + 0.31 * k, R1 = 11. + 0.7 * k, R2 = 15.3 + 0.37 * k, R = R1 * R2 / (R1 + R2);
    Circuit circuit;
    circuit.source("V", "s", "0", sine(V, 50.));
    circuit.resistor("R0", "s", "a", R0);
    circuit.resistor("R1", "a", "0", R1);
    circuit.resistor("R2", "a", "0", R2);
    circuit.thyristor("T", "a", "0", Gate::pulses({.period = 1., .width = 1e-3, .delay = fire}));
    circuit.resistor("Rl", "s", "b", 0.01 + 0.0013 * k);
    circuit.inductor("L", "b", "0", 1e-2);
    const auto check = [&](double t, const CircuitInstance& c) {
      const double free = V * std::sin(2. * pi * 50. * t) * R / (R0 + R);
      EXPECT_NEAR(c.voltage("a"), t > fire && t < stop ? 0. : free, 1e-10 * V) << k << " at " << t;
    };
    runEvents(circuit, 0.035, 1.03e-4, check);
    runStepping(circuit, 0.035, 1.03e-4, 1., [&](double t, const CircuitInstance& c) {
      if (t > stop + 2e-4) check(t, c);
    });
  }
}

// V – R₀ – C₁ – R – (C₂ beside a diode to ground): the diode holds v₂ = 0 until v₁ passes zero, where v₂ has no rate
// and falls as t².
TEST(CircuitRectifiers, ADiodeLetsGoOfACapacitorThatLeavesTangentially) {
  for (const int k : {0, 98, 200, 331}) {
    Circuit circuit;
    circuit.source("V", "s", "0", sine(1., 0.2 + 0.0013 * k));
    circuit.resistor("R0", "s", "n1", 0.15 + 0.0017 * k);
    circuit.capacitor("C1", "n1", "0", 0.5 + 0.005 * k);
    circuit.resistor("R", "n1", "n2", 0.4 + 0.003 * k);
    circuit.capacitor("C2", "n2", "0", 0.05 + 0.001 * k);
    circuit.diode("D", "n2", "0");
    std::vector<double> v1, v2;
    NonSmoothDynamicalSystem model(0., 8.);
    CircuitInstance instance = circuit.insertInto(model, "circuit");
    EventDriven simulation(model, TimeDiscretisation(0., 0.11));
    instance.attach(simulation);
    simulation.run([&] {
      v1.push_back(instance.voltage("n1"));
      v2.push_back(instance.voltage("n2"));
    });
    std::size_t next = 0;
    runStepping(circuit, 8., 1e-3, 1., [&](double t, const CircuitInstance& c) {
      if (next == v2.size() || std::abs(t - 0.11 * static_cast<double>(next + 1)) > 1e-6) return;
      EXPECT_NEAR(c.voltage("n1"), v1.at(next), 5e-3) << k << " at " << t;
      EXPECT_NEAR(c.voltage("n2"), v2.at(next), 5e-3) << k << " at " << t;
      ++next;
    });
    EXPECT_EQ(next, 72U) << k;
  }
}

// The same equations at 50 Hz and at a terahertz: events of a run of 0.3 ns do not come at once.
TEST(CircuitRectifiers, ARunOfTrillionsOfPeriodsASecondHasItsOwnScale) {
  const auto meanAt = [](double f) {
    const double V = 10., R = 50.;
    Circuit circuit;
    circuit.source("V", "a", "0", sine(V, f));
    circuit.resistor("R1", "a", "b", R);
    circuit.diode("D", "b", "c");
    circuit.capacitor("C", "c", "0", 1. / (R * f));
    circuit.resistor("R2", "c", "0", R);
    double sum = 0.;
    runEvents(circuit, 300. / f, 0.37 / f, [&](double, const CircuitInstance& c) { sum += c.voltage("c"); });
    return sum * 0.37 / 300.;
  };
  const double slow = meanAt(50.);
  EXPECT_NEAR(meanAt(1e12), slow, 1e-6 * slow);
}

}  // namespace
