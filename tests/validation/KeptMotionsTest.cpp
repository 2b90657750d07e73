// SPDX-License-Identifier: Apache-2.0
//
// Motions that were wrong once, by every scheme that keeps positions: short runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "BodiesWorld.hpp"

namespace delassus {
namespace {

enum class Keeping { whole, semiExplicit, thetaOne, direct, combined };

std::unique_ptr<TimeStepping> keepingSteps(NonSmoothDynamicalSystem& model, double h, Keeping keeping,
                                           TimeSteppingOptions options = {}) {
  const TimeDiscretisation steps(0., h);
  if (keeping == Keeping::direct) options.projection.kind = Projection::direct;
  if (keeping == Keeping::combined) options.projection.kind = Projection::combined;
  if (keeping == Keeping::semiExplicit) {
    return std::make_unique<TimeStepping>(model, steps, MoreauJeanOSI::semiExplicit(), options);
  }
  if (keeping == Keeping::thetaOne) return std::make_unique<TimeStepping>(model, steps, MoreauJeanOSI(1.), options);
  return std::make_unique<TimeStepping>(model, steps, options);
}

std::size_t warningsOfRun(TimeStepping& simulation) {
  const std::size_t before = Log::count(LogLevel::warning);
  Log::setTerminal(LogLevel::none);
  try {
    simulation.run();
  } catch (const Error&) {
    Log::setTerminal(LogLevel::warning);
    throw;
  }
  Log::setTerminal(LogLevel::warning);
  return Log::count(LogLevel::warning) - before;
}

class KeptMotions : public ::testing::TestWithParam<Keeping> {};

// Eight cubes that begin 1 mm above one another fall together face on face.
TEST_P(KeptMotions, ATowerWithGapsFallsTogether) {
  constexpr double edge = 0.1, gap = 1e-3;
  testing::World world(0.3, NewtonImpactFrictionNSL(0., 0., 0.5));
  world.standOnFloor();
  for (int k = 0; k < 8; ++k) {
    world.add(shareShape(BoxShape(edge, edge, edge)), {0., 0., edge * (k + 0.5) + gap * (k + 1.)});
  }
  const auto simulation = keepingSteps(world.model, 5e-3, GetParam());
  simulation->setInteractionManager(world.manager);
  simulation->run();
  // The solver's tolerance, 1e-8 of g h in each of 60 steps, at arms of eight cubes.
  for (int k = 0; k < 8; ++k) {
    EXPECT_LT(norm(world.bodies[static_cast<std::size_t>(k)]->position() - Vector3{0., 0., edge * (k + 0.5)}), 1e-7);
  }
}

// 1,000 N on 0.2 kg, and 20 N to and fro: a contact that is lost for a step of 2 ms is 1 cm deep.
TEST_P(KeptMotions, ThreeBoxesInAPressStay) {
  constexpr double edge = 0.06, force = 1000.;
  testing::World world(0.3, NewtonImpactFrictionNSL(0., 0., 0.3));
  world.standOnFloor();
  for (int k = 0; k < 3; ++k) {
    world.add(shareShape(BoxShape(edge, edge, edge)), {0., 0., edge * (k + 0.5)}, {1., 0., 0., 0.}, 926.);
  }
  world.bodies[2]->setExternalForces([](double t, Vector& f) {
    f(0) = 0.02 * force * std::sin(37. * t);
    f(2) = -force;
  });
  const auto simulation = keepingSteps(world.model, 2e-3, GetParam());
  simulation->setInteractionManager(world.manager);
  double off = 0.;
  simulation->run([&] {
    for (int k = 0; k < 3; ++k) {
      off = std::max(off, std::abs(world.bodies[static_cast<std::size_t>(k)]->q()(2) - edge * (k + 0.5)));
    }
  });
  // The solver leaves 1e-8 of F h/m = 10 m/s in a step of 2 ms: 2e-10 m, of three contacts, taken back by a fifth.
  EXPECT_LT(off, 5e-9);
  EXPECT_EQ(simulation->statistics().motion.lostLoads, 0u);
}

// Jaws on guides press with 156 times the force that holds the part.
TEST_P(KeptMotions, AGripHoldsAPart) {
  constexpr double edge = 0.05, mass = 0.2, mu = 0.5, force = 156. * mass * testing::gravity / (2. * mu);
  testing::World world(0.2, NewtonImpactFrictionNSL(0., 0., mu));
  world.model.setGravity({0., 0., -testing::gravity});
  const auto cube = shareShape(BoxShape(edge, edge, edge));
  world.add(cube, {0., 0., 0.}, {1., 0., 0., 0.}, mass / (edge * edge * edge));
  for (const double side : {-1., 1.}) {
    const NewtonEulerDS& jaw = world.add(cube, {side * edge, 0., 0.}, {1., 0., 0., 0.}, 1. / (edge * edge * edge));
    const auto body = world.bodies.back();
    body->setExternalForces(makeVector({-side * force, 0., 0.}));
    world.model.link(side < 0. ? "left guide" : "right guide", EqualityConditionNSL(5),
                     PrismaticJointR::at({side * edge, 0., 0.}, {1., 0., 0.}, jaw.q()), body);
  }
  const auto simulation = keepingSteps(world.model, 2e-3, GetParam());
  simulation->setInteractionManager(world.manager);
  simulation->run();
  // The solver's tolerance, 1e-8 of F h/m = 3 m/s, in 100 steps of 2 ms.
  EXPECT_LT(norm(world.bodies[0]->position()), 6e-9);
  EXPECT_EQ(simulation->statistics().motion.lostLoads, 0u);
}

std::string nameOfKeeping(const ::testing::TestParamInfo<Keeping>& keeping) {
  constexpr const char* names[] = {"Whole", "SemiExplicit", "ThetaOne", "Direct", "Combined"};
  return names[static_cast<std::size_t>(keeping.param)];
}

INSTANTIATE_TEST_SUITE_P(Schemes, KeptMotions,
                         ::testing::Values(Keeping::whole, Keeping::semiExplicit, Keeping::thetaOne, Keeping::direct,
                                           Keeping::combined),
                         nameOfKeeping);

// The centre of a disk that rolls steadily rises by a sixth within 0.4 s semi-explicitly, which gives it energy, and
// falls flat after 1.8 s with θ = 1: both say that the motion is not right.
TEST(KeptMotionsOfADisk, WarnWhereASchemeOfFirstOrderDoesNotKeepIt) {
  constexpr double r = 0.04, tilt = 0.5, across = 0.25 * r * r;
  const double spin = std::sqrt(4. * testing::gravity / (r * std::sin(tilt))) * std::sin(tilt);
  const auto run = [&](Keeping keeping, double end, double& height) {
    NonSmoothDynamicalSystem model(0., end);
    model.setGravity({0., 0., -testing::gravity});
    const auto disk = model.insert(
        "disk", std::make_shared<NewtonEulerDS>(
                    NewtonEulerDS::at({0., 0., r * std::sin(tilt)}, rotations::exponential({tilt, 0., 0.})),
                    makeVector({0., 0., 0., 0., spin, 0.}), 1., diagonalMatrix({across, across, 2. * across})));
    model.link("floor", NewtonImpactFrictionNSL(0., 0., 1.), NewtonEuler3DR(DiskPlane(r, Plane{}, {0., 0., 1.})), disk);
    const auto simulation = keepingSteps(model, 1e-3, keeping);
    std::size_t warnings = 0;
    bool ended = true;
    try {
      warnings = warningsOfRun(*simulation);
    } catch (const Error&) {
      ended = false;
    }
    height = disk->q()(2) / (r * std::sin(tilt));
    return warnings > 0 || !ended;
  };
  double height = 0.;
  EXPECT_FALSE(run(Keeping::whole, 0.4, height));
  EXPECT_NEAR(height, 1., 1e-4);
  EXPECT_TRUE(run(Keeping::semiExplicit, 0.4, height));
  EXPECT_GT(std::abs(height - 1.), 0.01);  // so much that somebody should be told
  EXPECT_TRUE(run(Keeping::thetaOne, 2., height));
  EXPECT_LT(height, 0.1);
}

// Two bars of 1 m on one prismatic joint are dropped, more or less tilted, with more or less of a rebound, until they
// lie: Newton's loop gets through all of it.
TEST(KeptMotionsOfBars, OnAPrismaticJointComeToRestOnAPlane) {
  for (const double tilt : {0.15, 0.3, 0.8}) {
    for (const double e : {0., 0.3}) {
      constexpr double width = 0.1, height = 1.;
      NonSmoothDynamicalSystem model(0., 2.5);
      model.setGravity({0., 0., -testing::gravity});
      const Quaternion p = rotations::exponential({tilt, 0., 0.});
      const Matrix inertia = NewtonEulerDS::boxInertia(1., width, width, 1.);
      std::vector<std::shared_ptr<NewtonEulerDS>> bars;
      for (const double x : {-0.055, 0.055}) {
        bars.push_back(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., height}, p), Vector(6), 1., inertia));
        model.insert(bars.back());
        model.link("floor of " + bars.back()->name(), NewtonImpactFrictionNSL(e, 0., 0.2),
                   NewtonEuler3DR(BoxPlane(width, width, 1., Plane{})), bars.back());
      }
      const auto joint = model.link(
          "slide", EqualityConditionNSL(5),
          PrismaticJointR::at({0., 0., height}, rotations::rotate(p, {0., 0., 1.}), bars[0]->q(), bars[1]->q()),
          bars[0], bars[1]);
      TimeStepping simulation(model, 2e-3);
      double drift = 0.;
      ASSERT_NO_THROW(simulation.run([&] { drift = std::max(drift, normInf(joint->y(0))); })) << tilt << ' ' << e;
      // Rates of less than 1e-9 of the speeds, some m/s, are rounding or the solver's: h/2 times that in 1250 steps.
      EXPECT_LT(drift, 5e-9) << tilt << ' ' << e;
      for (const auto& bar : bars) {
        EXPECT_NEAR(bar->q()(2), 0.5 * width, 1e-6) << tilt << ' ' << e;
        EXPECT_LT(normInf(bar->velocity()), 1e-6) << tilt << ' ' << e;
      }
    }
  }
}

