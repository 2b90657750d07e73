// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/GlobalMechanical.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/NewtonEulerR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "../../support/Matchers.hpp"

namespace delassus::test {
namespace {

constexpr double g = 9.81;
constexpr double radius = 0.1;

std::shared_ptr<NewtonEulerDS> sphere(const Vector3& x, const Vector3& v, double mass = 1.) {
  Vector twist(6);
  std::copy(v.begin(), v.end(), twist.begin());
  auto body =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), twist, mass, NewtonEulerDS::ballInertia(mass, radius));
  Vector weight(3);
  weight(2) = -mass * g;
  body->setExternalForces(weight);
  return body;
}

// Three spheres thrown at each other on a floor.
struct Billiard {
  // Gaps that are zero up to rounding would open in one form and not in the other.
  static constexpr double height = radius - 1e-9;
  NonSmoothDynamicalSystem model{0., 0.4};
  std::vector<std::shared_ptr<NewtonEulerDS>> spheres{sphere({0., 0., height}, {2., 0., 0.}),
                                                      sphere({0.5, 0.05, height}, {0., 0., 0.}, 2.),
                                                      sphere({0.8, 0., height}, {-1., 0.2, 0.})};

  Billiard() {
    for (const auto& body : spheres) model.insert(body);
    for (std::size_t i = 0; i < 3; ++i) {
      const NewtonImpactFrictionNSL law(0.6, 0., 0.4);
      const NewtonImpactFrictionNSL floor(0., 0., 0.4);
      model.link(std::make_shared<Interaction>(floor, NewtonEuler3DR(SpherePlane(radius, Plane{}))), spheres[i]);
      model.link(std::make_shared<Interaction>(law, NewtonEuler3DR(SphereSphere(radius, radius))), spheres[i],
                 spheres[(i + 1) % 3]);
    }
  }

  template <class Problem>
  std::vector<double> finalVelocities(Problem problem) {
    TimeStepping simulation(model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI(), std::move(problem));
    simulation.run();
    std::vector<double> all;
    for (const auto& body : spheres) all.insert(all.end(), body->velocity().begin(), body->velocity().end());
    return all;
  }
};

// Each step is solved to 1e-8 of its free velocities (a few m/s); two hundred steps between bodies that collide
// magnify that by what collisions of round bodies do.
constexpr double trajectoryTolerance = 1e-5;

TEST(GlobalFrictionContact, MovesAsTheLocalForm) {
  const std::vector<double> local = Billiard().finalVelocities(FrictionContact(3));
  const std::vector<double> global = Billiard().finalVelocities(GlobalFrictionContact(3));
  for (std::size_t i = 0; i < local.size(); ++i) EXPECT_NEAR(local[i], global[i], trajectoryTolerance) << i;
}

TEST(GenericMechanical, MovesAsFrictionContactWhereThereIsNothingElse) {
  const std::vector<double> local = Billiard().finalVelocities(FrictionContact(3));
  const std::vector<double> generic = Billiard().finalVelocities(GenericMechanical());
  for (std::size_t i = 0; i < local.size(); ++i) EXPECT_NEAR(local[i], generic[i], trajectoryTolerance) << i;
}

TEST(GlobalFrictionContact, RefusesOtherLawsDimensionsAndIterationMatricesByName) {
  expectError([] { GlobalFrictionContact(4); }, {"GlobalFrictionContact", "2 or 3", "4"});
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = sphere({0., 0., 0.1}, {0., 0., 0.});
  const auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.), NewtonEuler1DR(SpherePlane(radius, Plane{})));
  contact->setName("floor");
  model.insert(body);
  model.link(contact, body);
  TimeStepping wrongLaw(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GlobalFrictionContact(3));
  expectError([&] { wrongLaw.step(); }, {"'floor'", "GlobalFrictionContact", "NewtonImpactNSL"});

  // Spin of a body that is not a ball makes W unsymmetric.
  NonSmoothDynamicalSystem spinning(0., 1.);
  Vector spin(6);
  spin(3) = 5.;
  spin(4) = 3.;
  const auto top =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.1}), spin, 1., diagonalMatrix({0.01, 0.02, 0.025}));
  spinning.insert(top);
  spinning.link(
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.3), NewtonEuler3DR(SpherePlane(radius, Plane{}))),
      top);
  TimeStepping implicit(spinning, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GlobalFrictionContact(3));
  expectError([&] { implicit.step(); }, {"GlobalFrictionContact", "not symmetric", "semiExplicit"});
  TimeStepping explicitForces(spinning, TimeDiscretisation(0., 1e-2), MoreauJeanOSI::semiExplicit(),
                              GlobalFrictionContact(3));
  EXPECT_NO_THROW(explicitForces.step());
}

