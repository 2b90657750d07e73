// SPDX-License-Identifier: Apache-2.0
//
// Runs of netlists, element by element against closed forms, by time stepping and from event to event.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <functional>
#include <numbers>
#include <string>
#include <support/AffineFlow.hpp>
#include <support/CircuitRuns.hpp>
#include <utility>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double frequency = 50., period = 1. / frequency, omega = 2. * std::numbers::pi * frequency;

// The sine of all sources SIN(0 1 50).
double unitSine(double t) {
  return std::sin(omega * t);
}

// The run of .tran in both ways, of a circuit without states: each step is algebraic, and exact to what the solver of
// its switching elements leaves, below 1e-11 of their volts.
void runBoth(const std::string& text, const AtOutput& atOutput) {
  const Netlist netlist = parseNetlist(text);
  const Circuit circuit = circuitOf(netlist);
  const double end = netlist.transient->end, step = netlist.transient->step;
  for (const bool byEvents : {false, true}) {
    if (byEvents && !withSundials) continue;
    int outputs = 0;
    const auto count = [&](double t, const CircuitInstance& c) {
      ++outputs;
      atOutput(t, c);
    };
    if (byEvents) {
      runEvents(circuit, end, step, count);
    } else {
      runStepping(circuit, end, step, 1., count);
    }
    EXPECT_GE(outputs, end / step - 1e-9);
  }
}

using Exact = std::function<double(double t)>;
using Answer = std::function<double(const CircuitInstance& circuit)>;

// From event to event the answer is `exact` to 1e-10 of `scale`; time stepping comes to it with order 1, seen to 0.05
// since terms in h² are left at 100 steps, and to 1 % in the mean with 800.
void expectFollows(const std::string& text, double scale, const Answer& answer, const Exact& exact) {
  const Netlist netlist = parseNetlist(text);
  const Circuit circuit = circuitOf(netlist);
  const double end = netlist.transient->end;
  std::vector<double> steps, errors;
  for (const double h : {end / 100., end / 200., end / 400., end / 800.}) {
    double sum = 0.;
    runStepping(circuit, end, h, 1.,
                [&](double t, const CircuitInstance& c) { sum += h * std::abs(answer(c) - exact(t)); });
    steps.push_back(h);
    errors.push_back(sum);
  }
  EXPECT_GE(observedOrder(netlist.title.c_str(), steps, errors), 0.95);
  EXPECT_LE(errors.back(), 0.01 * scale * end);
  if (!withSundials) return;
  runEvents(circuit, end, netlist.transient->step,
            [&](double t, const CircuitInstance& c) { EXPECT_NEAR(answer(c), exact(t), 1e-10 * scale) << t; });
}

// By hand, of u = 2 V sin ωt: v(a) = 3 u/4 and i(Vs) = 3 u/2 kΩ; at f the current 2 i(Vs) meets 1 kΩ, and beyond H, of
// −500 Ω · i(Vs) against f, 5 kΩ: v(f) (1 + 1/5) = 1 kΩ · 2 i(Vs) − 3 u/20.
TEST(NetlistRuns, ControlledSourcesOfAllKindsFollowASine) {
  runBoth(R"(Controlled sources
V1 in 0 SIN(0 2 50)
R1 in a 1k
R2 a 0 3k
E1 e 0 a 0 4
Vs e s 0
R3 s 0 2k
G1 0 g a e 1m
R4 g 0 4k
F1 0 f Vs 2
R5 f 0 1k
H1 h f Vs 500
R6 h 0 5k
.tran 0.7m 40m)",
          [](double t, const CircuitInstance& c) {
            const double u = 2. * unitSine(t);
            const std::pair<const char*, double> voltages[] = {
                {"a", 0.75}, {"e", 3.}, {"g", -9.}, {"f", 2.375}, {"h", 3.125}};
            for (const auto& [node, gain] : voltages) EXPECT_NEAR(c.voltage(node), gain * u, 1e-12 * 18.) << node;
            const std::pair<const char*, double> currents[] = {{"V1", -0.25e-3}, {"Vs", 1.5e-3}, {"E1", -1.5e-3},
                                                               {"G1", -2.25e-3}, {"F1", 3e-3},   {"H1", -0.625e-3}};
            for (const auto& [name, gain] : currents) EXPECT_NEAR(c.current(name), gain * u, 1e-12 * 6e-3) << name;
          });
}

