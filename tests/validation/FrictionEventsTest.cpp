// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <validation/FrictionModels.hpp>
#include <validation/SlidingRod.hpp>

// Rolling, impacts and several contacts with friction in event-driven simulations, against closed forms.

namespace delassus::test {
namespace {

TEST(FrictionEvents, ABowlRollsFromTheInstantOfTheClosedFormOn) {
  const double mu = 0.15;
  const double v0 = 5.;
  for (const double j : {0.5, 0.4}) {  // disk, sphere
    Roller model(j, mu, 0., makeVector({0., 0., 0.}), makeVector({v0, 0., 0.}), 6.);
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
    const double roll = v0 / ((1. + 1. / j) * mu * g);  // v0 / (3.5 μ g) of the sphere
    simulation.run([&] {
      const double t = std::min(simulation.time(), roll);
      EXPECT_NEAR(model.body->velocity()(0), v0 - mu * g * t, 1e-11);
      EXPECT_NEAR(Roller::r * model.body->velocity()(2), -mu * g / j * t, 1e-11);
      if (simulation.time() > roll) {
        EXPECT_NEAR(model.floor->y(1)(1), 0., 1e-14);
      }
    });
    const auto sticks = eventsOf(simulation, EventKind::stick);
    ASSERT_EQ(sticks.size(), 1U);
    EXPECT_NEAR(sticks.front().t, roll, 1e-12);
    EXPECT_NEAR(model.body->velocity()(0), v0 / (1. + j), 1e-11);  // 5/7 v0 of the sphere
  }
}

TEST(FrictionEvents, AnImpactSticksOrSlipsByTheClosedForm) {
  const double mu = 0.2;
  const double e = 0.6;
  const double height = 0.5;
  const double vN = std::sqrt(2. * g * height);
  const double j = 0.4;
  for (const double uT : {0.5, 10., -10.}) {
    Roller model(j, mu, e, makeVector({0., height, 0.}), makeVector({uT, 0., 0.}), 0.5);
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
    simulation.run();
    const auto impacts = eventsOf(simulation, EventKind::impact);
    ASSERT_EQ(impacts.size(), 1U);
    const Event& impact = impacts.front();
    EXPECT_NEAR(impact.t, vN / g, 1e-12);
    const double pN = Roller::m * (1. + e) * vN;
    const double toStick = -Roller::m * uT / (1. + 1. / j);
    const double pT = std::clamp(toStick, -mu * pN, mu * pN);
    EXPECT_EQ(pT == toStick, uT == 0.5);
    ASSERT_EQ(impact.impulse.size(), 2U);
    EXPECT_NEAR(impact.impulse(0), pN, 1e-10);
    EXPECT_NEAR(impact.impulse(1), pT, 1e-10);
    EXPECT_NEAR(impact.after(0), uT + pT / Roller::m, 1e-11);
    EXPECT_NEAR(impact.after(1), e * vN, 1e-11);
    EXPECT_NEAR(impact.after(2), pT / (j * Roller::m * Roller::r), 1e-10);
  }
}

TEST(FrictionEvents, APlasticImpactWithFrictionEndsInSlipOrInRolling) {
  const double mu = 0.2;
  const double height = 0.5;
  const double j = 0.4;
  const double vN = std::sqrt(2. * g * height);
  for (const double uT : {0.5, 10.}) {
    Roller model(j, mu, 0., makeVector({0., height, 0.}), makeVector({uT, 0., 0.}), 3.);
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
    simulation.run();
    const auto sticks = eventsOf(simulation, EventKind::stick);
    EXPECT_EQ(eventsOf(simulation, EventKind::impact).size(), 1U);
    EXPECT_TRUE(eventsOf(simulation, EventKind::slip).empty());
    EXPECT_TRUE(eventsOf(simulation, EventKind::takeOff).empty());
    ASSERT_EQ(sticks.size(), uT == 0.5 ? 0U : 1U);
    EXPECT_NEAR(model.body->velocity()(0), uT / (1. + j), 1e-10);
    if (sticks.empty()) continue;
    // What the impact has left of the slip goes at (1 + 1/j) μ g.
    const double after = uT - (1. + 1. / j) * mu * vN;
    EXPECT_NEAR(sticks.front().t, vN / g + after / ((1. + 1. / j) * mu * g), 1e-10);
  }
}

TEST(FrictionEvents, ABlockOnTwoFeetBrakesWithTheWeightOnTheFrontOne) {
  const double mu = 0.3;
  const double height = 0.8;
  const double v0 = 3.;
  TwoFeet model(mu, height, v0, 2.);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double stop = v0 / (mu * g);
  simulation.run([&] {
    if (simulation.time() == 0.) return;
    const double t = std::min(simulation.time(), stop);
    EXPECT_NEAR(model.block->q()(0), v0 * t - 0.5 * mu * g * t * t, 1e-11);
    EXPECT_NEAR(model.block->q()(2), 0., 1e-14);
    if (simulation.time() < stop) {
      EXPECT_NEAR(model.right->lambda(0)(0), 0.5 * TwoFeet::m * g * (1. + mu * height), 1e-9);
      EXPECT_NEAR(model.left->lambda(0)(0), 0.5 * TwoFeet::m * g * (1. - mu * height), 1e-9);
    }
  });
  // Both stop at once.
  const auto sticks = eventsOf(simulation, EventKind::stick);
  ASSERT_EQ(sticks.size(), 2U);
  for (const Event& event : sticks) EXPECT_NEAR(event.t, stop, 1e-12);
}

TEST(FrictionEvents, ABlockOnTwoFeetSlipsWhereThePushIsAllThatBothCanHold) {
  // How the two share the tangential force is not known before it slips (four rows, three coordinates).
  const double mu = 0.3;
  const double rate = 5.;  // N/s
  TwoFeet model(mu, 0.8, 0., 3., [=](double t, const Vector&, const Vector&, Vector& f) { f(0) = rate * t; });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double begin = mu * TwoFeet::m * g / rate;
  simulation.run([&] {
    const double since = std::max(simulation.time() - begin, 0.);
    EXPECT_NEAR(model.block->velocity()(0), 0.5 * rate / TwoFeet::m * since * since, 1e-11);
    EXPECT_NEAR(model.block->q()(2), 0., 1e-14);
  });
  const auto slips = eventsOf(simulation, EventKind::slip);
  ASSERT_EQ(slips.size(), 2U);
  for (const Event& event : slips) EXPECT_NEAR(event.t, begin, 1e-10);
}

TEST(FrictionEvents, ATallBlockTipsBeforeItSlips) {
  const double mu = 0.9;
  const double height = 2.;
  const double rate = 5.;
  TwoFeet model(mu, height, 0., 2.2, [=](double t, const Vector&, const Vector&, Vector& f) { f(0) = rate * t; });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double tip = TwoFeet::m * g * 1. / height / rate;  // F height = m g · 1
  simulation.run([&] {
    if (simulation.time() < tip) {
      EXPECT_NEAR(model.block->q()(2), 0., 1e-14);
    }
  });
  const auto takeOffs = eventsOf(simulation, EventKind::takeOff);
  ASSERT_EQ(takeOffs.size(), 1U);
  EXPECT_EQ(takeOffs.front().source, "left");
  EXPECT_NEAR(takeOffs.front().t, tip, 1e-10);
  EXPECT_LT(model.block->q()(2), 0.);
  EXPECT_TRUE(eventsOf(simulation, EventKind::slip).empty());
}

TEST(FrictionEvents, PainlevesInconsistencyIsAnErrorThatNamesTheContact) {
  // K_NN + μ K_NT < 0 at ψ = 1 for a tip that slips backward, pressed down.
  const auto [wNN, wNT, wTT] = SlidingRod::delassus(1.);
  const double mu = -1.5 * wNN / wNT;
  SlidingRod rod(1., 0., 0., -1., 0., 0., mu, 1.);
  EventDriven simulation(rod.model, TimeDiscretisation(0., 0.01), FrictionContact(2));
  try {
    simulation.run();
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'tip'"), std::string::npos) << message;
    EXPECT_NE(message.find("Painleve"), std::string::npos) << message;
    EXPECT_NE(message.find("t = "), std::string::npos) << message;
  }
}

TEST(FrictionEvents, EnergyIsConstantWhileItRollsAndFallsWhileItSlips) {
  // A bowl that runs down a slope that is gentle, then (a force of time) steep, then gentle again.
  const double mu = 0.1;
  const double j = 0.4;
  const double slope[] = {0.2, 0.6};
  Roller model(j, mu, 0., makeVector({0., 0., 0.}), makeVector({0., 0., 0.}), 5.);
  const auto steep = [](double t) { return t > 1. && t < 2.; };
  model.body->setExternalForces([=](double t, Vector& f) {
    const double angle = slope[steep(t) ? 1 : 0];
    f(0) = Roller::m * g * std::sin(angle);
    f(1) = -Roller::m * g * std::cos(angle);
    f(2) = 0.;
  });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.01), FrictionContact(2));
  simulation.addTimeEvents("slope", {1., 2.}, [] {});
  double work = 0.;
  double place = 0.;
  double energy = 0.;
  double slipped = 0.;
  simulation.run([&] {
    const Vector& v = model.body->velocity();
    const double now = 0.5 * Roller::m * (v(0) * v(0) + v(1) * v(1) + j * Roller::r * Roller::r * v(2) * v(2));
    const double done =
        Roller::m * g * std::sin(slope[steep(simulation.time() - 0.005) ? 1 : 0]) * (model.body->q()(0) - place);
    const double lost = done - (now - energy);
    const double slip = std::abs(model.floor->y(1)(1));
    if (simulation.time() > 0.) {
      EXPECT_GE(lost, -1e-11);
    }
    if (slip < 1e-14 && slipped < 1e-14) {
      EXPECT_NEAR(lost, 0., 1e-11);
    }
    work += lost;
    energy = now;
    place = model.body->q()(0);
    slipped = slip;
  });
  EXPECT_GT(work, 0.1);
  ASSERT_EQ(eventsOf(simulation, EventKind::slip).size(), 1U);
  EXPECT_NEAR(eventsOf(simulation, EventKind::slip).front().t, 1., 1e-14);
  EXPECT_EQ(eventsOf(simulation, EventKind::stick).size(), 1U);
}

