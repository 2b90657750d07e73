// SPDX-License-Identifier: Apache-2.0
//
// Rigid bodies that force elements tie together, through all that a simulation does with its systems.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/BushingLaw.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/DistanceJointR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Threads.hpp>
#include <memory>
#include <string>
#include <support/Restart.hpp>
#include <support/Restarts.hpp>
#include <vector>

namespace delassus {
namespace {

using namespace test;

constexpr double g = 9.81;

// A row of boxes tied by bushings, the first one on a ball joint in the world, above a floor on which balls in the
// boxes fall; a ball falls freely beside it.
struct HangingRow {
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<NewtonEulerDS>> boxes;
  std::shared_ptr<NewtonEulerDS> ball;

  explicit HangingRow(std::size_t n, double end) : model(0., end) {
    model.setGravity({0., 0., -g});
    Matrix inertia(3, 3);
    for (std::size_t i = 0; i < 3; ++i) inertia(i, i) = 0.02 + 0.01 * static_cast<double>(i);
    const auto make = [&](double x) {
      return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 0.}), Vector(6), 1., inertia);
    };
    for (std::size_t i = 0; i < n; ++i) {
      boxes.push_back(model.insert("box " + std::to_string(i), make(0.5 * static_cast<double>(i))));
    }
    ball = model.insert("ball", make(-2.));
    model.link("hook", EqualityConditionNSL(3), SphericalJointR::at({-0.25, 0., 0.}, boxes[0]->q()), boxes[0]);
    Matrix K(6, 6), C(6, 6);
    for (std::size_t i = 0; i < 6; ++i) {
      K(i, i) = i < 3 ? 4000. : 40.;
      C(i, i) = i < 3 ? 100. : 2.5;
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      model.link("bushing " + std::to_string(i), BushingLaw(K, C),
                 FixedJointR::at({0.25 + 0.5 * static_cast<double>(i), 0., 0.}, boxes[i]->q(), boxes[i + 1]->q()),
                 boxes[i], boxes[i + 1]);
    }
    for (std::size_t i = 0; i < n; ++i) linkFloor("floor " + std::to_string(i), boxes[i]);
    linkFloor("floor of the ball", ball);
  }

  void linkFloor(const std::string& name, const std::shared_ptr<NewtonEulerDS>& body) {
    model.link(name, NewtonImpactFrictionNSL(0.2, 0., 0.4),
               NewtonEuler3DR(std::make_shared<SpherePlane>(0.1, Plane{{0., 0., 1.}, -0.6})), body);
  }

  double largestSpeed() const {
    double largest = 0.;
    for (const auto& box : boxes) largest = std::max(largest, normInf(box->velocity()));
    return largest;
  }
};

// Each body of a node has its gyroscopic moment at the mean velocity of the step: a spring that turns with nothing else
// leaves the energies of two free bodies as they are.
TEST(TiedBodies, TurnWithTheEnergyThatTheyHave) {
  for (const std::size_t others : {0U, 8U}) {  // with these the node is sparse
    NonSmoothDynamicalSystem model(0., 2.);
    std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
    Matrix inertia(3, 3);
    for (std::size_t i = 0; i < 3; ++i) inertia(i, i) = 0.5 + 0.4 * static_cast<double>(i);
    for (std::size_t k = 0; k < 2 + others; ++k) {
      const double x = static_cast<double>(k);
      bodies.push_back(
          model.insert("body " + std::to_string(k),
                       std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 0.}),
                                                       makeVector({0., 0., 0., 0.9 + x, 0.7, 1.1 - x}), 1., inertia)));
      if (k == 0) continue;
      // Between the centres, about which the bodies turn.
      model.link("spring " + std::to_string(k), SpringDamperLaw(10., 0.), DistanceJointR({}, {}, 1.).extension(),
                 bodies[k - 1], bodies[k]);
    }
    const auto energy = [&] {
      double sum = 0.;
      for (const auto& body : bodies) sum += body->kineticEnergy();
      return sum;
    };
    const double before = energy();
    TimeStepping(model, 0.05).run();
    EXPECT_NEAR(energy(), before, 1e-8 * before) << others;
  }
}