// F in a subcircuit looks at the source of its own instance; outside of them one is named by its path.
TEST(NetlistRuns, CurrentsControlSourcesInSubcircuitsAndAcrossThem) {
  runBoth(R"(Amplifiers of currents
V1 in 0 SIN(0 1 50)
X1 in a amplifier
Ra a 0 2k
X2 a b amplifier
Rb b 0 1k
F2 0 c X2.Vs 5
Rc c 0 1k
.subckt amplifier p out
Vs p q 0
Rin q 0 1k
F1 0 out Vs 3
.ends
.tran 0.7m 40m)",
          [](double t, const CircuitInstance& c) {
            // 3 u/1 kΩ into 2 kΩ beside the 1 kΩ of the second amplifier makes 2 u.
            const double u = unitSine(t);
            EXPECT_NEAR(c.voltage("a"), 2. * u, 1e-12 * 2.);
            EXPECT_NEAR(c.voltage("b"), 6. * u, 1e-12 * 6.);
            EXPECT_NEAR(c.voltage("c"), 10. * u, 1e-12 * 10.);
          });
}

// L₁ i₁' + M i₂' = V − R₁ i₁ and M i₁' + L₂ i₂' = −R₂ i₂, with M = k √(L₁ L₂).
AffineFlow coupledFlow() {
  constexpr double V = 10., R1 = 5., R2 = 20., L1 = 0.01, L2 = 0.04;
  const double M = 0.8 * std::sqrt(L1 * L2), determinant = L1 * L2 - M * M;
  Matrix A(2, 2);
  A(0, 0) = -L2 * R1 / determinant;
  A(0, 1) = M * R2 / determinant;
  A(1, 0) = M * R1 / determinant;
  A(1, 1) = -L1 * R2 / determinant;
  Vector b(2);
  b(0) = L2 * V / determinant;
  b(1) = -M * V / determinant;
  return AffineFlow(A, b);
}

TEST(NetlistRuns, CoupledInductorsAnswerAStepByTheirMatrix) {
  const std::string text = R"(Coupled inductors
V1 a 0 10
R1 a b 5
L1 b 0 10m
L2 c 0 40m
K1 L1 L2 0.8
R2 c 0 20
.tran 0.1m 8m)";
  const AffineFlow flow = coupledFlow();
  expectFollows(
      text, 2., [](const CircuitInstance& c) { return c.current("L1"); }, [&](double t) { return flow.over(t).g(0); });
  expectFollows(
      text, 0.5, [](const CircuitInstance& c) { return -c.current("R2"); },
      [&](double t) { return flow.over(t).g(1); });
}

// Corners at v = −2, 0, 1, 2 and 4 V are at u = v + R i = −6, 0, 2, 2.5 and 6 V. Between 1 and 2 V the slope of the
// table is −0.5 mS, above −1/R, so that there is one solution at any u.
double voltageOfTable(double u) {
  if (u < -6.) return u + 4.;
  if (u < 0.) return u / 3.;
  if (u < 2.) return u / 2.;
  if (u < 2.5) return 1. + 2. * (u - 2.);
  if (u < 6.) return 2. + 4. / 7. * (u - 2.5);
  return u - 2.;
}

TEST(NetlistRuns, ATableIsSolvedOnEachOfItsLines) {
  runBoth(R"(Table
V1 in 0 SIN(0 10 50)
R1 in a 1k
Gp a 0 TABLE {V(a)} = (-2, -4m) (0, 0) (1, 1m) (2, 0.5m) (4, 2m)
.tran 0.1m 40m)",
          [](double t, const CircuitInstance& c) {
            const double u = 10. * unitSine(t), v = voltageOfTable(u);
            EXPECT_NEAR(c.voltage("a"), v, 1e-11) << t;
            EXPECT_NEAR(c.current("Gp"), (u - v) / 1e3, 1e-14) << t;
          });
}

// The gate is off in the first period and on in the second one.
std::string transistorText(const std::string& transistor) {
  return "Transistor\nV1 in 0 SIN(0 10 50)\nR1 in a 10\nVg g 0 PULSE(0 5 20m 0 0 1)\n" + transistor +
         "\n.tran 0.1m 40m";
}

TEST(NetlistRuns, ABodyDiodeConductsBackwardsWhileTheGateIsOff) {
  runBoth(transistorText("M1 a g 0 0 n\n.model n NMOS(vto=3 ron=1 vfwd=0.7 rd=0.5)"),
          [](double t, const CircuitInstance& c) {
            if (t > period) return;
            const double u = 10. * unitSine(t), i = std::min((u + 0.7) / 10.5, 0.);
            EXPECT_NEAR(c.current("M1"), i, 1e-11) << t;
          });
}

