// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <delassus/Config.hpp>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/circuits/netlist/NetlistMeter.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "NetlistMutator.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// The measures of a netlist after its .tran.
template <class MakeSimulation>
std::vector<double> measuresOf(const std::string& text, const MakeSimulation& makeSimulation) {
  const Netlist netlist = parseNetlist(text);
  NonSmoothDynamicalSystem model(0., netlist.transient->end);
  CircuitInstance circuit = insertNetlist(netlist, model, "circuit");
  auto simulation = makeSimulation(model, netlist.transient->step);
  circuit.attach(*simulation);
  NetlistMeter meter(netlist.measures, 0., netlist.transient->end, [&](const NetlistSignal& signal) {
    return circuit.probe((signal.kind == NetlistSignal::Kind::voltage ? "v(" : "i(") + signal.first +
                         (signal.second == "0" ? "" : "," + signal.second) + ")");
  });
  simulation->run([&] { meter.look(simulation->time()); });
  std::vector<double> values;
  for (std::size_t k = 0; k < netlist.measures.size(); ++k) values.push_back(meter.value(k));
  return values;
}

std::vector<double> byTimeStepping(const std::string& text) {
  return measuresOf(text, [](NonSmoothDynamicalSystem& model, double step) {
    return std::make_unique<TimeStepping>(model, step, EulerMoreauOSI(1.));
  });
}

// Means and extremes of a resistive divider and of a diode without any state are those of the source, to the O(h²) of
// straight lines between 2,000 instants a period.
TEST(CircuitOfNetlist, RectifiesHalfAWave) {
  const std::string text = R"(Half-wave rectifier
V1 in 0 SIN(0 10 50)
D1 in out d
R1 out 0 5
L1 in 0 1
.model d D
.tran 10u 40m
.meas mean AVG V(out)
.meas rms RMS V(out)
.meas top MAX V(out)
.meas low MIN V(in,out)
.meas charge INTEG I(D1) from=0 to=10m
.meas power AVG V(out)*I(R1)
)";
  const std::vector<double> found = byTimeStepping(text);
  EXPECT_NEAR(found[0], 10. / std::numbers::pi, 1e-4);
  EXPECT_NEAR(found[1], 5., 1e-4);
  EXPECT_NEAR(found[2], 10., 1e-4);
  EXPECT_NEAR(found[3], -10., 1e-4);
  EXPECT_NEAR(found[4], 2. * 0.02 / (2. * std::numbers::pi) * 2., 1e-7);
  EXPECT_NEAR(found[5], 5., 1e-3);
}

const std::string buckText = R"(Buck converter
V1 in 0 12
Vg g 0 PULSE(0 1 0 0 0 2u 5u)
S1 in sw g 0 s
D1 0 sw d
L1 sw out 10u IC=2.4
C1 out 0 22u IC=4.8
R1 out 0 2
.model s SW(vt=0.5)
.model d D
.tran 50n 1m
.meas mean AVG V(out) from=0.5m
)";

// In continuous conduction the mean is d V = 0.4 · 12 V.
TEST(CircuitOfNetlist, SwitchesWhereItsGateDriveJumps) {
  EXPECT_NEAR(byTimeStepping(buckText)[0], 4.8, 0.005);
}

TEST(CircuitOfNetlist, SwitchesAlikeFromEventToEvent) {
  if (!withSundials) GTEST_SKIP() << "the library is built without SUNDIALS";
  const std::vector<double> found = measuresOf(buckText, [](NonSmoothDynamicalSystem& model, double step) {
    return std::make_unique<EventDriven>(model, TimeDiscretisation(0., step));
  });
  EXPECT_NEAR(found[0], 4.8, 0.002);
}

// The drive reaches the switch through another source, so that its jumps are those of a voltage that is watched.
TEST(CircuitOfNetlist, SwitchesWhereAVoltageThatIsWatchedJumps) {
  std::string text = buckText;
  text.replace(text.find("Vg g 0"), 6, "Eg g 0 g0 0 1\nVg g0 0");
  EXPECT_NEAR(byTimeStepping(text)[0], 4.8, 0.005);
  if (!withSundials) GTEST_SKIP() << "the library is built without SUNDIALS";
  const std::vector<double> found = measuresOf(text, [](NonSmoothDynamicalSystem& model, double step) {
    return std::make_unique<EventDriven>(model, TimeDiscretisation(0., step));
  });
  EXPECT_NEAR(found[0], 4.8, 0.002);
}