TEST(GlobalMechanical, MovesAsTheLocalForm) {
  const std::vector<double> local = Billiard().finalVelocities(GenericMechanical());
  const std::vector<double> global = Billiard().finalVelocities(GlobalMechanical());
  for (std::size_t i = 0; i < local.size(); ++i) EXPECT_NEAR(local[i], global[i], trajectoryTolerance) << i;
}

TEST(GlobalMechanical, IsSavedInLocalForm) {
  Billiard billiard;
  TimeStepping simulation(billiard.model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI(), GlobalMechanical());
  while (simulation.problem().size() == 0) simulation.step();
  const auto& global = dynamic_cast<const GlobalMechanical&>(simulation.problem()).problem();
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "global_mechanical.dat";
  simulation.problem().saveProblem(file);
  const numerics::GenericMechanicalProblem local = numerics::readMechanical(file);
  std::filesystem::remove(file);
  ASSERT_EQ(local.size(), global.size());
  EXPECT_EQ(local.parts().size(), global.parts().size());
  Vector lambda(local.size(), 0.1), byProduct(local.size()), byMatrix(local.size());
  global.multiply(data(lambda), data(byProduct));
  local.multiply(data(lambda), data(byMatrix));
  // Sums of a few products of size 1.
  expectNear(byMatrix, byProduct, 1e-13);
  expectNear(local.q(), global.q(), 0.);
}

// In a global form outputs follow from velocities alone: a compliance would be lost without a word.
TEST(GlobalMechanical, RefusesACompliance) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1));
  model.insert(mass);
  LagrangianLinearTIR soft(identityMatrix(1));
  soft.setD(diagonalMatrix({1e-3}));
  model.link("spring", EqualityConditionNSL(1), soft, mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GlobalMechanical());
  expectError([&] { simulation.step(); }, {"spring", "GlobalMechanical", "compliance"});
}

TEST(GenericMechanical, ARollingSphereIsSlowedByRollingResistance) {
  // About the contact: (7/5) m r² ω̇ = −μ_R m g, so v̇ = −(5/7) g μ_R / r while it rolls.
  constexpr double muRolling = 0.002, h = 1e-3, end = 1., v0 = 1.;
  NonSmoothDynamicalSystem model(0., end);
  // A gap that is zero up to rounding would open for a step.
  const auto ball = sphere({0., 0., radius - 1e-10}, {v0, 0., 0.});
  Vector twist = ball->velocity();
  twist(4) = v0 / radius;
  ball->setState(ball->q(), twist);
  model.insert(ball);
  model.link(std::make_shared<Interaction>(NewtonImpactRollingFrictionNSL(0., 0., 0.5, muRolling),
                                           NewtonEuler5DR(SpherePlane(radius, Plane{}))),
             ball);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), GenericMechanical());
  simulation.run();
  // Constant forces: the scheme is exact up to the solver's error, a thousand times 1e-8 of h g.
  EXPECT_NEAR(ball->velocity()(0), v0 - 5. / 7. * g * muRolling / radius * end, 1e-7);
  EXPECT_NEAR(ball->velocity()(4) * radius, ball->velocity()(0), 1e-7);
}