// v is 1 Ω · i both ways, until below −0.7 V the body diode takes its part: (u − v)/10 = v/1 + (v + 0.7)/0.5.
TEST(NetlistRuns, AChannelConductsBothWaysWhileTheGateIsOn) {
  runBoth(transistorText("M1 a g 0 0 n\n.model n NMOS(vto=3 ron=1 vfwd=0.7 rd=0.5)"),
          [](double t, const CircuitInstance& c) {
            if (t < period) return;
            const double u = 10. * unitSine(t), v = u < -7.7 ? (0.1 * u - 1.4) / 3.1 : u / 11.;
            EXPECT_NEAR(c.voltage("a"), v, 1e-10) << t;
            EXPECT_NEAR(c.current("M1"), (u - v) / 10., 1e-11) << t;
          });
}

TEST(NetlistRuns, AnIgbtConductsForwardByItsGateAndBackwardsByItsDiode) {
  runBoth(transistorText("Z1 a g 0 z\n.model z NIGBT(vto=4 ron=2 vfwd=1.5 vd=0.8 rd=0.5)"),
          [](double t, const CircuitInstance& c) {
            const double u = 10. * unitSine(t), backwards = std::min((u + 0.8) / 10.5, 0.);
            const double forward = t > period ? std::max((u - 1.5) / 12., 0.) : 0.;
            EXPECT_NEAR(c.current("Z1"), forward + backwards, 1e-11) << t;
          });
}

// Edges of 1 ms between 12 V and 0 pass the threshold of 12 V − 3 V after a quarter of them, and before the last one.
TEST(NetlistRuns, APmosAtASupplyConductsWhileItsGateIsLow) {
  runBoth(R"(PMOS
V1 s 0 12
Vg g 0 PULSE(12 0 1m 1m 1m 1m 5m)
M1 d g s s p
R1 d 0 5.5
.model p PMOS(vto=-3 ron=0.5)
.tran 0.07m 10m)",
          [](double t, const CircuitInstance& c) {
            const double within = std::fmod(t, 5e-3);
            // At the instant of an edge there are two values.
            if (std::min(std::abs(within - 1.25e-3), std::abs(within - 3.75e-3)) < 1e-9) return;
            EXPECT_NEAR(c.current("M1"), within > 1.25e-3 && within < 3.75e-3 ? 2. : 0., 1e-12) << t;
          });
}

// Its current counts from source to drain. The gate never gets 3 V below the source.
TEST(NetlistRuns, ThePmosBodyDiodeConductsFromDrainToSource) {
  runBoth(transistorText("V2 s 0 2\nM1 a g s s p\n.model p PMOS(vto=-3 vfwd=0.8 rd=1)"),
          [](double t, const CircuitInstance& c) {
            EXPECT_NEAR(c.current("M1"), -std::max((10. * unitSine(t) - 2.8) / 11., 0.), 1e-11) << t;
          });
}

TEST(NetlistRuns, AZenerDiodeClampsBothWays) {
  runBoth(R"(Zener diodes
V1 in 0 SIN(0 20 50)
R1 in a 10
D1 a 0 ideal
R2 in b 10
D2 b 0 real
R3 in c 10
D3 c m ideal
D4 0 m ideal
.model ideal D(bv=5 vfwd=0.6)
.model real D(bv=5 vfwd=0.6 ron=2)
.tran 0.1m 40m)",
          [](double t, const CircuitInstance& c) {
            const double u = 20. * unitSine(t), held = std::clamp(u, -5., 0.6);
            EXPECT_NEAR(c.voltage("a"), held, 1e-10) << t;
            // 2 Ω of 12 Ω beyond either threshold.
            EXPECT_NEAR(c.voltage("b"), held + (u - held) / 6., 1e-10) << t;
            // Back to back one breaks down, the other one conducts.
            EXPECT_NEAR(c.voltage("c"), std::clamp(u, -5.6, 5.6), 1e-10) << t;
          });
}

// 3 Ω behind a ratio of 4 are 48 Ω.
TEST(NetlistRuns, ATransformerTakesThePowerThatItGives) {
  runBoth(R"(Transformer
V1 in 0 SIN(0 100 50)
R1 in a 2
X1 a 0 p q TRANSFORMER RATIO=4
R2 p q 3
.tran 0.7m 40m)",
          [](double t, const CircuitInstance& c) {
            const double i = 100. * unitSine(t) / 50.;
            EXPECT_NEAR(c.voltage("a"), 48. * i, 1e-12 * 96.);
            EXPECT_NEAR(c.current("X1.1"), i, 1e-12 * 2.);
            EXPECT_NEAR(c.current("X1.2"), -4. * i, 1e-12 * 8.);
            EXPECT_NEAR(c.power("X1.1") + c.power("X1.2"), 0., 1e-12 * 192.);
          });
}