TEST(FrictionEvents, AnImpactMayTurnTheSlipOfARodRound) {
  // K_NT drives the tip backward as the normal impulse grows. Closed form: the impulse that stops the tip if it is in
  // the cone, else on the edge of the cone that is against the velocity after.
  const double mu = 0.2;
  const double e = 0.5;
  for (const double before : {0.3, 1.2, 5.}) {
    SlidingRod rod(1.2, 0., -2., before, e, 0., mu, 1e-3);
    // The rod stands slightly in the ground, which, together with an approach, is not a valid initial state here.
    Vector q = rod.rod->q();
    q(1) += 1e-4;
    rod.rod->setState(q, rod.rod->velocity());
    EventDriven simulation(rod.model, TimeDiscretisation(0., 1e-3), FrictionContact(2));
    simulation.run();
    const auto impacts = eventsOf(simulation, EventKind::impact);
    ASSERT_EQ(impacts.size(), 1U);
    const Event& impact = impacts.front();
    const double psi = impact.q(2);
    const auto [wNN, wNT, wTT] = SlidingRod::delassus(psi);
    const double uN = impact.before(1) - SlidingRod::l * std::cos(psi) * impact.before(2);
    const double uT = impact.before(0) + SlidingRod::l * std::sin(psi) * impact.before(2);
    const double determinant = wNN * wTT - wNT * wNT;
    double pN = (-(1. + e) * uN * wTT + uT * wNT) / determinant;
    double pT = (-uT * wNN + (1. + e) * uN * wNT) / determinant;
    int slip = 0;
    if (std::abs(pT) > mu * pN) {
      slip = pT > 0. ? -1 : 1;
      pN = -(1. + e) * uN / (wNN - slip * mu * wNT);
      pT = -slip * mu * pN;
      EXPECT_GT(slip * (uT + wNT * pN + wTT * pT), 0.);
    }
    EXPECT_EQ(slip, before == 0.3 ? -1 : before == 5. ? 1 : 0);
    EXPECT_NEAR(impact.impulse(0), pN, 1e-10);
    EXPECT_NEAR(impact.impulse(1), pT, 1e-10);
  }
}

