// SPDX-License-Identifier: Apache-2.0
//
// A converter of fifteen H-bridges, 60 switches and 60 diodes, from its netlist.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <map>
#include <string>
#include <support/CircuitRuns.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(CircuitMultilevelTest, AConverterOfCascadedBridgesHasElevenCertifiedLevelsAPhase) {
  const double period = 0.02, cell = 100., end = 3. * period;
  const Netlist netlist = readNetlist(std::string(DELASSUS_NETLISTS) + "/multilevel.cir");
  NonSmoothDynamicalSystem model(0., end);
  CircuitInstance converter = insertNetlist(netlist, model, "converter");
  EXPECT_GE(converter.multiplierNames().size(), 120U);
  TimeStepping simulation(model, netlist.transient->step, EulerMoreauOSI(1.));
  converter.attach(simulation);
  std::vector<std::map<int, int>> levels(3);
  std::vector<std::function<double()>> voltages;
  for (const char* const node : {"ua", "ub", "uc"}) voltages.push_back(converter.probe(std::string("v(") + node + ")"));
  const auto current = converter.probe("i(La)");
  FourierSeries series(end - period, period, 1);
  double largest = 0.;
  simulation.run([&] {
    expectTellegen(converter, simulation.time(), 1e-11);  // its currents are sums of a hundred terms
    if (simulation.time() < end - period) return;
    series.add(simulation.time(), voltages[0]());
    largest = std::max(largest, std::abs(current()));
    for (std::size_t phase = 0; phase < 3; ++phase) {
      const double v = voltages[phase]();
      const double level = std::round(v / cell);
      ++levels[phase][static_cast<int>(level)];
      // Ten switches or diodes of 10 mΩ with at most 60 A.
      EXPECT_NEAR(v, cell * level, 10. * 0.01 * 60.) << "t = " << simulation.time();
    }
  });
  EXPECT_LT(largest, 60.);
  for (const auto& ofPhase : levels) {
    ASSERT_EQ(ofPhase.size(), 11U);
    EXPECT_EQ(ofPhase.begin()->first, -5);
    EXPECT_EQ(ofPhase.rbegin()->first, 5);
  }
  // Pulses from the angles of the netlist to 180° minus them; drops of up to 1 % of the voltage.
  double fundamental = 0.;
  for (const double angle : {5.739, 17.458, 30., 44.427, 64.158}) {
    fundamental += 4. * cell / M_PI * std::cos(angle * M_PI / 180.);
  }
  EXPECT_NEAR(series.amplitude(1), fundamental, 0.015 * fundamental);
  const StepStatistics& statistics = simulation.statistics();
  EXPECT_EQ(statistics.relaxed, 0U);
  EXPECT_EQ(statistics.acceptedFailures, 0U);
  EXPECT_LE(statistics.worstError, 1e-8);
}

}  // namespace
