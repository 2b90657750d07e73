// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <memory>
#include <support/CircuitRuns.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// The message of what insertInto refuses, with the model left empty.
std::string refusal(const Circuit& circuit) {
  NonSmoothDynamicalSystem model(0., 1.);
  try {
    circuit.insertInto(model, "net");
  } catch (const Error& error) {
    EXPECT_TRUE(model.systems().empty());
    return error.what();
  }
  return "";
}

void expectNames(const std::string& message, std::initializer_list<const char*> names) {
  EXPECT_FALSE(message.empty());
  for (const char* const name : names) {
    EXPECT_NE(message.find(std::string("'") + name + "'"), std::string::npos) << name << " in: " << message;
  }
}

Matrix matrixOf(const FirstOrderLinearTIDS& system) {
  Matrix A;
  system.A(0., A);
  return A;
}

TEST(CircuitTest, SeriesResonanceHasTheMatrixByHand) {
  Circuit circuit;
  circuit.source("V", "in", "0", 5.);
  circuit.resistor("R", "in", "a", 2.);
  circuit.inductor("L", "a", "b", 0.5, 3.);
  circuit.capacitor("C", "b", "0", 0.25, 7.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  ASSERT_EQ(instance.systems().size(), 1U);
  EXPECT_EQ(instance.stateNames(), (std::vector<std::string>{"i(L)", "v(C)"}));
  const FirstOrderLinearTIDS& system = *instance.systems().front();
  const Matrix A = matrixOf(system);
  const double expected[2][2] = {{-4., -2.}, {4., 0.}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) EXPECT_DOUBLE_EQ(A(i, j), expected[i][j]);
  }
  Vector b(2);
  system.b(0., b);
  EXPECT_DOUBLE_EQ(b(0), 10.);
  EXPECT_EQ(b(1), 0.);
  EXPECT_EQ(system.x()(0), 3.);
  EXPECT_EQ(system.x()(1), 7.);
  // Present values follow from states and constant sources, without a simulation.
  EXPECT_DOUBLE_EQ(instance.voltage("a"), 5. - 6.);
  EXPECT_DOUBLE_EQ(instance.voltage("a", "b"), -8.);
  EXPECT_DOUBLE_EQ(instance.voltage("L"), -8.);
  EXPECT_DOUBLE_EQ(instance.current("V"), -3.);
  EXPECT_DOUBLE_EQ(instance.power("R"), 18.);
  EXPECT_NEAR(instance.tellegen().sum, 0., 1e-14 * instance.tellegen().scale);
  EXPECT_DOUBLE_EQ(instance.probe("v(a,b)")(), -8.);
  EXPECT_DOUBLE_EQ(instance.probe("p(R)")(), 18.);
}

TEST(CircuitTest, PartsThatShareGroundAloneAreIslands) {
  Circuit circuit;
  for (const std::string n : {"1", "2"}) {
    circuit.capacitor("C" + n, "a" + n, "0", 1., 1.);
    circuit.resistor("R" + n, "a" + n, "0", 1.);
  }
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  ASSERT_EQ(instance.systems().size(), 2U);
  EXPECT_EQ(instance.systems()[0]->name(), "net.1");
  EXPECT_EQ(instance.systems()[1]->name(), "net.2");
}