TEST(FrictionEvents, ImpactsOfAnInaccurateSolverAreMadeExact) {
  // A block falls flat on both feet, and sticks: what a solver leaves of the velocities would slip and bounce.
  const double height = 0.5;
  numerics::NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-4;
  for (const bool accurate : {true, false}) {
    TwoFeet model(0.5, 0.3, 0.5, 2.);
    model.block->setState(makeVector({0., height, 0.}), model.block->velocity());
    EventDriven simulation(
        model.model, TimeDiscretisation(0., 0.05),
        accurate ? FrictionContact(2) : FrictionContact(2, numerics::NonsmoothGaussSeidelSolver(options)));
    simulation.run();
    ASSERT_EQ(simulation.events().size(), 2U);  // one a foot
    for (const Event& event : simulation.events()) {
      EXPECT_EQ(event.kind, EventKind::impact);
      EXPECT_NEAR(event.t, std::sqrt(2. * height / g), 1e-12);
      EXPECT_LE(normInf(event.after), 1e-14);
    }
    EXPECT_NEAR(model.block->q()(0), 0.5 * std::sqrt(2. * height / g), 1e-11);
  }
}

TEST(FrictionEvents, AVelocityThatTouchesThatOfTheBeltDoesNotHangIt) {
  // Without damping the block slips about the equilibrium, and meets the belt's velocity once a period with the
  // friction at its limit.
  const double mu = 0.3;
  const double k = 50.;
  const double belt = 0.5;
  const double omega = std::sqrt(k / Block::m);
  const double balance = mu * Block::m * g / k;
  Block model(
      mu, belt, 20., [=](double, const Vector& q, const Vector&, Vector& f) { f(0) = -k * q(0); }, belt);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double begin = balance / belt;
  simulation.run([&] {
    const double t = simulation.time();
    const double x = t < begin ? belt * t : balance + belt / omega * std::sin(omega * (t - begin));
    EXPECT_NEAR(model.block->q()(0), x, 1e-8) << "t = " << t;
  });
  EXPECT_LE(simulation.events().size(), 100U);
}

