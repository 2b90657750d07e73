// SPDX-License-Identifier: Apache-2.0
//
// Event-driven runs that are saved and restored go on to the same bits: models of all kinds.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <numbers>
#include <support/Circuits.hpp>
#include <support/FirstOrderModels.hpp>
#include <support/Models.hpp>
#include <support/Restarts.hpp>
#include <validation/FrictionModels.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A struct with a member `model`, simulated.
template <class Model, class... Problem>
RestartableRun runOf(std::shared_ptr<Model> model, TimeDiscretisation outputs, EventDrivenOptions options,
                     Problem... problem) {
  auto simulation = std::make_shared<EventDriven>(model->model, std::move(outputs), std::move(problem)..., options);
  return {model, simulation};
}

EventDrivenOptions withBdf(std::size_t restartAfter = 25) {
  EventDrivenOptions options;
  options.integration.method = OdeMethod::bdf;
  options.integration.relativeTolerance = 1e-6;
  options.integration.absoluteTolerance = 1e-8;
  options.integration.restartAfter = restartAfter;
  return options;
}

TEST(EventDrivenRestart, OfABallThroughItsAccumulationAndAtRest) {
  const auto make = [] {
    return runOf(std::make_shared<BouncingBall>(1., 0., 0.5, 2.), TimeDiscretisation(0., 0.05), {}, LCP());
  };
  expectRestarts(make, 1);
}

// It is dropped so that it lands at whole seconds, where outputs are.
TEST(EventDrivenRestart, OfABallAtItsImpacts) {
  const auto make = [] {
    return runOf(std::make_shared<BouncingBall>(0.5 * BouncingBall::gravity, 0., 1., 6.), TimeDiscretisation(0., 0.5),
                 {}, LCP());
  };
  expectRestarts(make, 1);
}

TEST(EventDrivenRestart, OfBeads) {
  const auto make = [] {
    return runOf(std::make_shared<ColumnOfBeads>(4, 1., 0.3, 0.6, 1.5), TimeDiscretisation(0., 0.05), {}, LCP());
  };
  expectRestarts(make, 4);
}

TEST(EventDrivenRestart, OfABlockThatSticksAndSlips) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      const auto block = std::make_shared<Block>(
          0.3, 0.5, 5., [](double, const Vector& q, const Vector& v, Vector& f) { f(0) = -50. * q(0) + 1.5 * v(0); },
          0.5);
      return runOf(block, TimeDiscretisation(0., 0.1), bdf ? withBdf() : EventDrivenOptions(), FrictionContact(2));
    };
    expectRestarts(make, 3);
  }
}

TEST(EventDrivenRestart, OfABlockThatRocks) {
  const auto make = [] {
    return runOf(std::make_shared<RockingBlock>(0.5, 0.9, 3.), TimeDiscretisation(0., 0.1), {}, FrictionContact(2));
  };
  expectRestarts(make, 4);
}

// A rod on a pin whose relation does not know its bias.
struct Pendulum {
  Pendulum(double end, double length, double speed) : model(0., end) {
    bob = std::make_shared<LagrangianLinearTIDS>(makeVector({length, 0.}), makeVector({0., speed}), identityMatrix(2));
    bob->setExternalForces(makeVector({0., -g}));
    const LagrangianScleronomousR relation(1, automatic([=](const auto& q, auto& y) {
                                             using std::sqrt;
                                             y(0) = sqrt(q(0) * q(0) + q(1) * q(1)) - length;
                                           }));
    model.insert(bob);
    model.link(std::make_shared<Interaction>(EqualityConditionNSL(1), relation), bob);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> bob;
};

TEST(EventDrivenRestart, OfAPendulum) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      const auto pendulum = std::make_shared<Pendulum>(3., 1., 0.);
      const auto simulation = std::make_shared<EventDriven>(
          pendulum->model, TimeDiscretisation(0., 0.1), GenericMechanical(), bdf ? withBdf() : EventDrivenOptions());
      simulation->addStateEvent(
          "lowest", pendulum->bob, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::both);
      return RestartableRun{pendulum, simulation};
    };
    expectRestarts(make, 3);
  }
}

// A force speeds it up, so that its differences get shorter on the way.
TEST(EventDrivenRestart, OfATurnThatGetsFaster) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      const auto pendulum = std::make_shared<Pendulum>(0.04, 0.01, 0.1);
      pendulum->bob->setExternalForces([](double, Vector& f) { f(1) = -g; });
      const auto drive =
          std::make_shared<LagrangianDS>(makeVector({0.01, 0.}), makeVector({0., 0.1}), identityMatrix(2));
      drive->setInternalForces(differenced([](double, const Vector& q, const Vector&, Vector& f) {
        f(0) = 1e5 * q(1);
        f(1) = -1e5 * q(0);
      }));
      pendulum->model.insert(drive);
      const LagrangianScleronomousR relation(1, automatic([](const auto& q, auto& y) {
                                               using std::sqrt;
                                               y(0) = sqrt(q(0) * q(0) + q(1) * q(1)) - 0.01;
                                             }));
      pendulum->model.link(std::make_shared<Interaction>(EqualityConditionNSL(1), relation), drive);
      return runOf(pendulum, TimeDiscretisation(0., 0.002), bdf ? withBdf() : EventDrivenOptions(),
                   GenericMechanical());
    };
    expectRestarts(make, 3);
  }
}