// At rest by 1.2 s: of the depth of landings nothing stays.
TEST(KeptMotionsOfAPile, AHundredBallsLieOnEachOther) {
  constexpr double r = 0.1, h = 5e-3, wide = 5 * 0.21;
  testing::World world(1.2, NewtonImpactFrictionNSL(0., 0., 0.5));
  world.standOnFloor();
  world.manager->insertObstacle(Plane::through({-0.02, 0., 0.}, {1., 0., 0.}));
  world.manager->insertObstacle(Plane::through({wide, 0., 0.}, {-1., 0., 0.}));
  world.manager->insertObstacle(Plane::through({0., -0.02, 0.}, {0., 1., 0.}));
  world.manager->insertObstacle(Plane::through({0., wide, 0.}, {0., -1., 0.}));
  for (int i = 0; i < 100; ++i) {
    // Off the lattice by up to 4 mm.
    const double x = 0.004 * std::sin(12.9 * i), y = 0.004 * std::sin(78.2 * i);
    world.add(shareShape(SphereShape(r)),
              {0.1 + 0.21 * (i % 5) + x, 0.1 + 0.21 * (i / 5 % 5) + y, 0.11 + 0.21 * (i / 25)});
  }
  TimeStepping simulation(world.model, TimeDiscretisation(0., h), TimeSteppingOptions{.accuracy = Accuracy::coarse});
  simulation.setInteractionManager(world.manager);
  simulation.run();
  double sum = 0., deepest = 0.;
  std::size_t closed = 0;
  for (const auto& contact : world.manager->contacts()) {
    const double depth = std::max(-contact.interaction->y(0)(0), 0.);
    if (!(depth > 0.) && !(contact.interaction->lambda(1)(0) > 0.)) continue;
    sum += depth;
    deepest = std::max(deepest, depth);
    ++closed;
  }
  EXPECT_GT(closed, 150u);
  // An answer to 1e-3 of g h leaves 2.5e-7 m in a step, of which a fifth is taken back in the next.
  EXPECT_LT(sum / static_cast<double>(closed), 1e-4 * r);
  EXPECT_LT(deepest, 1e-3 * r);
  // While it falls, bodies are some g h² deep.
  EXPECT_LT(simulation.statistics().motion.depth.value, 10. * testing::gravity * h * h);
}