TEST(TiedBodies, FallOnAFloorAndComeToRestThere) {
  HangingRow row(4, 8.);
  TimeStepping simulation(row.model, 2e-3);
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  EXPECT_LE(row.largestSpeed(), 1e-5);
  for (const auto& interaction : row.model.interactions()) {
    if (!interaction->law().actsOnVelocities()) continue;
    EXPECT_GE(interaction->y(0)(0), -1e-6) << interaction->name();
  }
  double weight = 0.;  // of the boxes, carried by hook and floor
  for (const auto& interaction : row.model.interactions()) {
    if (interaction->name() == "hook") weight += interaction->lambda(0)(2);
    if (interaction->law().actsOnVelocities() && interaction->name() != "floor of the ball") {
      weight += interaction->lambda(0)(0);
    }
  }
  EXPECT_NEAR(weight, 4. * g, 1e-4 * g);
  for (const ElementWorks::Work& element : balance->byElement()) EXPECT_GT(element.dissipated(), 0.) << element.name;
}

// A fine run in time and an event-driven one, which the library integrates by other equations.
TEST(TiedBodies, MoveAsEventDrivenIntegrationSays) {
  const auto place = [](HangingRow& row) { return Vector(row.boxes.back()->q()); };
  HangingRow exact(3, 0.25);
  EventDriven(exact.model, TimeDiscretisation(0., 0.05)).run();
  const auto errorOf = [&](double h) {
    HangingRow row(3, 0.25);
    TimeStepping(row.model, h).run();
    return normInf(Vector(place(row) - place(exact)));
  };
  const double coarse = errorOf(2e-3);
  EXPECT_LE(coarse, 1e-4);
  EXPECT_NEAR(std::log2(coarse / errorOf(1e-3)), 2., 0.2);
}

TEST(TiedBodies, GoOnAfterACheckpointToTheSameBits) {
  for (const std::size_t n : {3U, 8U}) {  // of dense and sparse matrices
    expectSameAfterRestart("time stepping", [n] {
      auto row = std::make_shared<HangingRow>(n, 0.6);
      return restartRun(row, std::make_shared<TimeStepping>(row->model, 5e-3));
    });
  }
  const auto make = [] {
    auto row = std::make_shared<HangingRow>(2, 0.4);
    return RestartableRun{row, std::make_shared<EventDriven>(row->model, TimeDiscretisation(0., 0.05))};
  };
  const std::size_t later = 7;  // outputs
  const RestartableRun first = make();
  for (std::size_t k = 0; k < later; ++k) first.simulation->step();
  EXPECT_GT(first.simulation->counts().events, 0U) << "no contact is made before the run is restored";
  expectRestarts(make, later);
}

void expectProjected(Projection kind, ProjectionForm form) {
  HangingRow row(3, 0.3);
  const ProjectionOptions options{.kind = kind, .form = form};
  TimeStepping simulation(row.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GenericMechanical(),
                          {.projection = options});
  double drift = 0.;
  simulation.run([&] { drift = std::max(drift, normInf(row.model.interactions()[0]->y(0))); });
  EXPECT_LE(drift, options.tolerance);
  EXPECT_GT(row.largestSpeed(), 0.01) << "nothing moves";
  for (const auto& box : row.boxes) {
    double norm = 0.;
    for (std::size_t i = 3; i < 7; ++i) norm += box->q()(i) * box->q()(i);
    EXPECT_NEAR(norm, 1., 1e-12);
  }
}

TEST(TiedBodies, AreProjectedOnJoints) {
  for (const ProjectionForm form : {ProjectionForm::velocity, ProjectionForm::configuration}) {
    expectProjected(Projection::direct, form);
    expectProjected(Projection::combined, form);
  }
}