TEST(FrictionEvents, ADiskOfARigidBodyRollsFromTheInstantOfTheClosedFormOn) {
  const double mu = 0.15;
  const double v0 = 5.;
  const double m = 3.;
  const double r = 0.2;
  const double j = 0.5;
  const Quaternion upright = {1., 0., 0., 0.};
  const auto disk =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., r}, upright), makeVector({v0, 0., 0., 0., 0., 0.}), m,
                                      diagonalMatrix({0.25 * m * r * r, j * m * r * r, 0.25 * m * r * r}));
  disk->setExternalForces(makeVector({0., 0., -m * g}));
  const auto floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2),
                                                   NewtonEuler2DR(DiskPlane(r, Plane{}, {0., 1., 0.})));
  NonSmoothDynamicalSystem model(0., 5.);
  model.insert(disk);
  model.link(floor, disk);
  EventDriven simulation(model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double roll = v0 / ((1. + 1. / j) * mu * g);
  simulation.run([&] {
    const double t = std::min(simulation.time(), roll);
    EXPECT_NEAR(disk->velocity()(0), v0 - mu * g * t, 1e-10);
    EXPECT_NEAR(disk->q()(2), r, 1e-12);
  });
  const auto sticks = eventsOf(simulation, EventKind::stick);
  ASSERT_EQ(sticks.size(), 1U);
  EXPECT_NEAR(sticks.front().t, roll, 1e-10);
}

TEST(FrictionEvents, ABoxOfARigidBodyBrakesOnItsCorners) {
  const double mu = 0.3;
  const double v0 = 3.;
  const double m = 2.;
  const auto box =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0.25, 0.}, {1., 0., 0., 0.}),
                                      makeVector({v0, 0., 0., 0., 0., 0.}), m, diagonalMatrix({1., 1., 1.}));
  box->setExternalForces(makeVector({0., -m * g, 0.}));
  const auto floor = std::make_shared<Interaction>(
      NewtonImpactFrictionNSL(0., 0., mu, 2),
      NewtonEuler2DR(RectanglePlane(1., 0.5, Plane::through({0., 0., 0.}, {0., 1., 0.}, {1., 0., 0.}))));
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(box);
  model.link(floor, box);
  EventDriven simulation(model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double stop = v0 / (mu * g);
  simulation.run([&] {
    const double t = std::min(simulation.time(), stop);
    EXPECT_NEAR(box->q()(0), v0 * t - 0.5 * mu * g * t * t, 1e-10);
  });
  const auto sticks = eventsOf(simulation, EventKind::stick);
  ASSERT_EQ(sticks.size(), 2U);  // the lower corners
  for (const Event& event : sticks) EXPECT_NEAR(event.t, stop, 1e-11);
}

