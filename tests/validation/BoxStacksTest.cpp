// SPDX-License-Identifier: Apache-2.0
//
// Stacks of boxes: four contacts a pair of faces, so that there are many more reactions than equations.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/collision/CollisionModels.hpp"

namespace delassus {
namespace {

using testing::letFall;
using testing::makeBox;

constexpr double h = 5e-3;
constexpr double settling = 1.;  // s; the boxes begin a tenth of the margin above each other
constexpr double solverTolerance = 1e-8;

struct Stack {
  NonSmoothDynamicalSystem model{0., 1e3};
  std::shared_ptr<CollisionManager> manager =
      std::make_shared<CollisionManager>(2e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  std::vector<std::shared_ptr<NewtonEulerDS>> boxes;

  Stack() { manager->insertObstacle(Plane{}); }

  void add(const Vector3& x, const Vector3& edges) {
    boxes.push_back(makeBox(x, edges));
    letFall(*boxes.back());
    model.insert(boxes.back());
    manager->insert(boxes.back(), BoxShape(edges[0], edges[1], edges[2]));
  }
};

struct Creep {
  double shift = 0.;  // largest, m
  double turn = 0.;   // largest, rad
  double speed = 0.;  // largest of all steps, m/s and rad/s
};

// From the state after settling, over so many steps.
Creep creepOf(Stack& stack, std::size_t steps) {
  TimeStepping simulation(stack.model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, AutomaticFrictionSolver(solverTolerance)));
  simulation.setInteractionManager(stack.manager);
  while (simulation.time() < settling) simulation.step();
  std::vector<Vector> before;
  for (const auto& box : stack.boxes) before.push_back(box->q());
  Creep creep;
  for (std::size_t k = 0; k < steps; ++k) {
    simulation.step();
    for (const auto& box : stack.boxes) creep.speed = std::max(creep.speed, normInf(box->velocity()));
  }
  for (std::size_t k = 0; k < before.size(); ++k) {
    const NewtonEulerDS& box = *stack.boxes[k];
    creep.shift = std::max(creep.shift, norm(box.position() - vector3(data(before[k]))));
    const Quaternion p{before[k](3), before[k](4), before[k](5), before[k](6)};
    creep.turn = std::max(creep.turn,
                          norm(rotations::logarithm(rotations::product(rotations::conjugate(p), box.orientation()))));
  }
  std::printf("[          ] creep %.2e m, %.2e rad; largest speed %.2e; %zu interactions\n", creep.shift, creep.turn,
              creep.speed, stack.manager->contactCount());
  return creep;
}

// The creep that a solver error of 1e-8 allows in 10⁴ steps of h: it is relative to the norm of the free velocities, g
// h at each of four points a pair.
double creepLimit(const Stack& stack) {
  return 1e4 * h * solverTolerance * testing::gravity * h *
         std::sqrt(4. * static_cast<double>(stack.manager->contactCount()));
}

TEST(BoxStacks, APyramidOfTenBoxesStaysAtRest) {
  Stack stack;
  for (int row = 0; row < 4; ++row) {
    for (int k = 0; k < 4 - row; ++k) {
      stack.add({0.42 * k + 0.21 * row, 0., 0.1 + 0.2002 * row + 2e-4}, {0.4, 0.3, 0.2});
    }
  }
  const Creep creep = creepOf(stack, 10000);
  EXPECT_LT(creep.shift, creepLimit(stack));
  EXPECT_LT(creep.turn, creepLimit(stack) / 0.1);
}

TEST(BoxStacks, AWallInBondStaysAtRest) {
  Stack stack;
  for (int row = 0; row < 4; ++row) {
    const bool isOdd = row % 2 == 1;
    for (int k = 0; k < 3; ++k) {
      // Odd rows are shifted by half a brick and end with half bricks, so that the wall has straight ends.
      const double z = 0.05 + 0.1002 * row + 2e-4;
      if (!isOdd) stack.add({0.2 * k, 0., z}, {0.198, 0.1, 0.1});
      if (isOdd && k < 2) stack.add({0.2 * k + 0.1, 0., z}, {0.198, 0.1, 0.1});
      if (isOdd && k != 1) stack.add({k == 0 ? -0.05 : 0.45, 0., z}, {0.098, 0.1, 0.1});
    }
  }
  const Creep creep = creepOf(stack, 10000);
  EXPECT_LT(creep.shift, creepLimit(stack));
  EXPECT_LT(creep.turn, creepLimit(stack) / 0.05);
}

TEST(BoxStacks, ATowerOfTenBoxesStaysAtRest) {
  Stack stack;
  for (int k = 0; k < 10; ++k) stack.add({0.01 * (k % 3), 0., 0.1 + 0.2002 * k + 2e-4}, {0.3, 0.3, 0.2});
  const Creep creep = creepOf(stack, 10000);
  EXPECT_LT(creep.shift, creepLimit(stack));
  EXPECT_LT(creep.turn, creepLimit(stack) / 0.1);
}

}  // namespace
}  // namespace delassus
