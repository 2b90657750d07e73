// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/circuits/netlist/NetlistMeterWatch.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <memory>
#include <vector>

namespace {

using namespace delassus;

// A square wave of a source and of a switch, whose edges are off the grid of steps.
constexpr const char* squareWaves = R"(square waves
V1 in 0 PULSE(-1 3 0.13m 0 0 0.37m 1m)
R1 in 0 1
V2 g 0 PULSE(0 5 0.21m 0 0 0.4m 1m)
V3 s 0 2
S1 s out g 0 sw
R2 out 0 4
C1 x 0 1u
R3 x 0 1
.model sw SW(VT=2.5)
.tran 0.1m 10m uic
.meas mean AVG V(in)
.meas r RMS V(in)
.meas top MAX V(in)
.meas switched AVG V(out)
.meas current RMS I(R2)
.meas power AVG V(out)*I(R2)
)";

template <class Simulation, class... Options>
std::vector<double> measuresOf(const char* text, const Options&... options) {
  const Netlist netlist = parseNetlist(text);
  NonSmoothDynamicalSystem model(0., netlist.transient->end);
  CircuitInstance circuit = insertNetlist(netlist, model, "circuit");
  Simulation simulation(model, TimeDiscretisation(0., netlist.transient->step), options...);
  circuit.attach(simulation);
  NetlistMeter meter(netlist.measures, 0., netlist.transient->end, [&](const NetlistSignal& signal) {
    return circuit.probe((signal.kind == NetlistSignal::Kind::current ? "i(" : "v(") + signal.first + ")");
  });
  meter.setImpulses([&](const NetlistSignal& signal) {
    return circuit.impulse((signal.kind == NetlistSignal::Kind::current ? "i(" : "v(") + signal.first + ")");
  });
  simulation.addObserver(std::make_shared<NetlistMeterWatch>(meter));
  simulation.initialise();
  meter.look(0.);
  simulation.run([&] { meter.look(simulation.time()); });
  std::vector<double> values;
  for (std::size_t k = 0; k < netlist.measures.size(); ++k) values.push_back(meter.value(k));
  return values;
}

void expectSquareWaves(const std::vector<double>& values) {
  EXPECT_NEAR(values[0], -1. + 4. * 0.37, 1e-12);
  EXPECT_NEAR(values[1], std::sqrt(1. + 8. * 0.37), 1e-12);
  EXPECT_EQ(values[2], 3.);
  EXPECT_NEAR(values[3], 2. * 0.4, 1e-12);
  EXPECT_NEAR(values[4], 0.5 * std::sqrt(0.4), 1e-12);
  EXPECT_NEAR(values[5], 1. * 0.4, 1e-12);
}

TEST(NetlistMeterWatch, IsExactOnSquareWavesOfTimeStepping) {
  expectSquareWaves(measuresOf<TimeStepping>(squareWaves, EulerMoreauOSI(1.)));
}

TEST(NetlistMeterWatch, IsExactOnSquareWavesFromEventToEvent) {
  expectSquareWaves(measuresOf<EventDriven>(squareWaves));
}

// A capacitor that is switched between a source and a load carries charge at instants alone: means of the source, of
// both switches and of the load are the same, but for what the capacitors keep of it in 100 periods.
void expectCharges(const std::vector<double>& values) {
  for (std::size_t k = 1; k < values.size(); ++k) EXPECT_NEAR(values[k], values[0], 1e-4 * values[0]) << k;
  EXPECT_NEAR(values[0], 0.0908, 1e-4);
}

constexpr const char* chargePump = R"(switched capacitor
V1 in 0 10
VG1 g1 0 PULSE(0 5 0 0 0 4u 10u)
VG2 g2 0 PULSE(0 5 5u 0 0 4u 10u)
S1 in a g1 0 sw
C1 a 0 1u IC=10
S2 a o g2 0 sw
C2 o 0 10u IC=9.08
R1 o 0 100
.model sw SW(VT=2.5)
.tran 0.1u 2m uic
.meas load AVG I(R1) from=1m
.meas source AVG 0-I(V1) from=1m
.meas first AVG I(S1) from=1m
.meas second AVG I(S2) from=1m
.meas power AVG 0-V(in)*I(V1)/10 from=1m
)";

TEST(NetlistMeterWatch, TakesChargesOfSwitchedCapacitorsOfTimeStepping) {
  expectCharges(measuresOf<TimeStepping>(chargePump, EulerMoreauOSI(1.)));
}

TEST(NetlistMeterWatch, TakesChargesOfSwitchedCapacitorsFromEventToEvent) {
  expectCharges(measuresOf<EventDriven>(chargePump));
}

// The node of a buck converter in discontinuous conduction jumps where its diode stops, too: V, 0, and the output.
TEST(NetlistMeterWatch, SeesWhatADiodeDoesFromEventToEvent) {
  const std::vector<double> values = measuresOf<EventDriven>(R"(discontinuous buck
V1 in 0 12
V2 g 0 PULSE(0 5 0 0 0 3u 10u)
Vo out 0 8
S1 in x g 0 sw
D1 0 x ideal
L1 x out 10u
.model sw SW(VT=2.5)
.model ideal D
.tran 0.7u 50u uic
.meas mean AVG V(x)
.meas current AVG I(L1)
)");
  EXPECT_NEAR(values[0], 8., 1e-9);  // no mean voltage across the inductor
  // A triangle up to 1.2 A in 3 µs, and down to zero in 1.5 µs.
  EXPECT_NEAR(values[1], 0.5 * 1.2 * 4.5 / 10., 1e-9);
}

}  // namespace