// Turned around it steps up, and its primary has no current while the diode behind it blocks.
TEST(NetlistRuns, ADiodeBehindATransformerBlocksItsPrimary) {
  runBoth(R"(Transformer and rectifier
V1 in 0 SIN(0 10 50)
R1 in a 1
X1 a 0 0 p TRANSFORMER RATIO=0.5
D1 p q d
R2 q 0 16
.model d D(vfwd=1)
.tran 0.1m 40m)",
          [](double t, const CircuitInstance& c) {
            // v(p) = −2 v(a), i₁ = −i₂/0.5: at the secondary −2 u − 1 V drive 16 Ω + 4 · 1 Ω.
            const double i = std::max(-20. * unitSine(t) - 1., 0.) / 20.;
            EXPECT_NEAR(c.current("D1"), i, 1e-11) << t;
            EXPECT_NEAR(c.current("X1.1"), -2. * i, 1e-11) << t;
          });
}

constexpr double tauRC = 1e-3;

// The voltage of a capacitor of 1 µF behind 1 kΩ and a source, which starts at that of the source.
void expectCharges(const std::string& source, const std::string& start, const Exact& exact) {
  expectFollows(
      "RC and " + source + "\nV1 in 0 " + source + "\nR1 in a 1k\nC1 a 0 1u IC=" + start + "\n.tran 0.1m 10m", 4.,
      [](const CircuitInstance& c) { return c.voltage("a"); }, exact);
}

// What it makes of 1 − e^(−t/τ), from 0 on.
double answerToExponential(double t, double tau) {
  return t < 0. ? 0. : 1. - (tau * std::exp(-t / tau) - tauRC * std::exp(-t / tauRC)) / (tau - tauRC);
}

TEST(NetlistRuns, AnExponentialSourceChargesACapacitor) {
  expectCharges("EXP(1 5 1m 2m 6m 0.5m)", "1", [](double t) {
    return 1. + 4. * (answerToExponential(t - 1e-3, 2e-3) - answerToExponential(t - 6e-3, 0.5e-3));
  });
}

// What it makes of a ramp, from 0 on.
double answerToRamp(double t) {
  return t < 0. ? 0. : t + tauRC * std::expm1(-t / tauRC);
}

TEST(NetlistRuns, StraightLinesAndAJumpChargeACapacitor) {
  expectCharges("PWL(0 0 1m 5 3m 5 4m -2 6m -2 6m 1)", "0", [](double t) {
    return 5e3 * (answerToRamp(t) - answerToRamp(t - 1e-3)) - 7e3 * (answerToRamp(t - 3e-3) - answerToRamp(t - 4e-3)) +
           3. * std::max(-std::expm1((6e-3 - t) / tauRC), 0.);
  });
}

// The dual of a capacitor across a source: no state, so that each step is exact.
TEST(NetlistRuns, AnInductorInSeriesWithASmoothCurrentTakesItsRate) {
  runBoth(R"(Forced current
I1 0 a SIN(0 2 50)
L1 a b 10m
R1 b 0 3
.tran 0.7m 40m)",
          [](double t, const CircuitInstance& c) {
            const double i = 2. * unitSine(t), v = 0.01 * 2. * omega * std::cos(omega * t);
            EXPECT_NEAR(c.current("L1"), i, 1e-12 * 2.) << t;
            EXPECT_NEAR(c.voltage("L1"), v, 1e-12 * 6.3) << t;
          });
}

// L₂ i₂' + R₂ i₂ = −M I ω cos ωt from i₂ = 0: a sine of that amplitude over |R₂ + jωL₂|, and what begins it decays.
TEST(NetlistRuns, AForcedCurrentInducesThatOfACoupledInductor) {
  const std::string text = R"(Forced primary
I1 0 a SIN(0 2 50)
L1 a 0 10m
L2 c 0 40m
K1 L1 L2 0.5
R2 c 0 20
.tran 0.5m 20m)";
  constexpr double M = 0.01, L2 = 0.04, R2 = 20.;
  const double amplitude = M * 2. * omega / std::hypot(R2, omega * L2), phase = std::atan(omega * L2 / R2);
  expectFollows(
      text, amplitude, [](const CircuitInstance& c) { return c.current("L2"); },
      [=](double t) { return -amplitude * (std::cos(omega * t - phase) - std::cos(phase) * std::exp(-R2 / L2 * t)); });
}

}  // namespace
