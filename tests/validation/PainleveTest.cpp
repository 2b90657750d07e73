// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <support/Matchers.hpp>
#include <validation/SlidingRod.hpp>
#include <vector>

// Painlevé's paradoxes of a rod that slides on its tip with much friction. While it slides with u_T < 0 the normal
// acceleration of the tip is A f_N + b with A = W_NN + μ W_NT, and b its acceleration without contact. Where A < 0
// there is no bounded force for b < 0, and several for b > 0. Impulses have a solution: the tip jams, an impact without
// collision. (Painlevé, C. R. Acad. Sci. 121, 1895; Génot and Brogliato, Eur. J. Mech. A/Solids 18, 1999.)

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double psi = 1.1;
constexpr double mu = 2.;

double slidingInertia() {
  const auto [wNN, wNT, wTT] = SlidingRod::delassus(psi);
  return wNN + mu * wNT;
}

struct Answer {
  double pN, pT, uN, uT;
};

// One step, and its laws, checked without any of the library's certificates: contact, cone, and friction against
// sliding, on the velocity that the impulse gives.
Answer stepOnce(SlidingRod& rod, double h) {
  TimeStepping simulation(rod.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), FrictionContact(2));
  simulation.step();
  const Vector& p = rod.tip->lambda(1);
  const Vector& v = rod.rod->velocity();
  const double middle = psi + 0.5 * (rod.rod->q()(2) - psi);
  // The velocity at which the scheme imposes the law, with rows at q*.
  const Answer answer{p(0), p(1), v(1) - SlidingRod::l * std::cos(middle) * v(2),
                      v(0) + SlidingRod::l * std::sin(middle) * v(2)};
  constexpr double tolerance = 1e-7;
  EXPECT_GE(answer.pN, -tolerance);
  EXPECT_GE(answer.uN, -tolerance);
  EXPECT_NEAR(answer.pN * answer.uN, 0., tolerance);
  EXPECT_LE(std::abs(answer.pT), mu * answer.pN + tolerance);
  if (std::abs(answer.uT) > tolerance) {
    EXPECT_NEAR(answer.pT, -std::copysign(mu * answer.pN, answer.uT), tolerance);
  }
  // And the impulse is what changed the momentum: m (v⁺ − v) = h f + Gᵀ p.
  const Vector& before = rod.rod->velocity0();
  EXPECT_NEAR(SlidingRod::m * (v(0) - before(0)), p(1), tolerance);
  EXPECT_NEAR(SlidingRod::m * (v(1) - before(1)), p(0) - h * SlidingRod::m * SlidingRod::gravity, tolerance);
  EXPECT_NEAR(SlidingRod::inertia * (v(2) - before(2)),
              SlidingRod::l * (std::sin(middle) * p(1) - std::cos(middle) * p(0)), tolerance);
  return answer;
}

TEST(Painleve, WithoutASolutionInForcesTheTipJamsAtOnce) {
  ASSERT_LT(slidingInertia(), 0.);
  const double speed = 1.;
  const auto [wNN, wNT, wTT] = SlidingRod::delassus(psi);
  // The jam: both velocities of the tip end, u⁻ + W p = 0 with u⁻ = (0, −speed).
  const double determinant = wNN * wTT - wNT * wNT;
  const double pN = -wNT * speed / determinant;
  const double pT = wNN * speed / determinant;
  ASSERT_LT(pT, mu * pN);
  std::printf("jam of Painleve's rod: impulse (%.6f, %.6f) N s\n      h        pN - jam   uT\n", pN, pT);
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5}) {
    SlidingRod rod(psi, 0., 0., -speed, 0., 0., mu, 1.);
    const Answer answer = stepOnce(rod, h);
    std::printf("  %.1e  %.3e  %.1e\n", h, answer.pN - pN, answer.uT);
    // Gravity and the turn during the step are of order h.
    EXPECT_NEAR(answer.pN, pN, 20. * h);
    EXPECT_NEAR(answer.pT, pT, 20. * h);
    EXPECT_NEAR(answer.uT, 0., 1e-7);
    EXPECT_NEAR(answer.uN, 0., 1e-7);
  }
}

