// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <string>

namespace {

using namespace delassus;

const std::string circuit = "title\nV1 In 0 1\nR1 In Out 1k\nL1 Out 0 1m\n";

TEST(NetlistText, HasComentsContinuationsAndATitle) {
  const Netlist netlist = parseNetlist(
      "R0 is a title\r\n"
      "* a comment\r\n"
      "  * another one\n"
      "V1 a 0\n"
      "* between\n"
      "\n"
      "+ PWL(0 0 ; the start\n"
      "  + 1m 1)\n"
      "\tR1 a 0 1\n"
      ".control\nrun\n+ plot\n.endc\n"
      ".END\n"
      "R2 a 0 nonsense\n");
  EXPECT_EQ(netlist.title, "R0 is a title");
  ASSERT_EQ(netlist.elements.size(), 2U);
  EXPECT_EQ(netlist.elements[0].waveform.values.size(), 4U);
  EXPECT_EQ(netlist.elements[0].place.line, 4U);
  EXPECT_EQ(netlist.elements[1].place.line, 9U);
}

TEST(NetlistCommands, SayHowLongTheRunIs) {
  const auto transient = parseNetlist(circuit + ".tran 1u {2*5m} 1m 0.5u UIC").transient;
  ASSERT_TRUE(transient);
  EXPECT_EQ(transient->step, 1e-6);
  EXPECT_EQ(transient->end, 0.01);
  EXPECT_EQ(transient->start, 1e-3);
  EXPECT_EQ(transient->largestStep, 0.5e-6);
  EXPECT_TRUE(transient->usesInitialConditions);
  EXPECT_FALSE(parseNetlist(circuit + ".tran 1u 10m").transient->usesInitialConditions);
  EXPECT_TRUE(parseNetlist(circuit + ".tran 1u 10m uic").transient->usesInitialConditions);
  EXPECT_FALSE(parseNetlist(circuit).transient);
}

TEST(NetlistCommands, SayInitialValues) {
  const Netlist netlist = parseNetlist(circuit + ".ic v(out)=5 I(l1)={1/4}");
  ASSERT_EQ(netlist.initialValues.size(), 2U);
  EXPECT_EQ(netlist.initialValues[0].signal.text(), "V(Out)");
  EXPECT_EQ(netlist.initialValues[0].value, 5.);
  EXPECT_EQ(netlist.initialValues[1].signal.text(), "I(L1)");
  EXPECT_EQ(netlist.initialValues[1].value, 0.25);
}

TEST(NetlistCommands, MeasureExpressionsOfSignals) {
  const Netlist netlist = parseNetlist(circuit +
                                       ".param t0=1m gain=2\n"
                                       ".meas tran Mean AVG V(in,OUT)*i(r1)*gain from={t0} to=5m\n"
                                       ".measure swing PP {V(out)}\n"
                                       ".meas low MIN 'V(out)-1' to = 3m\n"
                                       ".meas q INTEG I(R1)\n");
  ASSERT_EQ(netlist.measures.size(), 4U);
  const NetlistMeasure& mean = netlist.measures[0];
  EXPECT_EQ(mean.kind, NetlistMeasure::Kind::average);
  EXPECT_EQ(mean.name, "Mean");
  ASSERT_EQ(mean.expression.signals().size(), 2U);
  EXPECT_EQ(mean.expression.signals()[0].text(), "V(In,Out)");
  EXPECT_EQ(mean.expression.signals()[1].text(), "I(R1)");
  EXPECT_EQ(mean.expression.evaluate(std::array{3., 5.}), 30.);
  EXPECT_EQ(mean.from, 1e-3);
  EXPECT_EQ(mean.to, 5e-3);
  EXPECT_EQ(netlist.measures[1].kind, NetlistMeasure::Kind::peakToPeak);
  EXPECT_FALSE(netlist.measures[1].from);
  EXPECT_EQ(netlist.measures[2].kind, NetlistMeasure::Kind::smallest);
  EXPECT_EQ(netlist.measures[2].to, 3e-3);
  EXPECT_EQ(netlist.measures[3].kind, NetlistMeasure::Kind::integral);
}

TEST(NetlistCommands, NameOutputsOnce) {
  const Netlist netlist = parseNetlist(circuit + ".print tran V(out) V(in,out) I(L1)\n.save v(OUT) v(in)\n");
  ASSERT_EQ(netlist.outputs.size(), 4U);
  EXPECT_EQ(netlist.outputs[1].text(), "V(In,Out)");
  EXPECT_EQ(netlist.outputs[3].text(), "V(In)");
}

TEST(NetlistCommands, StepParameters) {
  const NetlistDocument document = NetlistDocument::fromString(
      "title\nR1 a 0 {r*k}\n.param r=1 k=2 n=3\n"
      ".step param r 10 30 10\n"
      ".step param K list 1 {n+2}\n");
  ASSERT_EQ(document.steps().size(), 2U);
  EXPECT_EQ(document.runs(), 6U);
  EXPECT_EQ(document.netlist(0).elements[0].value, 10.);
  EXPECT_EQ(document.netlist(2).elements[0].value, 30.);
  EXPECT_EQ(document.netlist(4).elements[0].value, 100.);
  const auto parameters = document.parametersOf(5);
  EXPECT_EQ(parameters[0].first, "r");
  EXPECT_EQ(parameters[0].second, 30.);
  EXPECT_EQ(parameters[1].second, 5.);
  EXPECT_THROW(document.parametersOf(6), Error);
  EXPECT_EQ(parseNetlist("t\nR1 a 0 {r}\n.param r=7\n.step param r list 1 2").elements[0].value, 7.);
}

TEST(NetlistCommands, StepByRatios) {
  const auto document = NetlistDocument::fromString("t\nR1 a 0 {r}\n.param r=1\n.step dec param r 1 1k 2\n");
  EXPECT_EQ(document.runs(), 7U);
  EXPECT_NEAR(document.netlist(6).elements[0].value, 1000., 1e-9);
  EXPECT_EQ(NetlistDocument::fromString("t\nR1 a 0 {r}\n.param r=1\n.step oct param r 1 8 1\n").runs(), 4U);
}

TEST(NetlistParameters, MayReferToLaterOnes) {
  EXPECT_EQ(parseNetlist("t\n.param a={b+1} b = c*2\nR1 x 0 {a}\n.param c=sqrt(4)*2\n").elements[0].value, 9.);
  // In order there is no limit.
  std::string chain = "t\n.param p0=1\n";
  for (int k = 1; k < 5000; ++k) {
    chain += ".param p" + std::to_string(k) + "={p" + std::to_string(k - 1) + "+1}\n";
  }
  EXPECT_EQ(parseNetlist(chain + "R1 a 0 {p4999}\n").elements[0].value, 5000.);
}

}  // namespace