// Complementary switches of one drive: by thresholds that are swapped, and by the voltage to a supply. Their mean is
// 0.4 · 12 V, less what 10 mΩ take of 2.4 A.
TEST(CircuitOfNetlist, SwitchesBothSwitchesOfALegAtOnce) {
  const std::string leg = R"(Leg
V1 in 0 12
Vg g 0 PULSE(0 5 0 0 0 8u 20u)
Vh in h PULSE(0 5 0 0 0 8u 20u)
L1 x o 10u
C1 o 0 100u
R1 o 0 2
.model high SW(VT=2.5 RON=10m)
.model low SW(VON=2 VOFF=3 RON=10m)
.ic V(o)=4.8
.tran 0.1u 4m
.meas mean AVG V(o) from=3m
)";
  for (const char* const gates : {"S1 in x g 0 high\nS2 x 0 g 0 low\n", "S1 in x in h high\nS2 x 0 h 0 away\n"}) {
    std::string text = leg;
    // The voltage of h is 12 V less the drive.
    text.insert(text.find("L1"), gates + std::string(".model away SW(VT=9 RON=10m)\n"));
    EXPECT_NEAR(byTimeStepping(text)[0], 4.8 / (1. + 0.01 / 2.), 1e-3) << gates;
  }
}

// Instants at which a gate is told to change, by the numbers of its drive: v rises through 3 at 1 ms + 0.75 · 0.4 ms
// and falls through 1 at 1.4 ms + 2 ms + 0.75 · 0.8 ms.
TEST(CircuitOfNetlist, SwitchesAtTheThresholdsOfItsGateDrive) {
  const std::string drive = R"(Hysteresis
V1 in 0 1
Vg g 0 PULSE(0 4 1m 0.4m 0.8m 2m 10m)
S1 in out g 0 s
R1 out 0 1
C1 in 0 1
.model s SW(vt=2 vh=1)
.tran 10u 20m
.meas first INTEG V(out) to=10m
.meas both INTEG V(out)
)";
  const std::vector<double> found = byTimeStepping(drive);
  // The value at the end of a step of 10 µs in which the switch changes counts as a straight line over it.
  EXPECT_NEAR(found[0], 4e-3 - 1.3e-3, 1e-5);
  EXPECT_NEAR(found[1], 2. * (4e-3 - 1.3e-3), 2e-5);
}

TEST(CircuitOfNetlist, StartsAtItsInitialValues) {
  const std::string text = R"(Initial values
R1 a 0 1k
C1 a 0 1u
L1 b 0 1m
R2 b 0 1
C2 c 0 1u IC=3
R3 c 0 1k
C4 d e 1u
R4 d 0 1k
R5 e 0 3k
.ic V(d)=8
.ic V(a)=5 I(L1)=2
.tran 1n 2n
.meas a MAX V(a)
.meas i MAX I(L1)
.meas c MAX V(c)
.meas d MAX V(d)
.meas de MAX V(d,e)
)";
  const std::vector<double> found = byTimeStepping(text);
  EXPECT_NEAR(found[0], 5., 1e-4);
  EXPECT_NEAR(found[1], 2., 1e-4);
  EXPECT_NEAR(found[2], 3., 1e-4);
  EXPECT_NEAR(found[3], 2., 1e-4);
  EXPECT_NEAR(found[4], 8., 1e-4);
}

TEST(CircuitOfNetlist, HasEveryElement) {
  const Netlist netlist = parseNetlist(R"(Every element
V1 a 0 EXP(0 1 1u 2u)
R1 a b 1
C1 b 0 1u
L1 b c 1m
L2 d 0 1m
K1 L1 L2 0.5
R2 c 0 1
R3 d 0 1
E1 e 0 b 0 2
R4 e 0 1
G1 f 0 b 0 1m
R5 f 0 1
F1 g 0 V1 2
R6 g 0 1
H1 h 0 V1 2
R7 h 0 1
I1 i 0 1m
R8 i 0 1
Gp b 0 TABLE {V(b)} = (-1, -1m) (1, 1m)
M1 a m b b nm
R9 a m 1
R10 m 0 1
Z1 a m c ig
X1 a c m 0 THYRISTOR
X2 b n n2 OPAMP vmin=-5 vmax=5
R11 n n2 1
R12 n 0 1
X3 b c q COMPARATOR
R13 q 0 1
X4 a 0 t 0 TRANSFORMER ratio=2
R14 t 0 1
D1 b 0 z
.model z D(bv=5 roff=1meg)
.model nm NMOS(vto=3)
.model ig NIGBT(vto=3)
)");
  const Circuit circuit = circuitOf(netlist);
  for (const NetlistElement& e : netlist.elements) {
    if (e.kind != NetlistKind::coupling && e.kind != NetlistKind::transformer) {
      EXPECT_TRUE(circuit.hasElement(e.name)) << e.name;
    }
  }
}

// The current and the voltage of a diode are those of all of it, so that a measure of I(D1) counts its leak.
TEST(CircuitOfNetlist, TheLeakOfADiodeIsPartOfIt) {
  for (const char* const model : {"D(roff=1k)", "D(roff=1k bv=50)"}) {
    const Netlist netlist = parseNetlist(std::string("title\nV1 a 0 -10\nD1 a b m\nR1 b 0 1k\n.model m ") + model);
    NonSmoothDynamicalSystem system(0., 1.);
    const CircuitInstance c = insertNetlist(netlist, system, "circuit");
    TimeStepping simulation(system, 0.1, EulerMoreauOSI(1.));
    simulation.step();
    EXPECT_NEAR(c.current("D1"), -5e-3, 1e-15);
    EXPECT_NEAR(c.voltage("b"), -5., 1e-12);
  }
}