// On four legs, of which one is too many, under a weight that moves outward until it tips.
struct Table {
  explicit Table(double end) : model(0., end) {
    const auto plate = std::make_shared<LagrangianDS>(makeVector({0., 0., 0.}), makeVector({0., 0., 0.}),
                                                      diagonalMatrix({4., 1.3, 1.3}));
    plate->setExternalForces([](double t, Vector& f) {
      f(0) = -40.;
      f(1) = -12.;
      f(2) = 40. * (0.8 + 0.2 * t);
    });
    model.insert(plate);
    for (const double x : {-1., 1.}) {
      for (const double y : {-1., 1.}) {
        model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1., y, -x}}))),
                   plate);
      }
    }
  }

  NonSmoothDynamicalSystem model;
};

TEST(EventDrivenRestart, OfATableThatTips) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      return runOf(std::make_shared<Table>(1.3), TimeDiscretisation(0., 0.1), bdf ? withBdf() : EventDrivenOptions(),
                   LCP());
    };
    expectRestarts(make, 2);
  }
}

// Filippov's spiral, through its end.
struct Spiral {
  explicit Spiral(double end) : model(0., end) {
    const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({3., 3.}), Matrix(2, 2));
    model.insert(particle);
    model.link(std::make_shared<Interaction>(
                   RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{2., -12.}, {12., 2.}}))),
               particle);
  }

  NonSmoothDynamicalSystem model;
};

TEST(EventDrivenRestart, OfASpiral) {
  const auto make = [] { return runOf(std::make_shared<Spiral>(1.8), TimeDiscretisation(0., 0.1), {}); };
  expectRestarts(make, 2);
}

TEST(EventDrivenRestart, OfARelay) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      return runOf(std::make_shared<RelayOscillator>(6.), TimeDiscretisation(0., 0.25),
                   bdf ? withBdf() : EventDrivenOptions());
    };
    expectRestarts(make, 3);
  }
}

TEST(EventDrivenRestart, OfABridgeOfDiodes) {
  const auto make = [] { return runOf(std::make_shared<DiodeBridge>(2e-3), TimeDiscretisation(0., 1e-4), {}); };
  expectRestarts(make, 3);
}

TEST(EventDrivenRestart, OfNonlinearRelationsThatDependOnTime) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      return runOf(std::make_shared<MixedFirstOrderModel>(1), TimeDiscretisation(0., 0.1),
                   bdf ? withBdf() : EventDrivenOptions());
    };
    expectRestarts(make, 2);
  }
}

TEST(EventDrivenRestart, OfMotionBesideACircuit) {
  for (const bool bdf : {false, true}) {
    const auto make = [=] {
      const auto ball = std::make_shared<BouncingBall>(1., 0., 0.8, 2.);
      const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), Matrix(1, 1));
      ball->model.insert(particle);
      ball->model.link(
          std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{0.9}}))),
          particle);
      return runOf(ball, TimeDiscretisation(0., 0.1), bdf ? withBdf() : EventDrivenOptions(), LCP());
    };
    expectRestarts(make, 3);
  }
}

// Steps over many outputs, and outputs of many steps, between the restarts of the method.
TEST(EventDrivenRestart, OfBackwardDifferentiationBetweenItsRestarts) {
  for (const std::size_t restartAfter : {std::size_t{1}, std::size_t{40}, std::size_t{1000}}) {
    for (const double h : {0.01, 0.5}) {
      const auto make = [=] {
        return runOf(std::make_shared<BouncingBall>(1., 0., 0.8, 1.), TimeDiscretisation(0., h), withBdf(restartAfter),
                     LCP());
      };
      expectRestarts(make, h < 0.1 ? 9 : 1);
    }
  }
}

// The end of a chain meets a wall, before and after its mass is set anew: what impacts have solved for is of that mass.
struct SparseChain {
  static constexpr std::size_t n = 45;
  SparseChain() : model(0., 3.), simulation(model, TimeDiscretisation(0., 0.15), LCP()) {
    std::vector<Triplet> masses, springs;
    for (std::size_t i = 0; i < n; ++i) masses.push_back({i, i, 1.});
    for (std::size_t i = 0; i + 1 < n; ++i) {
      springs.insert(springs.end(), {{i, i, -10.}, {i, i + 1, 10.}, {i + 1, i, 10.}, {i + 1, i + 1, -10.}});
    }
    M = sparseFromTriplets(n, n, masses);
    K = sparseFromTriplets(n, n, springs);
    chain = model.insert("chain", std::make_shared<LagrangianDS>(Vector(n, 0.3), Vector(n, -1.), M));
    // Internal forces are subtracted.
    chain->setInternalForces(
        SparseForce{.f = [this](double, const Vector& q, const Vector&, Vector& f) { multiply(-1., K, q, 0., f); },
                    .byQ =
                        [this](double, const Vector&, const Vector&, SparseMatrix& J) {
                          J = K;
                          J *= -1.;
                        }});
    model.link("wall", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}})), SystemPart(chain, 0, 1));
    simulation.addTimeEvents("heavier", {1.2}, [this] { chain->setMass(SparseMatrix(2. * M)); });
  }

  SparseMatrix M, K;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> chain;
  EventDriven simulation;
};

TEST(EventDrivenRestart, OfASparseSystemWhoseMassChanges) {
  const auto make = [] {
    const auto chain = std::make_shared<SparseChain>();
    RestartableRun run{chain, {chain, &chain->simulation}};
    run.prepare = [chain](std::size_t k) {
      if (k >= 8) chain->chain->setMass(SparseMatrix(2. * chain->M));
    };
    return run;
  };
  const RestartableRun run = make();
  run.simulation->run();
  EXPECT_GE(std::static_pointer_cast<SparseChain>(run.owner)->simulation.statistics().impacts, 3U);
  expectRestarts(make, 1);
}

}  // namespace
