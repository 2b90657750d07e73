// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace delassus;
using Nodes = std::vector<std::string>;

constexpr double endless = std::numeric_limits<double>::infinity();

NetlistElement elementOf(const std::string& lines) {
  const Netlist netlist = parseNetlist("title\n" + lines);
  return netlist.elements.at(0);
}

TEST(NetlistElements, OfTwoTerminalsHaveAValue) {
  const NetlistElement resistor = elementOf("Rload Out 0 2.2k\n");
  EXPECT_EQ(resistor.kind, NetlistKind::resistor);
  EXPECT_EQ(resistor.name, "Rload");
  EXPECT_EQ(resistor.nodes, (Nodes{"Out", "0"}));
  EXPECT_EQ(resistor.value, 2200.);
  EXPECT_EQ(resistor.place.line, 2U);
  EXPECT_EQ(elementOf("r1 a b R={2*3}").value, 6.);
  EXPECT_EQ(elementOf("r1 a b '1/4'").value, 0.25);
  const NetlistElement capacitor = elementOf("C1 a gnd 1u IC = 5");
  EXPECT_EQ(capacitor.kind, NetlistKind::capacitor);
  EXPECT_EQ(capacitor.nodes, (Nodes{"a", "0"}));
  EXPECT_EQ(capacitor.parameter("ic"), 5.);
  const NetlistElement inductor = elementOf("L1 a GND 1m ic=-2m");
  EXPECT_EQ(inductor.kind, NetlistKind::inductor);
  EXPECT_EQ(inductor.parameter("ic"), -2e-3);
}

TEST(NetlistElements, KeepTheSpellingInWhichANodeComesFirst) {
  const Netlist netlist = parseNetlist("title\nR1 Out 0 1\nR2 OUT in 1\nR3 IN 0 1\n");
  EXPECT_EQ(netlist.elements[1].nodes, (Nodes{"Out", "in"}));
  EXPECT_EQ(netlist.elements[2].nodes, (Nodes{"in", "0"}));
}

TEST(NetlistElements, CoupleInductorsThatMayComeLater) {
  const NetlistElement coupling = elementOf("K1 l1 L2 0.98\nL1 a 0 1m\nL2 b 0 1m\n");
  EXPECT_EQ(coupling.kind, NetlistKind::coupling);
  EXPECT_EQ(coupling.references, (Nodes{"L1", "L2"}));
  EXPECT_EQ(coupling.value, 0.98);
}

void expectWaveform(const std::string& text, NetlistWaveform::Kind kind, const std::vector<double>& values) {
  SCOPED_TRACE(text);
  const NetlistElement source = elementOf("V1 a 0 " + text);
  EXPECT_EQ(source.kind, NetlistKind::voltageSource);
  EXPECT_EQ(source.waveform.kind, kind);
  EXPECT_EQ(source.waveform.values, values);
}

TEST(NetlistElements, OfSourcesHaveAWaveform) {
  using Kind = NetlistWaveform::Kind;
  expectWaveform("12", Kind::constant, {12.});
  expectWaveform("DC {3*4}", Kind::constant, {12.});
  expectWaveform("dc 1 ac 1 0", Kind::constant, {1.});
  expectWaveform("SIN(0 325 50)", Kind::sine, {0., 325., 50., 0., 0., 0.});
  expectWaveform("0 ac 1 sin (1, 2, 3, 4m, 5, 90)", Kind::sine, {1., 2., 3., 4e-3, 5., 90.});
  expectWaveform("sine 0 1 1k", Kind::sine, {0., 1., 1000., 0., 0., 0.});
  expectWaveform("PULSE(0 5)", Kind::pulse, {0., 5., 0., 0., 0., endless, 0.});
  expectWaveform("PULSE(0 5 1u 0 0 5u 10u)", Kind::pulse, {0., 5., 1e-6, 0., 0., 5e-6, 1e-5});
  expectWaveform("PWL(0 0 1m 5 1m 0)", Kind::piecewiseLinear, {0., 0., 1e-3, 5., 1e-3, 0.});
  expectWaveform("pwl (0,0) (1m,5)", Kind::piecewiseLinear, {0., 0., 1e-3, 5.});
  expectWaveform("EXP(0 1 1u 2u)", Kind::exponential, {0., 1., 1e-6, 2e-6, endless, 1.});
  expectWaveform("EXP(0 1 1u 2u 5u 3u)", Kind::exponential, {0., 1., 1e-6, 2e-6, 5e-6, 3e-6});
  EXPECT_EQ(elementOf("I1 a 0 1m").kind, NetlistKind::currentSource);
}

