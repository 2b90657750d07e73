// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/simulation/StepDivision.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(StepDivision, HalvesAPieceThreeTimesAndThenTakesItWhole) {
  StepDivision division(6);
  EXPECT_EQ(division.longestPiece(0.8), 0.8);
  for (const double piece : {0.4, 0.2, 0.1}) {
    EXPECT_TRUE(division.revise());
    EXPECT_TRUE(division.isHalved());
    EXPECT_EQ(division.longestPiece(0.8), piece);
  }
  EXPECT_TRUE(division.revise());
  EXPECT_EQ(division.longestPiece(0.8), 0.8);
  EXPECT_FALSE(division.isHalved());
  EXPECT_FALSE(division.revise());
}

TEST(StepDivision, WaitsLongerEachTimeThatHalvesHaveNotHelped) {
  StepDivision division(6);
  for (const std::size_t pause : {1U, 3U, 7U, 15U, 31U, 63U, 63U}) {
    while (division.revise()) {
    }
    division.accept(50, true);
    for (std::size_t k = 0; k < pause; ++k) {
      EXPECT_FALSE(division.revise()) << "piece " << k << " of " << pause;
      division.accept(50, true);
    }
  }
  // One that helps ends that.
  EXPECT_TRUE(division.revise());
  division.accept(5, true);
  EXPECT_TRUE(division.revise());
}

TEST(StepDivision, MakesTheNextStepsInAsManyPiecesUntilTheirLoopsAreQuick) {
  StepDivision division(6);
  EXPECT_TRUE(division.revise());
  EXPECT_TRUE(division.revise());
  division.accept(20, false);
  EXPECT_TRUE(division.isDivided());
  for (std::size_t piece = 0; piece < 3; ++piece) division.accept(5, piece == 2);
  EXPECT_EQ(division.longestPiece(1.), 0.25);  // one loop of the step was slow
  for (std::size_t piece = 0; piece < 4; ++piece) division.accept(5, piece == 3);
  EXPECT_EQ(division.longestPiece(1.), 0.5);
  for (std::size_t piece = 0; piece < 2; ++piece) division.accept(5, piece == 1);
  EXPECT_EQ(division.longestPiece(1.), 1.);
  EXPECT_FALSE(division.isDivided());
}

TEST(StepDivision, GoesNoFurtherThanItMay) {
  StepDivision never(0);
  EXPECT_FALSE(never.revise());
  StepDivision twice(2);
  EXPECT_TRUE(twice.revise());
  EXPECT_TRUE(twice.revise());
  twice.accept(20, false);
  EXPECT_FALSE(twice.revise());
  EXPECT_EQ(twice.longestPiece(1.), 0.25);
}

TEST(StepDivision, OfMoreHalvingsThanANumberOfTimesKnowsIsRefused) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1)));
  TimeSteppingOptions options;
  options.mostHalvings = StepDivision::limit + 1;
  expectError([&] { TimeStepping(model, 0.1, options); }, {"mostHalvings", "30", "31"});
}

}  // namespace