void expectCircuitFault(const std::string& lines, NetlistFault fault, std::size_t line) {
  SCOPED_TRACE(lines);
  try {
    const Netlist netlist = parseNetlist("title\n" + lines, "bad.cir");
    NonSmoothDynamicalSystem model(0., 1.);
    insertNetlist(netlist, model, "circuit");
    ADD_FAILURE() << "no NetlistError was thrown";
  } catch (const NetlistError& error) {
    EXPECT_EQ(toText(error.fault()), toText(fault)) << error.what();
    EXPECT_EQ(error.place().line, line) << error.what();
  }
}

TEST(CircuitOfNetlist, TellsTheLineOfACircuitWithoutASolution) {
  expectCircuitFault("* nothing", NetlistFault::circuit, 1);
  expectCircuitFault("R1 a 0 1\nV1 a 0 1\nV2 a 0 2", NetlistFault::circuit, 4);
  expectCircuitFault("R1 a 0 1\nV1 a 0 1\nR2 a b 1", NetlistFault::circuit, 4);
  expectCircuitFault("V1 a 0 1\nR1 a 0 1\nI1 0 b 1\nI2 b 0 2", NetlistFault::circuit, 4);
  expectCircuitFault("V1 a 0 1\nR1 a a 1", NetlistFault::badValue, 3);
  // What an element and .ic say of the start agrees.
  expectCircuitFault("R1 a 0 1\nC1 a 0 1 ic=2\n.ic V(a)=3", NetlistFault::circuit, 3);
  expectCircuitFault("R1 a 0 1\nL1 a 0 1 ic=2\n.ic I(L1)=3", NetlistFault::badValue, 3);
}

// A circuit is made of those that are read, or it is refused.
TEST(CircuitOfNetlist, IsMadeOfMutatedNetlistsOrRefused) {
  NetlistMutator mutator(40);
  std::size_t made = 0, refused = 0;
  for (std::size_t k = fuzzCount(1000); k > 0; --k) {
    const std::string text = mutator.next();
    try {
      const Netlist netlist = parseNetlist(text, "fuzzed.cir");
      NonSmoothDynamicalSystem model(0., 1.);
      insertNetlist(netlist, model, "circuit");
      ++made;
    } catch (const NetlistError& error) {
      ++refused;
      ASSERT_GE(error.place().line, 1U) << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(made, 0U);
  EXPECT_GT(refused, 0U);
  if (made + refused > 1000) std::printf("%zu made, %zu refused\n", made, refused);
}

TEST(CircuitOfNetlist, AnInductorInSeriesWithACurrentThatJumpsIsRefused) {
  const Netlist netlist = parseNetlist("title\nR1 b 0 3\nI1 0 a PULSE(0 1 1m)\nL1 a b 10m\n", "jump.cir");
  NonSmoothDynamicalSystem model(0., 1.);
  try {
    insertNetlist(netlist, model, "circuit");
    ADD_FAILURE() << "no NetlistError was thrown";
  } catch (const NetlistError& error) {
    const std::string reason = error.what();
    EXPECT_EQ(toText(error.fault()), toText(NetlistFault::circuit));
    EXPECT_EQ(error.place().line, 4U);
    EXPECT_NE(reason.find("'L1' and 'I1'"), std::string::npos) << reason;
    EXPECT_NE(reason.find("infinite voltage"), std::string::npos) << reason;
  }
  EXPECT_TRUE(model.systems().empty());
}

TEST(CircuitOfNetlist, AStartThatContradictsACurrentSourceIsRefusedAtZeroToo) {
  const auto starts = [](const std::string& inductor) {
    NonSmoothDynamicalSystem model(0., 1.);
    insertNetlist(parseNetlist("title\nI1 0 a SIN(1 2 50)\nR1 b 0 3\n" + inductor), model, "circuit");
  };
  EXPECT_THROW(starts("L1 a b 10m IC=0"), NetlistError);
  EXPECT_THROW(starts("L1 a b 10m\n.ic I(L1)=0"), NetlistError);
  EXPECT_NO_THROW(starts("L1 a b 10m IC=1"));
  EXPECT_NO_THROW(starts("L1 a b 10m"));
}

// The current of D1 charges C1, which feeds C2 through R1, and E holds the voltage of C2 against the diode.
TEST(CircuitOfNetlist, ADiodeWhoseCurrentReachesItsVoltageByTwoCapacitorsIsOfDegreeTwo) {
  const Netlist netlist = parseNetlist(R"(Degree two
V1 in 0 SIN(0 1 50)
D1 in s d
Vs s e 0
E1 e 0 b 0 1
F1 0 a Vs 1
C1 a 0 1u
R1 a b 1k
C2 b 0 1u
.model d D)");
  NonSmoothDynamicalSystem model(0., 1.);
  const std::string report = insertNetlist(netlist, model, "circuit").report();
  EXPECT_NE(report.find("i(D1): degree 2 or more: it acts through several"), std::string::npos) << report;
}

}  // namespace