TEST(GenericMechanical, ARollingSphereThatStandsStaysThere) {
  // On an incline of slope below μ_R / r.
  NonSmoothDynamicalSystem model(0., 1.);
  const double slope = 0.019;
  const Plane incline = Plane::through({0., 0., 0.}, {-slope, 0., 1.});
  const auto ball = sphere((radius - 1e-10) * incline.normal, {0., 0., 0.});
  model.insert(ball);
  model.link(std::make_shared<Interaction>(NewtonImpactRollingFrictionNSL(0., 0., 0.5, 0.002),
                                           NewtonEuler5DR(SpherePlane(radius, incline))),
             ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GenericMechanical());
  simulation.run();
  // What the solver leaves in a step, 1e-8 of h g, adds up over a thousand at most.
  for (const double v : ball->velocity().data()) EXPECT_NEAR(v, 0., 1e-6);
}

// Two spheres held at a distance, sliding on a floor: joint and friction in one problem.
TEST(GenericMechanical, AJointAndFrictionActTogether) {
  constexpr double mu = 0.3, end = 0.5, v0 = 2.;
  NonSmoothDynamicalSystem model(0., end);
  const auto a = sphere({0., 0., radius - 1e-10}, {v0, 0., 0.});
  const auto b = sphere({0.5, 0., radius - 1e-10}, {v0, 0., 0.});
  model.insert(a);
  model.insert(b);
  // No relative motion and no rotation: the pair slides and does not roll.
  const auto bar = std::make_shared<Interaction>(EqualityConditionNSL(9),
                                                 NewtonEulerR(9, automatic([](const auto& q, auto& y) {
                                                                for (std::size_t i = 0; i < 3; ++i) {
                                                                  y(i) = q(7 + i) - q(i) - (i == 0 ? 0.5 : 0.);
                                                                  y(3 + i) = q(4 + i);
                                                                  y(6 + i) = q(11 + i);
                                                                }
                                                              })));
  model.link(bar, a, b);
  for (const auto& body : {a, b}) {
    model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu),
                                             NewtonEuler3DR(SpherePlane(radius, Plane{}))),
               body);
  }
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GenericMechanical());
  simulation.run();
  EXPECT_NEAR(a->velocity()(0), v0 - mu * g * end, 1e-7);
  EXPECT_NEAR(b->velocity()(0), v0 - mu * g * end, 1e-7);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_NEAR(a->velocity()(i), 0., 1e-7);
}

// Dry friction of a force F in an axis, as a relay with bounds of forces: v̇ = −F/m until it stops.
template <class Problem>
void expectDryFriction(double h) {
  constexpr double force = 3., v0 = 1.;
  NonSmoothDynamicalSystem model(0., 1.);
  Vector twist(6);
  twist(0) = v0;
  const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), twist, 2.,
                                                    NewtonEulerDS::ballInertia(2., radius));
  model.insert(body);
  model.link(std::make_shared<Interaction>(RelayNSL(1, -force, force),
                                           NewtonEulerR(1, automatic([](const auto& q, auto& y) { y(0) = q(0); }))),
             body);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), Problem());
  simulation.run([&] {
    EXPECT_NEAR(body->velocity()(0), std::max(0., v0 - force / 2. * simulation.time()), 1e-9) << simulation.time();
  });
}

TEST(DryFriction, StopsABodyWhateverTheStep) {
  for (const double h : {1e-3, 0.0125}) {
    expectDryFriction<Relay>(h);
    expectDryFriction<GenericMechanical>(h);
  }
}

TEST(GenericMechanical, RefusesLawsWithUnknownsOfTheirOwn) {
  // EulerMoreauOSI accepts them, so the problem must refuse them.
  NonSmoothDynamicalSystem model(0., 1.);
  const auto tank = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}));
  const auto valve = std::make_shared<Interaction>(NormalConeNSL(makeMatrix({{1.}, {-1.}}), makeVector({1., 1.})),
                                                   FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})));
  valve->setName("valve");
  model.insert(tank);
  model.link(valve, tank);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(1.), GenericMechanical());
  expectError([&] { simulation.step(); },
              {"'valve'", "GenericMechanical takes laws of any kind without auxiliary unknowns", "NormalConeNSL"});
}

}  // namespace
}  // namespace delassus::test