// A ball of 5 kg at 10 m/s goes through a wall of six boxes in large steps, of 17 cm of its way.
TEST(KeptMotionsOfABall, AtTenMetresASecondGetsThroughBoxes) {
  testing::World world(0.5, NewtonImpactFrictionNSL(0.3, 0., 0.5), 5e-3);
  world.standOnFloor();
  const auto box = shareShape(BoxShape(0.2, 0.2, 0.2));
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3 - row; ++k) {
      world.add(box, {0.5, -0.2 + 0.21 * (k + 0.5 * row), 0.1 + 0.2 * row}, {1., 0., 0., 0.}, 125.);
    }
  }
  NewtonEulerDS& ball = world.add(shareShape(SphereShape(0.15)), {0., 0., 0.3}, {1., 0., 0., 0.}, 354.);
  ball.setState(ball.q(), makeVector({10., 0., 0., 0., 0., 0.}));
  const double begin = world.energy();
  TimeStepping simulation(world.model, TimeDiscretisation(0., 1. / 60.), TimeSteppingOptions{});
  simulation.setInteractionManager(world.manager);
  std::size_t warnings = 0;
  ASSERT_NO_THROW(warnings = warningsOfRun(simulation));
  EXPECT_GT(ball.q()(0), 1.);
  EXPECT_LT(world.energy(), begin);
  // Boxes that it throws turn by a large angle in a step, and are deep in others for some steps (here 4 cm), of which
  // the audit warns. Nothing of it stays.
  const MotionExtreme& depth = simulation.statistics().motion.depth;
  EXPECT_LT(depth.value, 0.5 * 10. / 60.);
  double left = 0.;
  for (const auto& contact : world.manager->contacts()) left = std::max(left, -contact.interaction->y(0)(0));
  EXPECT_LT(left, 1e-4);  // of boxes that still tumble, after 0.5 s
  EXPECT_TRUE(depth.relative < MotionAuditOptions{}.depth || warnings > 0);
}

}  // namespace
}  // namespace delassus
