// SPDX-License-Identifier: Apache-2.0
//
// Stacks of boxes: four contacts a pair of faces, so that there are many more reactions than equations.
#include <gtest/gtest.h>

#include <cstdio>

#include "BodiesWorld.hpp"

namespace delassus {
namespace {

constexpr double h = 5e-3;
constexpr double settling = 1.;  // s; the boxes begin a tenth of the margin above each other

struct Stack : testing::World {
  Stack() : World(1e3, NewtonImpactFrictionNSL(0., 0., 0.5), 2e-3) { standOnFloor(); }
  void addBox(const Vector3& x, const Vector3& edges) { add(shareShape(BoxShape(edges[0], edges[1], edges[2])), x); }
};

struct Creep {
  double shift = 0., turn = 0.;  // largest, m and rad
  double allowed = 0.;           // m
};

// From the state after settling, over so many steps.
Creep creepOf(Stack& stack, std::size_t steps) {
  TimeStepping simulation(stack.model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, AutomaticFrictionSolver(1e-8)));
  simulation.setInteractionManager(stack.manager);
  while (simulation.time() < settling) simulation.step();
  const testing::Places places(stack.bodies);
  for (std::size_t k = 0; k < steps; ++k) simulation.step();
  const Creep creep{places.shift(), places.turn(), testing::creepAllowed(steps, h, 4 * stack.manager->contactCount())};
  std::printf("[          ] creep %.2e m, %.2e rad; %zu interactions\n", creep.shift, creep.turn,
              stack.manager->contactCount());
  return creep;
}

TEST(BoxStacks, APyramidOfTenBoxesStaysAtRest) {
  Stack stack;
  for (int row = 0; row < 4; ++row) {
    for (int k = 0; k < 4 - row; ++k) {
      stack.addBox({0.42 * k + 0.21 * row, 0., 0.1 + 0.2002 * row + 2e-4}, {0.4, 0.3, 0.2});
    }
  }
  const Creep creep = creepOf(stack, 10000);
  EXPECT_LT(creep.shift, creep.allowed);
  EXPECT_LT(creep.turn, creep.allowed / 0.1);
}

TEST(BoxStacks, AWallInBondStaysAtRest) {
  Stack stack;
  for (int row = 0; row < 4; ++row) {
    const bool isOdd = row % 2 == 1;
    for (int k = 0; k < 3; ++k) {
      // Odd rows are shifted by half a brick and end with half bricks, so that the wall has straight ends.
      const double z = 0.05 + 0.1002 * row + 2e-4;
      if (!isOdd) stack.addBox({0.2 * k, 0., z}, {0.198, 0.1, 0.1});
      if (isOdd && k < 2) stack.addBox({0.2 * k + 0.1, 0., z}, {0.198, 0.1, 0.1});
      if (isOdd && k != 1) stack.addBox({k == 0 ? -0.05 : 0.45, 0., z}, {0.098, 0.1, 0.1});
    }
  }
  const Creep creep = creepOf(stack, 10000);
  EXPECT_LT(creep.shift, creep.allowed);
  EXPECT_LT(creep.turn, creep.allowed / 0.05);
}

TEST(BoxStacks, ATowerOfTenBoxesStaysAtRest) {
  Stack stack;
  for (int k = 0; k < 10; ++k) stack.addBox({0.01 * (k % 3), 0., 0.1 + 0.2002 * k + 2e-4}, {0.3, 0.3, 0.2});
  const Creep creep = creepOf(stack, 10000);
  EXPECT_LT(creep.shift, creep.allowed);
  EXPECT_LT(creep.turn, creep.allowed / 0.1);
}

}  // namespace
}  // namespace delassus
