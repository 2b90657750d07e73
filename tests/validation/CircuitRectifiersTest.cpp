// SPDX-License-Identifier: Apache-2.0
//
// Rectifiers as circuits against closed forms, by time stepping with its order and from event to event.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>
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

// The zero of f between a and b, where it has different signs.
double bisect(double a, double b, const std::function<double(double)>& f) {
  const double sign = f(a) > 0. ? 1. : -1.;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (a + b);
    (sign * f(middle) > 0. ? a : b) = middle;
  }
  return 0.5 * (a + b);
}

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

// A bridge rectifies the magnitude; the source's current flows through two diodes.
TEST(CircuitRectifiers, FullWaveBridgeGivesTheMagnitude) {
  Circuit circuit;
  circuit.source("V", "a", "b", sine(amplitude, frequency));
  circuit.diode("D1", "a", "p");
  circuit.diode("D2", "b", "p");
  circuit.diode("D3", "0", "a");
  circuit.diode("D4", "0", "b");
  circuit.resistor("R", "p", "0", 10.);
  const auto check = [](double t, const CircuitInstance& c) {
    const double u = amplitude * std::sin(omega * t);
    EXPECT_NEAR(c.voltage("p"), std::abs(u), 1e-9);
    EXPECT_NEAR(c.current("V"), -u / 10., 1e-10);
    EXPECT_NEAR(c.current("D1"), std::max(u, 0.) / 10., 1e-10);
  };
  runStepping(circuit, 2. * period, 1.1e-4, 1., check);
  runEvents(circuit, 2. * period, 1.1e-4, check);
}

Circuit threePhases() {
  Circuit circuit;
  for (int k = 0; k < 3; ++k) {
    const std::string phase(1, static_cast<char>('a' + k));
    circuit.source("V" + phase, phase, "n", sine(amplitude, frequency, -2. * pi * k / 3.));
  }
  return circuit;
}

// Two diodes in series with the load carry the largest line-to-line voltage.
TEST(CircuitRectifiers, ThreePhaseBridgeHasTheMeanOfSixPulses) {
  const double resistance = 0.1, load = 10.;
  Circuit circuit = threePhases();
  for (const std::string phase : {"a", "b", "c"}) {
    circuit.diode("D" + phase + "p", phase, "p", {.resistance = resistance});
    circuit.diode("D" + phase + "m", "m", phase, {.resistance = resistance});
  }
  circuit.resistor("R", "p", "m", load);
  double sum = 0.;
  std::size_t count = 0;
  runStepping(circuit, period, period / 3600., 1., [&](double t, const CircuitInstance& c) {
    if (t == 0.) return;
    sum += c.voltage("R");
    ++count;
  });
  const double ideal = 3. / pi * std::sqrt(3.) * amplitude;
  const double mean = sum / static_cast<double>(count);
  // Commutation from phase to phase overlaps where two diodes share the current; with R alone it is at once. The
  // quadrature of the six pulses on 3,600 points is exact to 1e-6.
  EXPECT_NEAR(mean, ideal * load / (load + 2. * resistance), 0.02);
}

// The mean of a bridge of six thyristors with a smooth current is V cos α.
TEST(CircuitRectifiers, SixThyristorsGiveTheMeanOfTheirFiringAngle) {
  const double R = 10., L = 0.5;
  for (const double alpha : {pi / 6., pi / 3.}) {
    Circuit circuit = threePhases();
    for (int k = 0; k < 3; ++k) {
      const std::string phase(1, static_cast<char>('a' + k));
      const double fire = (pi / 6. + 2. * pi * k / 3. + alpha) / omega;
      const double width = period / 3.;  // so that two are on at any time, from the start
      circuit.thyristor("T" + phase + "p", phase, "p", Gate::pulses({period, width, fire - period}));
      circuit.thyristor("T" + phase + "m", "m", phase, Gate::pulses({period, width, fire - 1.5 * period}));
    }
    const double ideal = 3. / pi * std::sqrt(3.) * amplitude * std::cos(alpha);
    circuit.resistor("R", "p", "x", R);
    circuit.inductor("L", "x", "m", L, ideal / R);
    const double h = period / 1200.;
    for (const bool byEvents : {false, true}) {
      double sum = 0.;
      std::size_t count = 0;
      const auto add = [&](double t, const CircuitInstance& c) {
        if (t < period * 1.0001) return;
        // The mean voltage of the load is that of the resistor where the current is periodic.
        sum += c.voltage("R") + c.voltage("L");
        ++count;
      };
      if (byEvents) {
        runEvents(circuit, 2. * period, h, add);
      } else {
        runStepping(circuit, 2. * period, h, 1., add);
      }
      // Jumps at the firing count on one side: half a step of each of six pulses.
      EXPECT_NEAR(sum / static_cast<double>(count), ideal, 0.01 * ideal) << byEvents;
    }
  }
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

// n stages of a multiplier charge to 2 n times the amplitude; small capacitors at the output charge last.
TEST(CircuitRectifiers, CockcroftWaltonMultiplierChargesToTwiceTheAmplitudeAStage) {
  const int stages = 3;
  Circuit circuit;
  circuit.source("V", "in", "0", sine(1., frequency));
  std::string low = "in", high = "0";
  for (int k = 0; k < stages; ++k) {
    const std::string n = std::to_string(k);
    const std::string nextLow = "l" + n, nextHigh = "h" + n;
    circuit.capacitor("CL" + n, low, nextLow, 1e-6);
    circuit.capacitor("CH" + n, high, nextHigh, 1e-6);
    circuit.diode("DL" + n, high, nextLow);
    circuit.diode("DH" + n, nextLow, nextHigh);
    low = nextLow;
    high = nextHigh;
  }
  double out = 0.;
  runStepping(circuit, 120. * period, period / 100., 1.,
              [&](double, const CircuitInstance& c) { out = c.voltage("h2"); });
  // Charge flows up geometrically; after 120 periods less than a per cent is missing.
  EXPECT_NEAR(out, 2. * stages, 0.06);
  EXPECT_LE(out, 2. * stages + 1e-9);
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
