// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/circuits/netlist/NetlistMeter.hpp>
#include <string>

namespace {

using namespace delassus;

// Of V(a) = 2 t from 0 to 2 in steps of 0.3, which straight lines hold to rounding.
double measured(const std::string& measure) {
  const Netlist netlist = parseNetlist("t\nR1 a 0 1\n.meas m " + measure);
  double t = 0.;
  NetlistMeter meter(netlist.measures, 0., 2., [&](const NetlistSignal&) { return [&] { return 2. * t; }; });
  for (int k = 0; k <= 7; ++k) {
    t = std::min(0.3 * k, 2.);
    meter.look(t);
  }
  return meter.value(0);
}

TEST(NetlistMeter, IsExactOnStraightLines) {
  EXPECT_NEAR(measured("AVG V(a)"), 2., 1e-14);
  EXPECT_NEAR(measured("AVG V(a) from=0.5 to=1.1"), 1.6, 1e-14);
  EXPECT_NEAR(measured("RMS V(a) from=0.5 to=1.1"), std::sqrt(4. / 3. * (1.331 - 0.125) / 0.6), 1e-14);
  EXPECT_NEAR(measured("INTEG V(a) from=1"), 3., 1e-14);
  EXPECT_NEAR(measured("MIN V(a) from=0.5"), 1., 1e-14);
  EXPECT_NEAR(measured("MAX V(a) to=1.1"), 2.2, 1e-14);
  EXPECT_NEAR(measured("PP V(a)*2 from=0.35 to=0.4"), 0.2, 1e-14);
}

TEST(NetlistMeter, LooksOnBothSidesOfAJump) {
  // 1 until 0.5, then −3 until 1, in steps of 0.3.
  const Netlist netlist = parseNetlist("t\nR1 a 0 1\n.meas mean AVG V(a)\n.meas r RMS V(a)\n.meas low MIN V(a)");
  for (const bool isKnown : {true, false}) {
    double v = 1.;
    NetlistMeter meter(netlist.measures, 0., 1., [&](const NetlistSignal&) { return [&] { return v; }; });
    meter.look(0.);
    meter.look(0.3);
    meter.cut(0.5);
    v = -3.;
    if (isKnown) meter.goOn(0.5);
    meter.look(0.5);  // of a step that ends here
    meter.look(0.8);
    meter.look(1.);
    EXPECT_NEAR(meter.value(0), -1., 1e-15);
    EXPECT_NEAR(meter.value(1), std::sqrt(5.), 1e-15);
    EXPECT_EQ(meter.value(2), -3.);
  }
}

// After a cut the first value is the mean of an impulse over its step, which the second step does not share; a line
// goes on as one.
TEST(NetlistMeter, CountsAnImpulseInItsStepAlone) {
  const Netlist netlist = parseNetlist("t\nR1 a 0 1\n.meas q INTEG V(a)");
  const double h = 0.1, charge = 0.25;
  for (const bool isImpulse : {true, false}) {
    double v = 0.;
    NetlistMeter meter(netlist.measures, 0., 1., [&](const NetlistSignal&) { return [&] { return v; }; });
    meter.look(0.);
    meter.cut(0.5);
    for (int k = 1; k <= 5; ++k) {
      v = isImpulse ? (k == 1 ? charge / h : 1e-3) : 2. * h * k;
      meter.look(0.5 + h * k);
    }
    // The first step of the line counts by the value at its end.
    EXPECT_NEAR(meter.value(0), isImpulse ? charge + 4e-3 * h : 0.5 * 0.5 + h * h, 1e-14);
  }
}

// Of products and magnitudes, too: a charge of 3 C while the other signal goes from 4 to 2, and an expression of both.
TEST(NetlistMeter, TakesWhatAJumpCarries) {
  const Netlist netlist = parseNetlist(
      "t\nR1 a 0 1\nR2 b 0 1\n.meas q INTEG V(a)\n.meas w INTEG V(a)*V(b)\n.meas m INTEG abs(V(a))+V(b)\n"
      ".meas late INTEG V(a) from=0.5\n.meas early INTEG V(a) to=0.5\n.meas top MAX V(a)");
  double b = 4.;
  NetlistMeter meter(netlist.measures, 0., 1., [&](const NetlistSignal& signal) -> NetlistMeter::Probe {
    if (signal.first == "a") return [] { return 0.; };
    return [&] { return b; };
  });
  meter.setImpulses([](const NetlistSignal& signal) -> NetlistMeter::Probe {
    return [isCharge = signal.first == "a"] { return isCharge ? -3. : 0.; };
  });
  meter.look(0.);
  meter.cut(0.5);
  b = 2.;
  meter.goOn(0.5);
  meter.look(1.);
  EXPECT_NEAR(meter.value(0), -3., 1e-9);
  EXPECT_NEAR(meter.value(1), -9., 1e-9);
  EXPECT_NEAR(meter.value(2), 3. + 3., 1e-5);
  EXPECT_NEAR(meter.value(3), -3., 1e-9);
  EXPECT_EQ(meter.value(4), 0.);
  EXPECT_EQ(meter.value(5), 0.);
}

TEST(NetlistMeter, RefusesIntervalsBeyondTheRun) {
  EXPECT_THROW(measured("AVG V(a) to=2.1"), NetlistError);
  EXPECT_THROW(measured("AVG V(a) from=2"), NetlistError);
  EXPECT_THROW(measured("AVG V(a) from=-0.1"), NetlistError);
}

TEST(NetlistMeter, TellsADivisionByZero) {
  try {
    measured("AVG 1/V(a)");
    ADD_FAILURE() << "it was measured";
  } catch (const NetlistError& error) {
    EXPECT_EQ(error.fault(), NetlistFault::divisionByZero);
    EXPECT_EQ(error.place().line, 3U);
  }
}

}  // namespace
