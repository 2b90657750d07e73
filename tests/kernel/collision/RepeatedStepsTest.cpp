// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <filesystem>

#include "CollisionModels.hpp"

// Steps that are made again with the contacts that they had missed: whatever was kept of the attempt before, the motion
// that is accepted satisfies the discrete equations, here computed anew.
namespace delassus {
namespace {

using testing::gravity;
using testing::letFall;
using testing::makeBall;

constexpr double h = 5e-3, radius = 0.05;

// Balls that fly about between four walls and fall onto a floor.
struct Heap {
  NonSmoothDynamicalSystem model{0., 10.};
  std::shared_ptr<CollisionManager> manager;
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  std::vector<Vector> q, v;  // before a step

  explicit Heap(std::size_t number)
      : manager(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5))) {
    constexpr double spacing = 2.3 * radius;
    manager->insertObstacle(Plane{});
    for (const double side : {1., -1.}) {
      manager->insertObstacle(Plane{{side, 0., 0.}, side > 0. ? 0. : -3. * spacing});
      manager->insertObstacle(Plane{{0., side, 0.}, side > 0. ? 0. : -3. * spacing});
    }
    std::mt19937 random(7);
    for (std::size_t k = 0; k < number; ++k) {
      const auto place = [&](std::size_t i) { return spacing * (0.5 + static_cast<double>(i)); };
      const Vector3 x =
          Vector3{place(k % 3), place(k / 3 % 3), place(k / 9)} + testing::randomVector(random, 0.1 * radius);
      const Vector3 speed = testing::randomVector(random, 1.);
      balls.push_back(makeBall(x, radius));
      letFall(*balls.back());
      balls.back()->setState(balls.back()->q(), Vector{speed[0], speed[1], speed[2] - 1., 0., 0., 0.});
      model.insert(balls.back());
      manager->insert(balls.back(), SphereShape(radius));
    }
  }

  void remember() {
    q.clear();
    v.clear();
    for (const auto& ball : balls) {
      q.push_back(ball->q());
      v.push_back(ball->velocity());
    }
  }
  std::size_t numberOf(const DynamicalSystem& system) const {
    return static_cast<std::size_t>(
        std::find_if(balls.begin(), balls.end(), [&](const auto& ball) { return ball.get() == &system; }) -
        balls.begin());
  }
  // Σ Gᵀ λ of each ball, with G where the step began.
  std::vector<Vector> inputs() {
    std::vector<Vector> inputs(balls.size(), Vector(6));
    for (const auto& interaction : model.topology().interactions()) {
      const auto systems = model.topology().systemsOf(*interaction);
      Vector stacked;
      for (const auto& system : systems) append(q[numberOf(*system)], stacked);
      Matrix G(3, 6 * systems.size());
      interaction->relation().secondOrder()->computeJacobian(0., stacked, Vector(3), G);
      for (std::size_t j = 0; j < G.size2(); ++j) {
        for (std::size_t i = 0; i < 3; ++i) {
          inputs[numberOf(*systems[j / 6])](j % 6) += G(i, j) * interaction->lambda(1)(i);
        }
      }
    }
    return inputs;
  }
};

TEST(RepeatedSteps, SatisfyTheDiscreteEquationsOfTheirAcceptedMotion) {
  Heap heap(63);
  TimeStepping simulation(heap.model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, AutomaticFrictionSolver(1e-4)));
  simulation.setInteractionManager(heap.manager);
  double worst = 0., largest = 0.;
  for (int step = 0; step < 80; ++step) {
    heap.remember();
    simulation.step();
    const std::vector<Vector> inputs = heap.inputs();
    for (std::size_t k = 0; k < heap.balls.size(); ++k) {
      NewtonEulerDS& ball = *heap.balls[k];
      const double mass = ball.scalarMass(), inertia = 0.4 * mass * radius * radius;
      for (std::size_t i = 0; i < 6; ++i) {
        const double change = (i < 3 ? mass : inertia) * (ball.velocity()(i) - heap.v[k](i));
        const double force = i == 2 ? -h * mass * gravity : 0.;
        worst = std::max(worst, std::abs(change - force - inputs[k](i)) / (i < 3 ? 1. : radius));
        largest = std::max(largest, std::abs(inputs[k](i)));
        EXPECT_NEAR(ball.p()(i), inputs[k](i), 1e-12 * largest);
      }
    }
  }
  // A ball with six contacts has eighteen terms an impulse.
  EXPECT_LE(worst, 1e-13 * largest);
  EXPECT_GE(simulation.statistics().repetitions, 1u);
  EXPECT_LT(simulation.statistics().repetitions, 20u);  // 3 of 80 steps when this was written
}

// Saved right after the first of them: the forecast of the next steps depends on what it had missed.
TEST(RepeatedSteps, GoOnToTheSameBitsFromACheckpoint) {
  const auto file = std::filesystem::temp_directory_path() / "delassus_repeated_steps.checkpoint";
  const auto run = [&](bool isRestarted) {
    Heap heap(63);
    TimeStepping simulation(heap.model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                            FrictionContact(3, AutomaticFrictionSolver(1e-4)));
    simulation.setInteractionManager(heap.manager);
    bool isSaved = isRestarted;
    if (isRestarted) restoreCheckpoint(simulation, file);
    while (simulation.stepIndex() < 80) {
      simulation.step();
      if (isSaved || simulation.statistics().repetitions == 0) continue;
      saveCheckpoint(simulation, file);
      isSaved = true;
    }
    EXPECT_TRUE(isSaved);
    Vector all;
    for (const auto& ball : heap.balls) append(ball->q(), all);
    return all;
  };
  const Vector whole = run(false), restarted = run(true);
  std::filesystem::remove(file);
  EXPECT_TRUE(whole.data() == restarted.data());
}

}  // namespace
}  // namespace delassus
