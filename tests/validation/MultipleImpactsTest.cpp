// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <random>
#include <support/Matchers.hpp>
#include <validation/SlidingRod.hpp>

// The meaning of Newton's law where several contacts take part in one impact: docs/contacts.md.

namespace {

using namespace delassus;
using namespace delassus::test;

// Balls on a line, in contact with the next (or a little into it), each contact with its own e.
struct Cradle {
  Cradle(const std::vector<double>& masses, const std::vector<double>& velocities, const std::vector<double>& e,
         double penetration = 0.)
      : model(0., 1.) {
    for (std::size_t i = 0; i < masses.size(); ++i) {
      balls.push_back(std::make_shared<LagrangianLinearTIDS>(makeVector({static_cast<double>(i) * (1. - penetration)}),
                                                             makeVector({velocities[i]}), makeMatrix({{masses[i]}})));
      model.insert(balls.back());
    }
    for (std::size_t i = 0; i + 1 < masses.size(); ++i) {
      contacts.push_back(std::make_shared<Interaction>(
          NewtonImpactNSL(e[i]), LagrangianLinearTIR(makeMatrix({{-1., 1.}}), makeVector({-1.}))));
      model.link(contacts.back(), balls[i], balls[i + 1]);
    }
  }

  void collide() {
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-6), MoreauJeanOSI(), LCP());
    simulation.step();
  }

  double energy() const {
    double sum = 0.;
    for (const auto& ball : balls) sum += 0.5 * ball->M()(0, 0) * ball->velocity()(0) * ball->velocity()(0);
    return sum;
  }

  double momentum() const {
    double sum = 0.;
    for (const auto& ball : balls) sum += ball->M()(0, 0) * ball->velocity()(0);
    return sum;
  }

  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
  std::vector<std::shared_ptr<Interaction>> contacts;
};

// v = (1, 0, 0) becomes ((1 − 2e)/3, (1 + e)/3, (1 + e)/3): the last two leave together, however elastic.
TEST(NewtonsCradle, ThatIsInContactSendsItsLastBallsOffTogether) {
  for (const double e : {0., 0.5, 1.}) {
    Cradle cradle({1., 1., 1.}, {1., 0., 0.}, {e, e});
    cradle.collide();
    EXPECT_NEAR(cradle.balls[0]->velocity()(0), (1. - 2. * e) / 3., 1e-14);
    EXPECT_NEAR(cradle.balls[1]->velocity()(0), (1. + e) / 3., 1e-14);
    EXPECT_NEAR(cradle.balls[2]->velocity()(0), (1. + e) / 3., 1e-14);
    EXPECT_NEAR(cradle.momentum(), 1., 1e-14);
    // The contact that nothing approached rebounds with nothing, whatever its e.
    EXPECT_NEAR(cradle.energy(), 0.5 - (1. - e * e) / 3., 1e-14);
  }
}

// Gaps between the balls, small as they may be, make a sequence of impacts of two: the toy.
TEST(NewtonsCradle, WithGapsSendsOffItsLastBallAlone) {
  Cradle cradle({1., 1., 1.}, {1., 0., 0.}, {1., 1.}, -1e-3);
  TimeStepping simulation(cradle.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), LCP());
  for (int k = 0; k < 100; ++k) simulation.step();
  EXPECT_NEAR(cradle.balls[0]->velocity()(0), 0., 1e-14);
  EXPECT_NEAR(cradle.balls[1]->velocity()(0), 0., 1e-14);
  EXPECT_NEAR(cradle.balls[2]->velocity()(0), 1., 1e-14);
}

// ΔT = ½ Σ (1 − e_i) u_i p_i: not positive for contacts that approach or rest, whatever their e.
TEST(MultipleImpacts, WithoutFrictionNeverCreateEnergyWhereContactsDoNotPart) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> mass(0.1, 3.), speed(0., 1.), restitution(0., 1.);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 2 + static_cast<std::size_t>(trial % 6);
    std::vector<double> masses, velocities, e;
    double velocity = 0.;
    for (std::size_t i = 0; i < count; ++i) {
      masses.push_back(mass(random));
      velocities.push_back(velocity);
      velocity -= speed(random);  // each is slower than the one behind it
      e.push_back(restitution(random));
    }
    if (trial % 2 == 0) e.assign(count, e.front());
    Cradle cradle(masses, velocities, e);
    const double before = cradle.energy();
    const double momentum = cradle.momentum();
    cradle.collide();
    EXPECT_LE(cradle.energy(), before * (1. + 1e-12));
    EXPECT_NEAR(cradle.momentum(), momentum, 1e-12);
    for (const auto& contact : cradle.contacts) EXPECT_GE(contact->y(1)(0), -1e-12);
  }
}

// If all e are equal, that holds too for contacts that part while they are still in each other.
TEST(MultipleImpacts, OfEqualRestitutionNeverCreateEnergy) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> mass(0.1, 3.), speed(-1., 1.), restitution(0., 1.);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> masses, velocities;
    for (int i = 0; i < 5; ++i) {
      masses.push_back(mass(random));
      velocities.push_back(speed(random));
    }
    Cradle cradle(masses, velocities, std::vector<double>(4, restitution(random)), 1e-3);
    const double before = cradle.energy();
    cradle.collide();
    EXPECT_LE(cradle.energy(), before * (1. + 1e-12));
  }
}