TEST(NetlistElements, ControlSources) {
  const std::string sense = "\nVs c 0 0\n";
  const NetlistElement e = elementOf("E1 a 0 c 0 2" + sense);
  EXPECT_EQ(e.kind, NetlistKind::voltageControlledVoltage);
  EXPECT_EQ(e.nodes, (Nodes{"a", "0", "c", "0"}));
  EXPECT_EQ(elementOf("G1 a 0 c 0 2" + sense).kind, NetlistKind::voltageControlledCurrent);
  const NetlistElement f = elementOf("F1 a 0 VS {1+2}" + sense);
  EXPECT_EQ(f.kind, NetlistKind::currentControlledCurrent);
  EXPECT_EQ(f.references, (Nodes{"Vs"}));
  EXPECT_EQ(f.value, 3.);
  EXPECT_EQ(elementOf("H1 a 0 vs 2" + sense).kind, NetlistKind::currentControlledVoltage);
}

TEST(NetlistElements, OfATableAreStraightLines) {
  const NetlistElement chua = elementOf("Gc a b TABLE {V(a,b)} = (-1, 2m) (0, 0) (1, -2m)");
  EXPECT_EQ(chua.kind, NetlistKind::piecewiseLinear);
  EXPECT_EQ(chua.waveform.values, (std::vector<double>{-1., 2e-3, 0., 0., 1., -2e-3}));
}

TEST(NetlistElements, TakeTheValuesOfTheirModel) {
  const NetlistElement diode = elementOf("D1 a k dio\n.model DIO D(vfwd=0.7 ron={1/100} BV=50)");
  EXPECT_EQ(diode.kind, NetlistKind::diode);
  EXPECT_EQ(diode.parameter("vfwd"), 0.7);
  EXPECT_EQ(diode.parameter("ron"), 0.01);
  EXPECT_EQ(diode.parameter("bv"), 50.);
  EXPECT_FALSE(elementOf("D1 a k dio\n.model dio D").parameter("vfwd"));
  EXPECT_EQ(elementOf("D1 a k dio\n.model dio D Rs=0.2 Vrev=5").parameter("ron"), 0.2);
  const NetlistElement closing = elementOf("S1 a b c 0 sw off\n.model sw SW(vt=1 vh=0.1 ron=1m roff=1meg)");
  EXPECT_EQ(closing.kind, NetlistKind::voltageSwitch);
  EXPECT_EQ(closing.nodes, (Nodes{"a", "b", "c", "0"}));
  EXPECT_EQ(closing.parameter("roff"), 1e6);
  EXPECT_EQ(closing.parameter("on"), 0.);
  EXPECT_EQ(elementOf("M1 d g s s m\n.model m NMOS(vto=3)").kind, NetlistKind::mosfet);
  EXPECT_EQ(elementOf("M1 d g s m\n.model m PMOS(vto=-3)").parameter("p"), 1.);
  EXPECT_EQ(elementOf("Z1 c g e m\n.model m NIGBT(vto=3 vfwd=1)").parameter("vfwd"), 1.);
}

// v = n V_T ln(1 + i / I_S) at the current INOM, with V_T of 27 °C.
TEST(NetlistElements, OfAnExponentialModelHaveItsVoltageAtTheNominalCurrent) {
  const NetlistElement diode = elementOf("D1 a k dio\n.model dio D(is=1e-12 n=1.5 inom=2 rs=10m)");
  const double thermal = 1.380649e-23 / 1.602176634e-19 * 300.15;
  EXPECT_NEAR(diode.parameterOr("vfwd", 0.), 1.5 * thermal * std::log(1. + 2. / 1e-12), 1e-9);
  EXPECT_EQ(diode.parameter("ron"), 0.01);
}

TEST(NetlistElements, AreNotedWhereTheirModelSaysMore) {
  const Netlist netlist =
      parseNetlist("title\nD1 a k dio\nR1 a k 1\n.model dio D(is=1e-12 cjo=1p tt=1n)\n.options x=1");
  EXPECT_EQ(netlist.notes.size(), 4U);
}

TEST(NetlistElements, OfTheLibraryAreInstances) {
  const NetlistElement amplifier = elementOf("X1 p m out OPAMP vmin=-15 vmax=15");
  EXPECT_EQ(amplifier.kind, NetlistKind::opAmp);
  EXPECT_EQ(amplifier.nodes, (Nodes{"p", "m", "out"}));
  EXPECT_EQ(amplifier.parameter("vmax"), 15.);
  EXPECT_EQ(elementOf("X1 p m out comparator low=0 high=1").kind, NetlistKind::comparator);
  EXPECT_EQ(elementOf("X1 a k g 0 Thyristor vt=1").kind, NetlistKind::thyristor);
  EXPECT_EQ(elementOf("X1 a 0 b 0 transformer ratio=2").parameter("ratio"), 2.);
  // A subcircuit of the netlist counts before.
  EXPECT_EQ(elementOf("X1 p m out OPAMP\n.subckt opamp a b c\nR1 a b 1\nR2 b c 1\n.ends").name, "X1.R1");
}

}  // namespace