TEST(Painleve, AJamTakesEnergy) {
  SlidingRod rod(psi, 0., 0., -1., 0., 0., mu, 1.);
  const double before = rod.kineticEnergy();
  stepOnce(rod, 1e-4);
  EXPECT_LT(rod.kineticEnergy(), 0.9 * before);
}

// b = −g + l sin ψ ψ̇² > 0: leaving the ground is a solution, and so is the jam. One of them is found, and it is one
// that satisfies the laws.
TEST(Painleve, WithSeveralSolutionsOneIsFound) {
  const double psiDot = 4.;
  ASSERT_GT(SlidingRod::l * std::sin(psi) * psiDot * psiDot, SlidingRod::gravity);
  const double h = 1e-4;
  SlidingRod rod(psi, psiDot, 0., -1., 0., 0., mu, 1.);
  const Answer answer = stepOnce(rod, h);
  const bool left = answer.pN < 1e-7;
  const bool jammed = std::abs(answer.uT) < 1e-7 && answer.pN > 1e-2;
  std::printf("Painleve's rod with several solutions: %s\n", left ? "leaves" : jammed ? "jams" : "slides on");
  EXPECT_TRUE(left || jammed);
}

// The other way round, or with less friction, it slides on with the force of the closed form.
TEST(Painleve, OutsideOfTheParadoxItSlidesWithTheForceOfTheClosedForm) {
  const double h = 1e-5;
  const auto [wNN, wNT, wTT] = SlidingRod::delassus(psi);
  for (const double direction : {-1., 1.}) {
    const double friction = direction < 0. ? 0.3 : mu;
    const double inertia = wNN - direction * friction * wNT;
    ASSERT_GT(inertia, 0.);
    SlidingRod rod(psi, 0., 0., direction, 0., 0., friction, 1.);
    TimeStepping simulation(rod.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), FrictionContact(2));
    simulation.step();
    EXPECT_NEAR(rod.tip->lambda(0)(0), SlidingRod::gravity / inertia, 1e-3);
    EXPECT_NEAR(rod.tip->lambda(0)(1), -direction * friction * SlidingRod::gravity / inertia, 1e-3);
  }
}

// With the rod that is thrown along the ground it slides until ψ reaches the paradox, or leaves the ground, and every
// step has a certified answer.
TEST(Painleve, ARunThroughTheParadoxIsCertifiedInEveryStep) {
  for (const double start : {0.3, 0.6, 0.9, 1.2, 1.5}) {
    for (const double rate : {-2., 0., 2.}) {
      SlidingRod rod(start, rate, 0., -3., 0., 0., 3., 0.3);
      TimeStepping simulation(rod.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(2));
      EXPECT_NO_THROW(simulation.run()) << "start " << start << ", rate " << rate;
      EXPECT_GT(rod.tip->y(0)(0), -1e-2);
    }
  }
}

// Where there is no answer in impulses either, the step says so: a body between two walls that come together.
TEST(Painleve, WithoutAnySolutionTheStepFailsByName) {
  const auto body = std::make_shared<LagrangianDS>(Vector(2), Vector(2), identityMatrix(2));
  const auto walls = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5, 2),
                                                   LagrangianContactR(
                                                       2, automatic([](const auto& t, const auto& q, auto& h) {
                                                         h(0) = q(0) - t;
                                                         h(1) = -q(0) - t;
                                                       }),
                                                       [](double, const Vector&, Matrix& rows) {
                                                         rows(0, 1) = 1.;
                                                         rows(1, 1) = -1.;
                                                       },
                                                       2));
  walls->setName("walls");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  model.link(walls, body);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), FrictionContact(2));
  expectError([&] { simulation.step(); }, {"step 0", "failed", "'walls'"});
  EXPECT_EQ(simulation.time(), 0.);
}

}  // namespace