TEST(FrictionEvents, ATableTipsWhereItsWeightPassesTheEdge) {
  // q = (z, θ_x, θ_y) of a plate on four legs at (±1, ±1), whose weight moves outward along x.
  const double m = 4.;
  const double inertia = 4. / 3.;
  const auto table = std::make_shared<LagrangianDS>(makeVector({0., 0., 0.}), makeVector({0., 0., 0.}),
                                                    diagonalMatrix({m, inertia, inertia}));
  const auto place = [](double t) { return 0.5 + 0.2 * t; };
  table->setExternalForces([=](double t, Vector& f) {
    f(0) = -m * g;
    f(1) = -m * g * 0.3;  // its y
    f(2) = m * g * place(t);
  });
  NonSmoothDynamicalSystem model(0., 2.8);
  model.insert(table);
  for (const double x : {-1., 1.}) {
    for (const double y : {-1., 1.}) {
      const auto leg =
          std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1., y, -x}})));
      leg->setName(x < 0. ? "rear" : "front");
      model.link(leg, table);
    }
  }
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  simulation.run([&] {
    if (simulation.time() < 2.5) {
      EXPECT_NEAR(table->q()(2), 0., 1e-14);
    }
  });
  const auto takeOffs = eventsOf(simulation, EventKind::takeOff);
  ASSERT_EQ(takeOffs.size(), 2U);
  for (const Event& event : takeOffs) {
    EXPECT_EQ(event.source, "rear");
    EXPECT_NEAR(event.t, 2.5, 1e-10);
  }
  EXPECT_EQ(simulation.events().size(), 2U);
  EXPECT_GT(table->q()(2), 0.);
}

TEST(FrictionEvents, ABlockBracedBetweenWallsFallsWhereTheWeightIsAllThatTheyHold) {
  // Pushed on from both sides by springs (a constant force here) it would be braced; here one wall is a plunger under
  // the force N, and the weight grows with time.
  const double mu = 0.5;
  const double push = 30.;
  const double rate = 4.;  // N/s
  const auto block =
      std::make_shared<LagrangianDS>(makeVector({0., 0.}), makeVector({0., 0.}), diagonalMatrix({2., 2.}));
  block->setExternalForces([=](double t, Vector& f) { f(1) = -rate * t; });
  const auto plunger = std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({0.}), diagonalMatrix({1.}));
  plunger->setExternalForces(makeVector({-push}));
  const NewtonImpactFrictionNSL law(0., 0., mu, 2);
  const auto left =
      std::make_shared<Interaction>(law, LagrangianContactR(2, automatic([](const auto& q, auto& h) { h(0) = q(0); }),
                                                            [](double, const Vector&, Matrix& T) { T(0, 1) = 1.; }));
  const auto right = std::make_shared<Interaction>(
      law, LagrangianContactR(2, automatic([](const auto& q, auto& h) { h(0) = q(2) - q(0); }),
                              [](double, const Vector&, Matrix& T) { T(0, 1) = 1.; }));
  NonSmoothDynamicalSystem model(0., 10.);
  model.insert(block);
  model.insert(plunger);
  model.link(left, block);
  model.link(right, block, plunger);
  EventDriven simulation(model, TimeDiscretisation(0., 0.25), FrictionContact(2));
  const double begin = 2. * mu * push / rate;
  simulation.run([&] {
    const double since = std::max(simulation.time() - begin, 0.);
    EXPECT_NEAR(block->velocity()(1), -0.5 * rate / 2. * since * since, 1e-10);
  });
  const auto slips = eventsOf(simulation, EventKind::slip);
  ASSERT_EQ(slips.size(), 2U);
  for (const Event& event : slips) EXPECT_NEAR(event.t, begin, 1e-10);
}

TEST(FrictionEvents, FrictionWithoutACoefficientIsNone) {
  Block model(0., 2., 1.);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.1), FrictionContact(2));
  simulation.run([&] { EXPECT_NEAR(model.block->q()(0), 2. * simulation.time(), 1e-13); });
  EXPECT_TRUE(simulation.events().empty());
}

TEST(FrictionEvents, DryFrictionWithoutABoundIsRefusedByName) {
  const auto mass = std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({0.}), diagonalMatrix({1.}));
  const auto ratchet =
      std::make_shared<Interaction>(RelayNSL(makeVector({0.}), makeVector({std::numeric_limits<double>::infinity()})),
                                    LagrangianLinearTIR(makeMatrix({{1.}})));
  ratchet->setName("ratchet");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(ratchet, mass);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), Relay());
  try {
    simulation.run();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'ratchet'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace delassus::test
