// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/numerics/Error.hpp>
#include <vector>

namespace {

using namespace delassus;

// Two interactions, of three outputs in one block and of two in two, the second with a node of its own besides the one
// that they share.
struct TwoInteractions {
  std::vector<double> left, right;
  StepEquations equations;

  TwoInteractions() {
    for (int k = 1; k <= 14; ++k) {
      left.push_back(k);
      right.push_back(0.5 * k);
    }
    equations.clear("test");
    equations.addInteraction(3, 1);
    equations.addCoupling(0, 2, left.data(), right.data());
    equations.addInteraction(2, 2);
    equations.addCoupling(1, 2, left.data() + 6, right.data() + 6);
    equations.addCoupling(0, 2, left.data() + 10, right.data() + 10);
    equations.finish();
  }
};

TEST(StepEquations, PutsTheRowsOfInteractionsOneAfterAnother) {
  TwoInteractions t;
  EXPECT_EQ(t.equations.interactions(), 2U);
  EXPECT_EQ(t.equations.size(0), 3U);
  EXPECT_EQ(t.equations.size(1), 2U);
  EXPECT_EQ(t.equations.blocks(1), 2U);
  EXPECT_EQ(t.equations.couplingBegin(1), 1U);
  EXPECT_EQ(t.equations.couplingEnd(1), 3U);
  EXPECT_EQ(t.equations.couplings()[2].interaction, 1U);
  EXPECT_EQ(t.equations.couplings()[2].rows, 2U);
  EXPECT_EQ(t.equations.multipliers().size(), 5U);
  t.equations.multiplier(1)[0] = 7.;
  EXPECT_EQ(t.equations.multipliers()[3], 7.);
}

TEST(StepEquations, TellsTheCouplingsOfANode) {
  TwoInteractions t;
  const auto at = [&](std::size_t node) {
    const auto couplings = t.equations.couplingsAt(node);
    return std::vector<std::uint32_t>(couplings.begin(), couplings.end());
  };
  EXPECT_EQ(t.equations.coupledNodes(), 2U);
  EXPECT_EQ(at(0), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(at(1), (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(at(2).empty());
  t.equations.clear("test");
  t.equations.addInteraction(3, 1);
  t.equations.addCoupling(3, 2, t.left.data(), t.right.data());
  t.equations.finish();
  EXPECT_EQ(t.equations.coupledNodes(), 4U);
  EXPECT_TRUE(at(0).empty());
  EXPECT_EQ(at(3), (std::vector<std::uint32_t>{0}));
  t.equations.clear("test");
  t.equations.finish();
  EXPECT_EQ(t.equations.coupledNodes(), 0U);
}

TEST(StepEquations, CouplingsMapStatesToOutputsAndMultipliersToStates) {
  const TwoInteractions t;
  const StepEquations::Coupling& coupling = t.equations.couplings()[0];
  const double x[2] = {1., 10.};
  double y[3] = {100., 100., 100.};
  coupling.addOutput(x, y);  // left is (1, 4; 2, 5; 3, 6)
  EXPECT_EQ(y[0], 141.);
  EXPECT_EQ(y[1], 152.);
  EXPECT_EQ(y[2], 163.);
  const double lambda[3] = {1., 10., 100.};
  double input[2] = {0., 1.}, state[2] = {0., 1.};
  coupling.addInput(lambda, input);
  EXPECT_EQ(input[0], 321.);
  EXPECT_EQ(input[1], 655.);
  coupling.addState(lambda, state);  // right is ½ (1, 3, 5; 2, 4, 6)
  EXPECT_EQ(state[0], 265.5);
  EXPECT_EQ(state[1], 322.);
}

TEST(StepEquations, VersionsChangeWithActivityAndStructureAlone) {
  TwoInteractions t;
  const auto before = t.equations.indexSetVersion();
  t.equations.setActive(1, 1, false);
  EXPECT_EQ(t.equations.indexSetVersion(), before);
  t.equations.setActive(1, 1, true);
  EXPECT_NE(t.equations.indexSetVersion(), before);
  EXPECT_TRUE(t.equations.isActive(1, 1));
  EXPECT_FALSE(t.equations.isActive(1, 0));
  const auto active = t.equations.indexSetVersion();
  t.equations.touchBlocks();
  EXPECT_EQ(t.equations.indexSetVersion(), active);
  t.equations.finish();
  EXPECT_NE(t.equations.indexSetVersion(), active);
  EXPECT_FALSE(t.equations.isActive(1, 1));
}

// Of interaction 0 with the nodes 1 and 0, and of interaction 1 with 0 twice and with 1: the second coupling with a
// node has no block of its own.
TEST(StepEquations, RightBlocksOfANodeLieTogether) {
  const std::vector<double> left(20, 1.);
  StepEquations equations;
  equations.clear("test");
  const auto add = [&](std::size_t node, std::size_t first) {
    equations.addPlacedCoupling(node, {first, 1, 2, nullptr}, left.data());
  };
  equations.addInteraction(3, 1);
  add(1, 0);
  add(0, 0);
  equations.addInteraction(1, 1);
  add(0, 0);
  add(0, 1);
  add(1, 1);
  equations.finish();
  const auto right = [&](std::size_t coupling) { return equations.couplings()[coupling].right; };
  EXPECT_EQ(right(2) - right(1), 6);  // node 0: 3 x 2, 1 x 2
  EXPECT_EQ(right(0) - right(2), 2);  // node 1
  EXPECT_EQ(right(4) - right(0), 6);
  EXPECT_EQ(right(3), nullptr);
  equations.rightOf(4)[1] = 7.;
  EXPECT_EQ(right(4)[1], 7.);
  equations.finish();
  EXPECT_EQ(right(4)[1], 0.);
  equations.addCoupling(0, 1, left.data(), left.data());
  EXPECT_THROW(equations.finish(), Error);
}

// Its blocks would be those of the original, which may be gone.
TEST(StepEquations, ACopyIsEmpty) {
  TwoInteractions t;
  const StepEquations copy = t.equations;  // NOLINT: what is tested
  EXPECT_EQ(copy.interactions(), 0U);
  EXPECT_TRUE(copy.couplings().empty());
  StepEquations assigned;
  assigned = t.equations;
  EXPECT_EQ(assigned.interactions(), 0U);
  EXPECT_EQ(t.equations.interactions(), 2U);
}

}  // namespace