TEST(CircuitTest, ParallelCapacitorsAndSeriesInductorsAreOneState) {
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", 1., 4.);
  circuit.capacitor("C2", "a", "0", 3.);
  circuit.inductor("L1", "a", "b", 2., 1.);
  circuit.inductor("L2", "b", "0", 6.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  ASSERT_EQ(instance.systems().front()->dimension(), 2U);
  const Matrix A = matrixOf(*instance.systems().front());
  EXPECT_DOUBLE_EQ(A(0, 1), -0.25);
  EXPECT_DOUBLE_EQ(A(1, 0), 0.125);
  // The current divides as the capacitances do, the voltage as the inductances.
  EXPECT_DOUBLE_EQ(instance.current("C2"), -0.75);
  EXPECT_DOUBLE_EQ(instance.voltage("L2"), 3.);
  EXPECT_NEAR(instance.tellegen().sum, 0., 1e-14);
}

// The current of a capacitor across a source is C u̇.
TEST(CircuitTest, CapacitorsAcrossASmoothSourceTakeItsRate) {
  Circuit circuit;
  circuit.source("V", "a", "0", sine(2., 1.));
  circuit.capacitor("C", "a", "0", 3.);
  circuit.resistor("R", "a", "0", 4.);
  runStepping(circuit, 1., 0.01, 1., [](double t, const CircuitInstance& c) {
    const double w = 2. * M_PI;
    EXPECT_NEAR(c.current("V"), -6. * w * std::cos(w * t) - 0.5 * std::sin(w * t), 1e-12);
  });
  circuit.source("P", "p", "0", Waveform(PulseWave{.width = 1., .period = 2.}));
  circuit.capacitor("CP", "p", "0", 1.);
  expectNames(refusal(circuit), {"CP", "P"});
}

TEST(CircuitTest, CoupledInductorsHaveTheInverseOfTheirMatrix) {
  Circuit circuit;
  circuit.source("V", "a", "0", 1.);
  circuit.inductor("L1", "a", "0", 1.);
  circuit.inductor("L2", "b", "0", 4.);
  circuit.coupling("K", {"L1", "L2"}, 0.5);
  circuit.resistor("R", "b", "0", 2.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  // M = 1: [1 1; 1 4] di/dt = (1, −2 i₂).
  const Matrix A = matrixOf(*instance.systems().front());
  EXPECT_NEAR(A(0, 1), 2. / 3., 1e-15);
  EXPECT_NEAR(A(1, 1), -2. / 3., 1e-15);
  circuit.inductor("L3", "a", "0", 1.);
  circuit.coupling("K13", {"L1", "L3"}, 0.9);
  circuit.coupling("K23", {"L2", "L3"}, -0.9);
  expectNames(refusal(circuit), {"L1", "L2", "L3"});
}

TEST(CircuitTest, TransformersCarryPowerAcrossParts) {
  Circuit circuit;
  circuit.source("V", "a", "0", 10.);
  circuit.transformer("T", "a", "0", "b", "c", 5.);
  circuit.resistor("R", "b", "c", 4.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_DOUBLE_EQ(instance.voltage("R"), 2.);
  EXPECT_DOUBLE_EQ(instance.current("T.2"), -0.5);
  EXPECT_DOUBLE_EQ(instance.current("V"), -0.1);
  EXPECT_NEAR(instance.power("T.1") + instance.power("T.2"), 0., 1e-15);
  EXPECT_THROW(instance.voltage("a", "b"), Error);
}

TEST(CircuitTest, ControlledSourcesOfAllKinds) {
  Circuit circuit;
  circuit.source("V", "a", "0", 3.);
  circuit.resistor("R", "a", "0", 2.);
  circuit.controlledSource("E", "e", "0", VoltageBetween{"a"}, 10.);
  circuit.resistor("RE", "e", "0", 1.);
  circuit.controlledSource("H", "h", "0", CurrentOf{"R"}, 4.);
  circuit.resistor("RH", "h", "0", 1.);
  circuit.controlledCurrentSource("G", "0", "g", VoltageBetween{"a", "e"}, 2.);
  circuit.resistor("RG", "g", "0", 1.);
  circuit.controlledCurrentSource("F", "0", "f", CurrentOf{"V"}, 2.);
  circuit.resistor("RF", "f", "0", 1.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_DOUBLE_EQ(instance.voltage("e"), 30.);
  EXPECT_DOUBLE_EQ(instance.voltage("h"), 6.);
  EXPECT_DOUBLE_EQ(instance.voltage("g"), -54.);
  EXPECT_DOUBLE_EQ(instance.voltage("f"), -3.);
}

TEST(CircuitTest, IllPosedCircuitsAreRefusedByTheirElements) {
  const auto resistive = [] {
    Circuit circuit;
    circuit.resistor("R", "a", "0", 1.);
    circuit.resistor("Q", "a", "0", 1.);
    return circuit;
  };
  Circuit loop = resistive();
  loop.source("V1", "a", "b", 1.);
  loop.source("V2", "b", "0", 1.);
  loop.source("V3", "a", "0", 1.);
  expectNames(refusal(loop), {"V1", "V2", "V3"});
  Circuit cut = resistive();
  cut.currentSource("I1", "0", "b", 1.);
  cut.currentSource("I2", "b", "a", 1.);
  expectNames(refusal(cut), {"I1", "I2"});
  Circuit open = resistive();
  open.resistor("X", "a", "b", 1.);
  expectNames(refusal(open), {"b", "X"});
  Circuit input = resistive();
  input.controlledSource("E", "a", "0", VoltageBetween{"nowhere"}, 1.);
  expectNames(refusal(input), {"E"});
  Circuit unknown = resistive();
  unknown.controlledSource("H", "a", "0", CurrentOf{"Z"}, 1.);
  expectNames(refusal(unknown), {"H", "Z"});
  Circuit singular;
  singular.resistor("R", "a", "0", 1.);
  singular.resistor("N", "a", "0", -1.);
  expectNames(refusal(singular), {"R", "N"});
  Circuit initial;
  initial.capacitor("C1", "a", "0", 1., 1.);
  initial.capacitor("C2", "a", "0", 1., 2.);
  expectNames(refusal(initial), {"C2"});
  EXPECT_FALSE(refusal(Circuit()).empty());
}

TEST(CircuitTest, BadElementsAreRefusedByTheirNames) {
  Circuit circuit;
  circuit.resistor("R", "a", "0", 1.);
  EXPECT_THROW(circuit.resistor("R", "a", "b", 1.), Error);
  EXPECT_THROW(circuit.resistor("", "a", "b", 1.), Error);
  EXPECT_THROW(circuit.resistor("X", "a", "a", 1.), Error);
  EXPECT_THROW(circuit.resistor("X", "0", "gnd", 1.), Error);
  EXPECT_THROW(circuit.resistor("X", "a", "b", 0.), Error);
  EXPECT_THROW(circuit.capacitor("X", "a", "b", -1.), Error);
  EXPECT_THROW(circuit.inductor("X", "a", "b", 1., std::nan("")), Error);
  EXPECT_THROW(circuit.coupling("X", {"R", "R"}, 0.5), Error);
  EXPECT_THROW(circuit.transformer("X", "a", "0", "b", "0", 0.), Error);
  EXPECT_THROW(circuit.diode("X", "a", "b", {.threshold = -1.}), Error);
  EXPECT_THROW(circuit.zener("X", "a", "b", {.breakdown = 0.}), Error);
  EXPECT_THROW(circuit.idealSwitch("X", "a", "b", false, {.onResistance = 2., .offResistance = 1.}), Error);
  EXPECT_THROW(circuit.opAmp("X", "a", "b", "c", {.lowest = 1., .highest = -1.}), Error);
  EXPECT_THROW(circuit.piecewiseLinear("X", "a", "b", {}), Error);
  EXPECT_THROW(circuit.diode("X", "a", "b", {.leak = 0.}), Error);
  EXPECT_THROW(circuit.transformer("T", "a", "0", "s", "s", 2.), Error);
  EXPECT_THROW(circuit.transformer("", "a", "0", "b", "0", 2.), Error);
  EXPECT_THROW(circuit.controlledSource("R", "e", "0", VoltageBetween{"z"}, 1.), Error);
  EXPECT_THROW(circuit.controlledCurrentSource("X", "e", "e", VoltageBetween{"z"}, 1.), Error);
  EXPECT_THROW(circuit.controlledSource("X", "e", "0", VoltageBetween{""}, 1.), Error);
  EXPECT_THROW(circuit.opAmp("R", "z", "e", "o"), Error);
  EXPECT_THROW(circuit.comparator("X", "", "0", "o", {.hysteresis = 0.1}), Error);
  EXPECT_THROW(circuit.resistor("X", "z", "", 1.), Error);
  EXPECT_THROW(circuit.startAt("0", 5.), Error);
  EXPECT_THROW(circuit.startAt("gnd", 5.), Error);
  // None of them was taken, nor were their nodes.
  EXPECT_EQ(circuit.elementNames(), std::vector<std::string>{"R"});
  EXPECT_EQ(circuit.nodeNames(), (std::vector<std::string>{"0", "a"}));
}

TEST(CircuitTest, TwoInductorsAreCoupledOnceUnderANameOfTheirOwn) {
  Circuit circuit;
  circuit.source("V", "a", "0", 1.);
  circuit.inductor("L1", "a", "0", 1.);
  circuit.inductor("L2", "b", "0", 1.);
  circuit.inductor("L3", "b", "0", 1.);
  circuit.resistor("R", "b", "0", 1.);
  circuit.coupling("K", {"L1", "L2"}, 0.4);
  EXPECT_THROW(circuit.coupling("M", {"L1", "L2"}, 0.4), Error);
  EXPECT_THROW(circuit.coupling("M", {"L3", "L2", "L1"}, 0.1), Error);
  EXPECT_THROW(circuit.coupling("K", {"L1", "L3"}, 0.1), Error);
  EXPECT_THROW(circuit.coupling("", {"L1", "L3"}, 0.1), Error);
  EXPECT_THROW(circuit.coupling("R", {"L1", "L3"}, 0.1), Error);
  EXPECT_THROW(circuit.resistor("K", "a", "0", 1.), Error);
  circuit.transformer("T", "a", "0", "b", "0", 2.);
  EXPECT_THROW(circuit.resistor("T", "a", "0", 1.), Error);
}

TEST(CircuitTest, StartsThatContradictOrThatNoNodeHasAreRefused) {
  Circuit circuit;
  circuit.source("V", "a", "0", 1.);
  circuit.resistor("R", "a", "b", 1.);
  circuit.capacitor("C", "b", "0", 1., 2.);
  circuit.startAt("0", 0.);
  circuit.startAt("b", 2.);
  EXPECT_EQ(refusal(circuit), "");
  Circuit unknown = circuit;
  unknown.startAt("bb", 3.);
  expectNames(refusal(unknown), {"bb"});
  circuit.capacitor("D", "b", "0", 1., 3.);
  expectNames(refusal(circuit), {"D"});
}

TEST(CircuitTest, UnknownNamesAndMissingTimesAreErrors) {
  Circuit circuit;
  circuit.source("V", "a", "0", sine(1., 1.));
  circuit.resistor("R", "a", "0", 1.);
  circuit.idealSwitch("S", "a", "b", Gate::pulses({.period = 1., .width = 0.5}));
  circuit.resistor("Q", "b", "0", 1.);
  NonSmoothDynamicalSystem model(0., 1.);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_THROW(instance.voltage("zz"), Error);
  EXPECT_THROW(instance.current("zz"), Error);
  EXPECT_THROW(instance.voltage("a"), Error);  // attached to no simulation
  EXPECT_THROW(instance.setGate("S", true), Error);
  EXPECT_THROW(instance.setGate("R", true), Error);
  EXPECT_THROW(instance.setSource("R", 1.), Error);
  EXPECT_THROW(instance.probe("x(a)"), Error);
  TimeStepping simulation(model, 0.01);
  instance.attach(simulation);
  EXPECT_EQ(instance.voltage("a"), 0.);
  EXPECT_THROW(instance.attach(simulation), Error);
}

// In the tree or as a link, each switching element does what it is told.
TEST(CircuitTest, GatesAreToldByTheProgram) {
  for (const bool inSeriesWithInductor : {false, true}) {
    for (const int kind : {0, 1, 2}) {
      Circuit circuit;
      circuit.source("V", "in", "0", 10.);
      const SwitchOptions ideal;
      if (kind == 0) circuit.idealSwitch("S", "in", "a", false, ideal);
      if (kind == 1) circuit.mosfet("S", "in", "a", false);
      if (kind == 2) circuit.igbt("S", "in", "a", false);
      if (inSeriesWithInductor) {
        circuit.inductor("L", "a", "b", 1e-6);
        circuit.resistor("R", "b", "0", 5.);
      } else {
        circuit.resistor("R", "a", "0", 5.);
        circuit.capacitor("C", "a", "0", 1e-9);
        circuit.resistor("Q", "in", "0", 1.);
      }
      NonSmoothDynamicalSystem model(0., 1.);
      CircuitInstance instance = circuit.insertInto(model, "net");
      TimeStepping simulation(model, 0.1, EulerMoreauOSI(1.));
      instance.attach(simulation);
      simulation.step();
      EXPECT_NEAR(instance.current("R"), 0., 1e-12);
      instance.setGate("S", true);
      for (int k = 0; k < 3; ++k) simulation.step();
      EXPECT_NEAR(instance.current("R"), 2., 1e-5) << kind << inSeriesWithInductor;
      EXPECT_TRUE(instance.isOn("S"));
      instance.setSource("V", 5.);
      for (int k = 0; k < 3; ++k) simulation.step();
      EXPECT_NEAR(instance.current("R"), 1., 1e-5);
      instance.setGate("S", false);
      for (int k = 0; k < 3; ++k) simulation.step();
      EXPECT_NEAR(instance.current("R"), 0., 1e-5);
    }
  }
}

TEST(CircuitTest, ZenerHoldsItsBreakdownVoltage) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(20., 1.));
  circuit.resistor("R", "in", "out", 10.);
  circuit.zener("Z", "0", "out", {.breakdown = 5., .threshold = 0.5});
  runStepping(circuit, 1., 0.01, 1., [](double t, const CircuitInstance& c) {
    EXPECT_NEAR(c.voltage("out"), std::clamp(20. * std::sin(2. * M_PI * t), -0.5, 5.), 1e-9);
  });
}

TEST(CircuitTest, StartsOfNodesAreThoseOfTheirCapacitors) {
  Circuit circuit;
  circuit.capacitor("C", "a", "b", 1.);
  circuit.capacitor("D", "b", "0", 1., 1.);
  circuit.resistor("R", "a", "0", 1.);
  circuit.resistor("Q", "b", "0", 1.);
  circuit.startAt("a", 5.);
  circuit.startAt("b", 1.);
  EXPECT_THROW(circuit.startAt("a", 6.), Error);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_EQ(instance.voltage("C"), 4.);
  EXPECT_EQ(instance.voltage("D"), 1.);
}

// A node that is not told one counts as zero, as SPICE has it. What Kirchhoff's laws make of the others is not touched.
TEST(CircuitTest, AStartOfOneNodeIsThatOfACapacitorToANodeWithout) {
  Circuit circuit;
  circuit.capacitor("C", "a", "b", 1.);
  circuit.capacitor("D", "c", "a", 1.);
  circuit.resistor("R", "a", "0", 1.);
  circuit.resistor("Q", "b", "0", 1.);
  circuit.resistor("S", "c", "0", 1.);
  circuit.startAt("a", 5.);
  // A divider across a source: the voltage of one of both capacitors follows.
  circuit.source("V", "p", "0", 10.);
  circuit.capacitor("E", "p", "m", 1.);
  circuit.capacitor("F", "m", "0", 1.);
  circuit.resistor("T", "m", "0", 1.);
  circuit.startAt("m", 4.);
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance instance = circuit.insertInto(model, "net");
  EXPECT_EQ(instance.voltage("C"), 5.);
  EXPECT_EQ(instance.voltage("D"), -5.);
}

// Steps are cut where a source jumps: each piece has the source's values of its own side.
TEST(CircuitTest, StepsAreCutWhereSourcesJump) {
  Circuit circuit;
  circuit.source("V", "in", "0", Waveform(PulseWave{.high = 1., .delay = 0.25, .width = 0.5}));
  circuit.resistor("R", "in", "out", 1.);
  circuit.capacitor("C", "out", "0", 1.);
  std::vector<double> errors;
  for (const double h : {0.1, 0.05}) {
    double worst = 0.;
    runStepping(circuit, 1., h, 0.5, [&](double t, const CircuitInstance& c) {
      const double top = 1. - std::exp(-0.5);
      const double exact = t < 0.25 ? 0. : t < 0.75 ? 1. - std::exp(0.25 - t) : top * std::exp(0.75 - t);
      worst = std::max(worst, std::abs(c.voltage("out") - exact));
    });
    errors.push_back(worst);
  }
  // Order two, as without the jumps.
  EXPECT_GT(errors[0] / errors[1], 3.);
  EXPECT_LT(errors[1], 1e-4);
}

TEST(CircuitTest, ReportSpeaksOfTheCircuit) {
  Circuit circuit;
  circuit.source("V", "in", "0", sine(1., 50.));
  circuit.diode("D", "in", "out");
  circuit.capacitor("C", "out", "0", 1e-3);
  auto model = std::make_unique<NonSmoothDynamicalSystem>(0., 1.);
  const CircuitInstance instance = circuit.insertInto(*model, "net");
  const std::string report = instance.report();
  model.reset();
  EXPECT_EQ(instance.report(), report);
  EXPECT_NE(instance.report().find("i(D): degree 1"), std::string::npos) << instance.report();
  EXPECT_EQ(instance.multiplierNames(), std::vector<std::string>{"i(D)"});
}

}  // namespace