// A node has no speed of its own: a light part may swing on a heavy one that rests.
TEST(TiedBodies, DoNotFallAsleep) {
  NonSmoothDynamicalSystem model(0., 3.);
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
  for (int i = 0; i < 2; ++i) {
    masses.push_back(model.insert("mass " + std::to_string(i), std::make_shared<LagrangianLinearTIDS>(
                                                                   Vector(1, 1. * i), Vector(1), Matrix(1, 1, 1.))));
    masses.back()->setExternalForces(Vector(1, -g));
  }
  Matrix difference(1, 2);
  difference(0, 0) = -1.;
  difference(0, 1) = 1.;
  model.link("floor", NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 1, 1.)), masses[0]);
  model.link("spring", SpringDamperLaw(100., 30., 100.), LagrangianLinearTIR(difference), masses[0], masses[1]);
  MoreauJeanOptions options;
  options.sleep = SleepOptions{.speed = 1e-4, .time = 0.1};
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(options), LCP());
  simulation.run();
  EXPECT_EQ(simulation.scheme().sleepingSystems(), 0U);
  EXPECT_NEAR(masses[1]->q()(0), 1. - g / 100., 1e-5);  // of the oscillation that is left
}

// A model in which another scheme integrates a circuit.
TEST(TiedBodies, AreTiedInAMixedModel) {
  const auto run = [](bool isMixed) {
    HangingRow row(3, 0.5);
    if (isMixed) {
      row.model.insert("circuit", std::make_shared<FirstOrderLinearTIDS>(Vector(1, 1.), Matrix(1, 1, -1.)));
      TimeStepping(row.model, 5e-3).run();
    } else {
      TimeStepping(row.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(), GenericMechanical()).run();
    }
    return Vector(row.boxes.back()->q());
  };
  EXPECT_LE(normInf(Vector(run(true) - run(false))), 1e-7);  // of the tolerance of solvers
}

TEST(TiedBodies, FollowLinksAndRemovalsInAMixedModel) {
  HangingRow row(2, 1.);
  const auto circuit =
      row.model.insert("circuit", std::make_shared<FirstOrderLinearTIDS>(Vector(1, 1.), Matrix(1, 1, -1.)));
  MixedOSI scheme;
  scheme.add(MoreauJeanOSI(), {row.boxes[0], row.boxes[1], row.ball});
  scheme.add(EulerMoreauOSI(0.5), {circuit});
  TimeStepping simulation(row.model, TimeDiscretisation(0., 5e-3), std::move(scheme), GenericMechanical());
  simulation.step();
  const double before = row.ball->velocity()(0);
  const auto rope =
      row.model.link("rope", SpringDamperLaw(1e3), DistanceJointR({}, {}, 1.).extension(), row.boxes[0], row.ball);
  simulation.step();
  const double pulled = row.ball->velocity()(0);
  EXPECT_GT(pulled, before + 0.1) << "the rope does not pull";
  row.model.remove(rope);
  simulation.step();
  EXPECT_NEAR(row.ball->velocity()(0), pulled, 1e-12) << "the rope is still there";
}

TEST(TiedBodies, MustBeInOneGroupOfAMixedModel) {
  HangingRow row(2, 1.);
  MixedOSI scheme;
  scheme.add(MoreauJeanOSI(), {row.boxes[0], row.ball});
  scheme.add(MoreauJeanOSI(1.), {row.boxes[1]});
  TimeStepping simulation(row.model, TimeDiscretisation(0., 5e-3), std::move(scheme), GenericMechanical());
  EXPECT_THROW(simulation.step(), Error);
}

// Friction in global form, whose unknowns are those of the nodes.
TEST(TiedBodies, AreTheSameInGlobalForm) {
  const auto run = [](auto problem) {
    NonSmoothDynamicalSystem model(0., 0.8);
    model.setGravity({0., 0., -g});
    std::vector<std::shared_ptr<NewtonEulerDS>> balls;
    for (int i = 0; i < 3; ++i) {
      balls.push_back(model.insert("ball " + std::to_string(i),
                                   std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.5 * i, 0., 0.11 + 0.02 * i}),
                                                                   makeVector({1., 0.3 * i, 0., 0., 0., 0.}), 1.,
                                                                   NewtonEulerDS::ballInertia(1., 0.1))));
      model.link("floor " + std::to_string(i), NewtonImpactFrictionNSL(0.2, 0., 0.4),
                 NewtonEuler3DR(std::make_shared<SpherePlane>(0.1, Plane{})), balls.back());
    }
    for (const std::size_t i : {0U, 1U}) {
      model.link("spring " + std::to_string(i), SpringDamperLaw(200., 1.), DistanceJointR({}, {}, 0.45).extension(),
                 balls[i], balls[i + 1]);
    }
    // Semi-explicit: the matrices are those of the masses, symmetric.
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::semiExplicit(), std::move(problem));
    simulation.run();
    Vector all;
    for (const auto& ball : balls) append(ball->q(), all);
    return all;
  };
  FrictionContact local(3);
  GlobalFrictionContact global(3);
  local.setTolerance(1e-12);
  global.setTolerance(1e-12);
  EXPECT_LE(normInf(Vector(run(std::move(local)) - run(std::move(global)))), 1e-7);  // of impacts and sliding
}

