// SPDX-License-Identifier: Apache-2.0
//
// Impacts of Schatzman–Paoli's scheme, which take two steps, among steps that change.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <memory>
#include <random>
#include <support/Models.hpp>
#include <vector>

namespace delassus::test {
namespace {

// A ball that comes from `height` above a wall with the speed 1 and no forces: its speed after these steps. The wall is
// that of a linear relation, or of one whose Jacobian changes, h = q + q²/10.
double speedAfter(const std::vector<double>& steps, double height, double restitution, bool isLinear) {
  std::vector<double> instants{0.};
  for (const double step : steps) instants.push_back(instants.back() + step);
  NonSmoothDynamicalSystem model(0., instants.back());
  const auto ball = std::make_shared<LagrangianLinearTIDS>(Vector(1, height), Vector(1, -1.), Matrix(1, 1, 1.));
  model.insert("ball", ball);
  const NewtonImpactNSL law(restitution);
  if (isLinear) {
    model.link("wall", law, LagrangianLinearTIR(Matrix(1, 1, 1.)), ball);
  } else {
    model.link("wall", law,
               LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) { y(0) = q(0) + 0.1 * q(0) * q(0); })),
               ball);
  }
  TimeStepping simulation(model, TimeDiscretisation(instants), SchatzmanPaoliOSI());
  simulation.run();
  return ball->velocity()(0);
}

// The change of h lies anywhere around the impact.
TEST(SchatzmanPaoliSteps, KeepRestitutionWhereverTheStepChangesOnce) {
  constexpr int phases = 100;
  for (const double restitution : {0.3, 0.8, 1.}) {
    for (const double ratio : {0.1, 0.25, 0.5, 0.9, 1.25, 2.}) {
      std::vector<double> steps(8, 0.01);
      steps.resize(40, ratio * 0.01);
      for (int phase = 0; phase < phases; ++phase) {
        const double height = 0.07 + 0.02 * (phase + 0.5) / phases;
        EXPECT_NEAR(speedAfter(steps, height, restitution, true), restitution, 1e-12) << ratio << ' ' << height;
        // The curvature of the gap counts, by the steps squared.
        EXPECT_NEAR(speedAfter(steps, height, restitution, false), restitution, 0.01) << ratio << ' ' << height;
      }
    }
  }
}

TEST(SchatzmanPaoliSteps, KeepRestitutionWhileStepsWanderByAThird) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> step(0.7e-2, 1.3e-2), phase(0., 1e-2);
  for (int k = 0; k < 500; ++k) {
    std::vector<double> steps(24);
    for (double& one : steps) one = step(random);
    EXPECT_NEAR(speedAfter(steps, 0.07 + phase(random), 0.8, true), 0.8, 1e-12);
  }
}

// A clock that is no multiple of the step cuts steps into pieces of any size.
TEST(SchatzmanPaoliSteps, LetABallReboundBesideAClockAsWithout) {
  constexpr double restitution = 0.8, fall = 1.;
  for (const double h : {2e-3, 1e-3, 2e-4}) {
    BouncingBall ball(fall, 0., restitution, 1.5);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI());
    simulation.addSampling("clock", TimeDiscretisation(0., 1e-3 / 1.37), [] {});
    double highest = 0.;
    simulation.run([&] {
      if (simulation.time() > 0.5) highest = std::max(highest, ball.ball->q()(0));
    });
    // A ball leaves the floor up to two steps before or after its impact, each of which is h or the clock's, if
    // shorter.
    const double speed = std::sqrt(2. * BouncingBall::gravity * fall);
    EXPECT_NEAR(highest, restitution * restitution * fall, 2. * restitution * speed * std::min(h, 1e-3 / 1.37));
  }
}

// Jumps die out, and the ball then lies on the surface.
TEST(SchatzmanPaoliSteps, LetABallComeToRestBesideAClock) {
  BouncingBall ball(0.05, 0., 0.5, 2.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 2e-3), SchatzmanPaoliOSI());
  simulation.addSampling("clock", TimeDiscretisation(0., 1.37e-3), [] {});
  double deepest = 0., fastest = 0.;
  simulation.run([&] {
    if (simulation.time() < 1.5) return;
    deepest = std::max(deepest, std::abs(ball.ball->q()(0)));
    fastest = std::max(fastest, std::abs(ball.ball->velocity()(0)));
  });
  EXPECT_LT(deepest, BouncingBall::gravity * 2e-3 * 2e-3);
  EXPECT_LT(fastest, BouncingBall::gravity * 2e-3);
}

}  // namespace
}  // namespace delassus::test