// With e = 1 behind and e = 0 before, v = (1, 0, 0.1) with the last two in each other becomes (−0.3, 0.7, 0.7).
TEST(MultipleImpacts, OfDifferentRestitutionCanCreateEnergyAtContactsThatPart) {
  Cradle cradle({1., 1., 1.}, {1., 0., 0.1}, {1., 0.}, 1e-3);
  const double before = cradle.energy();
  cradle.collide();
  EXPECT_NEAR(cradle.balls[0]->velocity()(0), -0.3, 1e-12);
  EXPECT_NEAR(cradle.balls[1]->velocity()(0), 0.7, 1e-12);
  EXPECT_NEAR(cradle.balls[2]->velocity()(0), 0.7, 1e-12);
  EXPECT_NEAR(cradle.energy() - before, 0.03, 1e-12);
}

// One frictional impact is enough, as in Kane's example of a double pendulum: a rod that lands on its tip with e = 1
// and sticks. u⁺ = (−u_N, 0), and T⁺ − T⁻ = ½ (u⁺ᵀW⁻¹u⁺ − u⁻ᵀW⁻¹u⁻) = −u_N u_T W⁻¹_NT − ½ W⁻¹_TT u_T².
TEST(KanesParadox, AnElasticImpactThatSticksCreatesEnergy) {
  const double psi = 0.9;
  const double uN = -1.;
  const auto [wNN, wNT, wTT] = SlidingRod::delassus(psi);
  const double determinant = wNN * wTT - wNT * wNT;
  const double inverseNT = -wNT / determinant;
  const double inverseTT = wNN / determinant;
  const double uT = -uN * inverseNT / inverseTT;  // where the gain is largest
  const double gain = 0.5 * uN * uN * inverseNT * inverseNT / inverseTT;
  for (const double sign : {1., -1.}) {
    SlidingRod rod(psi, 0., uN, sign * uT, 1., 0., 5., 1.);
    rod.rod->setExternalForces(Vector(3));
    const double before = rod.kineticEnergy();
    TimeStepping simulation(rod.model, TimeDiscretisation(0., 1e-8), MoreauJeanOSI(), FrictionContact(2));
    simulation.step();
    EXPECT_NEAR(rod.tip->y(1)(0), -uN, 1e-6);
    EXPECT_NEAR(rod.tip->y(1)(1), 0., 1e-6);
    EXPECT_NEAR(rod.kineticEnergy() - before, sign > 0. ? gain : -3. * gain, 1e-6);
  }
  EXPECT_GT(gain, 0.05);
}

// e = 0 never creates energy, with any friction.
TEST(KanesParadox, IsNotThereForPlasticImpacts) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> angle(0.1, 1.5), velocity(-2., 2.), friction(0., 3.);
  for (int trial = 0; trial < 200; ++trial) {
    SlidingRod rod(angle(random), velocity(random), -std::abs(velocity(random)), velocity(random), 0., 0.,
                   friction(random), 1.);
    rod.rod->setExternalForces(Vector(3));
    const double before = rod.kineticEnergy();
    TimeStepping simulation(rod.model, TimeDiscretisation(0., 1e-8), MoreauJeanOSI(), FrictionContact(2));
    simulation.step();
    EXPECT_LE(rod.kineticEnergy(), before * (1. + 1e-6));
  }
}

// A block (half width b, half height a) that rotates about its left corner comes down flat: its right corner hits.
struct RockingBlock {
  RockingBlock(double a, double b, double rate, double e) : model(0., 1.) {
    Vector twist(6);
    twist(0) = rate * a;
    twist(1) = -rate * b;
    twist(5) = -rate;
    block = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., a, 0.}), twist, 2.,
                                            NewtonEulerDS::boxInertia(2., 2. * b, 2. * a, 0.5));
    const Plane ground = Plane::through({0., 0., 0.}, {0., 1., 0.}, {1., 0., 0.});
    corners = std::make_shared<Interaction>(NewtonImpactFrictionNSL(e, 0., 10., 2),
                                            NewtonEuler2DR(RectanglePlane(2. * b, 2. * a, ground)));
    model.insert(block);
    model.link(corners, block);
  }

  void land() {
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-8), MoreauJeanOSI(), FrictionContact(2));
    simulation.step();
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> block;
  std::shared_ptr<Interaction> corners;
};

// With e = 0 and no slip Newton's law is Housner's: a slender block goes on about the other corner, with 1 − (3/2)
// sin²α of its rate, tan α = b/a. (Housner, Bull. Seism. Soc. Am. 53, 1963.)
TEST(RockingBlock, GoesOnAboutTheOtherCornerAsHousnerHasIt) {
  for (const double b : {0.1, 0.3, 1.}) {
    const double a = 1.;
    const double rate = 0.7;
    RockingBlock rocking(a, b, rate, 0.);
    rocking.land();
    const double factor = 1. - 1.5 * b * b / (a * a + b * b);
    EXPECT_NEAR(rocking.block->velocity()(5), -rate * factor, 1e-6);
    EXPECT_NEAR(rocking.block->velocity()(0), rate * factor * a, 1e-6);
    EXPECT_NEAR(rocking.block->velocity()(1), rate * factor * b, 1e-6);
  }
}

// Beyond sin²α = 2/3 that would drive the first corner into the ground: the block comes to rest on both.
TEST(RockingBlock, ThatIsSquatStopsFlat) {
  RockingBlock rocking(1., 2., 0.7, 0.);
  rocking.land();
  EXPECT_NEAR(rocking.block->velocity()(5), 0., 1e-6);
  EXPECT_NEAR(rocking.block->velocity()(0), 0., 1e-6);
  EXPECT_NEAR(rocking.block->velocity()(1), 0., 1e-6);
}

}  // namespace