TEST(TiedBodies, MoveToTheSameBitsOnAnyNumberOfThreads) {
  const auto run = [](std::size_t count) {
    setThreads(count);
    NonSmoothDynamicalSystem model(0., 0.3);
    std::vector<std::shared_ptr<NewtonEulerDS>> balls;
    for (int i = 0; i < 200; ++i) {
      balls.push_back(model.insert("ball " + std::to_string(i),
                                   std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({1. * i, 0., 0.11}),
                                                                   makeVector({0.1 * (i % 3), 0., -1., 0., 0., 1.}), 1.,
                                                                   NewtonEulerDS::ballInertia(1., 0.1))));
      model.link("floor " + std::to_string(i), NewtonImpactNSL(0.2),
                 NewtonEuler1DR(std::make_shared<SpherePlane>(0.1, Plane{})), balls.back());
    }
    for (std::size_t i = 0; i + 1 < balls.size(); i += 2) {
      model.link("spring " + std::to_string(i), SpringDamperLaw(200., 1.), DistanceJointR({}, {}, 0.9).extension(),
                 balls[i], balls[i + 1]);
    }
    TimeStepping(model, 5e-3).run();
    Vector all;
    for (const auto& ball : balls) append(ball->q(), all);
    setThreads(1);
    return all;
  };
  const Vector one = run(1), two = run(2);
  EXPECT_TRUE(one.data() == two.data());
}

// Both contacts of one interaction see both masses, which are one node: its columns of W come twice.
TEST(TiedBodies, MayHaveAnInteractionOfSeveralContactsBetweenThem) {
  const auto run = [](bool isOne, auto scheme) {
    NonSmoothDynamicalSystem model(0., 0.5);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
    for (const double place : {0.02, 0.15}) {
      const Matrix mass = makeMatrix({{1. + place}});
      masses.push_back(std::make_shared<LagrangianLinearTIDS>(makeVector({place}), Vector(1), mass));
      masses.back()->setExternalForces(makeVector({-g * mass(0, 0)}));
      model.insert(masses.back());
    }
    const Matrix between = makeMatrix({{-1., 1.}});
    model.link("spring", SpringDamperLaw(200., 1.), LagrangianLinearTIR(between, makeVector({-0.05})), masses[0],
               masses[1]);
    if (isOne) {
      model.link("floor and stop", NewtonImpactNSL(0.2),
                 LagrangianLinearTIR(makeMatrix({{1., 0.}, {-1., 1.}}), makeVector({0., -0.1})), masses[0], masses[1]);
    } else {
      model.link("floor", NewtonImpactNSL(0.2), LagrangianLinearTIR(makeMatrix({{1.}})), masses[0]);
      model.link("stop", NewtonImpactNSL(0.2), LagrangianLinearTIR(between, makeVector({-0.1})), masses[0], masses[1]);
    }
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), scheme, LCP());
    bool areBothLoaded = false;
    Vector all;
    while (simulation.hasNextStep()) {
      simulation.step();
      if (simulation.problem().size() == 2) areBothLoaded = true;
      for (const auto& mass : masses) append(mass->q(), all);
    }
    EXPECT_TRUE(areBothLoaded);
    return all;
  };
  // Rounding of 500 steps, of lengths of 0.1 m.
  EXPECT_LE(normInf(Vector(run(true, MoreauJeanOSI()) - run(false, MoreauJeanOSI()))), 1e-12);
  EXPECT_LE(normInf(Vector(run(true, SchatzmanPaoliOSI()) - run(false, SchatzmanPaoliOSI()))), 1e-12);
}

}  // namespace
}  // namespace delassus
