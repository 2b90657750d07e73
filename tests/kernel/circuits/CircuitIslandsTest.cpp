// SPDX-License-Identifier: Apache-2.0
//
// Large islands are cut into parts of neighbours, and move as if they were not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <map>
#include <string>
#include <support/CircuitRuns.hpp>
#include <support/Circuits.hpp>
#include <support/Matchers.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr std::size_t stages = 200;

TEST(CircuitIslandsTest, ALadderOfDiodesIsCutIntoFewSystemsAndInteractions) {
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance ladder = makeDiodeLadder(stages).insertInto(model, "ladder");
  std::map<std::string, int> seen;
  for (const std::string& name : ladder.stateNames()) ++seen[name];
  for (const std::string& name : ladder.multiplierNames()) ++seen[name];
  EXPECT_EQ(seen.size(), 2 * stages);
  for (const auto& [name, count] : seen) EXPECT_EQ(count, 1) << name;
  EXPECT_LE(ladder.systems().size(), stages / 4);
  EXPECT_LE(ladder.interactions().size(), stages / 4);
  for (const auto& interaction : ladder.interactions()) EXPECT_LE(interaction->size(), 16U);
}

TEST(CircuitIslandsTest, ALadderThatIsCutMovesAsItsMatricesByHand) {
  const double end = 7.;  // more than a period of the sources
  NonSmoothDynamicalSystem model(0., end);
  const CircuitInstance ladder = makeDiodeLadder(stages).insertInto(model, "ladder");
  DiodeLadder hand(stages, end);
  TimeStepping byElements(model, 0.05, EulerMoreauOSI(0.5));
  TimeStepping byHand(hand.model, 0.05, EulerMoreauOSI(0.5));
  std::vector<std::function<double()>> voltages, currents;
  for (std::size_t k = 1; k <= stages; ++k) {
    voltages.push_back(ladder.probe("v(C" + std::to_string(k) + ")"));
    currents.push_back(ladder.probe("i(D" + std::to_string(k) + ")"));
  }
  while (byHand.hasNextStep()) {
    byHand.step();
    byElements.step();
    // Both are certified to 1e-10 of voltages up to 10.
    for (std::size_t k = 0; k < stages; ++k) {
      ASSERT_NEAR(voltages[k](), hand.stages[k]->x()(0), 1e-9) << k;
      ASSERT_NEAR(currents[k](), hand.diodes[k]->lambda(0)(0), 1e-8) << k;
    }
  }
}

// Resistors between capacitors tie all states of a line; its diodes are cut into groups that see parts of them.
TEST(CircuitIslandsTest, ALineOfCapacitorsAndResistorsIsOneSparseSystem) {
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance line = makeClampedLine(stages, 1.).insertInto(model, "line");
  ASSERT_EQ(line.systems().size(), 1U);
  EXPECT_TRUE(line.systems().front()->isSparse());
  EXPECT_LE(line.interactions().size(), stages / 4);
  EXPECT_GE(line.interactions().size(), stages / 16);
}

// A short line is one dense part; the nodes near the beginning of a long one move as those of it, until what happens
// beyond its end has come to them: by less than (h/RC)^k at k nodes from there.
TEST(CircuitIslandsTest, ALineThatIsCutMovesAsADenseOne) {
  const auto voltagesOf = [](std::size_t nodes) {
    std::vector<double> voltages;
    runStepping(makeClampedLine(nodes, 10.), 3., 0.01, 0.5, [&](double, const CircuitInstance& line) {
      for (std::size_t k = 1; k <= 20; ++k) voltages.push_back(line.voltage("n" + std::to_string(k)));
    });
    return voltages;
  };
  const std::vector<double> dense = voltagesOf(50), cut = voltagesOf(stages);
  ASSERT_EQ(dense.size(), cut.size());
  double largest = 0.;
  for (std::size_t k = 0; k < dense.size(); ++k) {
    ASSERT_NEAR(dense[k], cut[k], 1e-9);
    largest = std::max(largest, dense[k]);
  }
  EXPECT_GT(largest, 0.2);
}

}  // namespace
