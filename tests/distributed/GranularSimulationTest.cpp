// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/Config.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <string>

#include "Heaps.hpp"

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::test;

// The same scene in one process.
struct OneProcess {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
  std::unique_ptr<TimeStepping> simulation;

  OneProcess(const std::vector<Grain>& grains, const NewtonImpactFrictionNSL& law, const GranularOptions& options)
      : model(0., options.end), contacts(std::make_shared<CollisionManager>(options.margin, law)) {
    model.setGravity(options.gravity);
    contacts->insertObstacle(Plane{});
    for (const Grain& grain : grains) {
      bodies.push_back(grain.body());
      model.insert(bodies.back());
      contacts->insert(bodies.back(), grain.shape);
    }
    simulation = std::make_unique<TimeStepping>(
        model, options.step, std::make_unique<MoreauJeanOSI>(MoreauJeanOSI::semiExplicit(0.5, 0.5, ContactRule::pure)),
        std::make_unique<FrictionContact>(3, AutomaticFrictionSolver(options.tolerance)));
    simulation->setInteractionManager(contacts);
  }
  std::size_t contactCount() { return simulation->problem().size() / 3; }
  // The largest distance of a coordinate to those of other ranks, on the first.
  double distanceTo(const std::vector<Grain>& grains) const {
    double largest = 0.;
    for (std::size_t k = 0; k < grains.size(); ++k) {
      for (std::size_t i = 0; i < 7; ++i) largest = std::max(largest, std::abs(grains[k].q(i) - bodies[k]->q()(i)));
    }
    return largest;
  }
};

void expectMovesAsOneProcess(const std::vector<Grain>& grains, const NewtonImpactFrictionNSL& law, double closeness) {
  const Ranks ranks;
  const GranularOptions options{.step = 2e-3, .end = 0.1, .margin = 2e-3, .tolerance = 1e-10};
  GranularSimulation pile(ranks, law, options);
  pile.insertObstacle(Plane{});
  insertInTurn(pile, grains);
  OneProcess one(grains, law, options);
  std::size_t most = 0;
  while (pile.hasNextStep()) {
    pile.step();
    one.simulation->step();
    EXPECT_TRUE(pile.lastReport().converged());
    EXPECT_EQ(pile.contactsOfAll(), one.contactCount());
    most = std::max(most, pile.contactsOfAll());
    const std::vector<Grain> all = pile.gather();
    ASSERT_EQ(all.size(), ranks.isFirst() ? grains.size() : 0U);
    ASSERT_LE(one.distanceTo(all), closeness) << pile.time();
  }
  EXPECT_GE(most, grains.size());
  EXPECT_FALSE(one.simulation->hasNextStep());
}

// The answers are known to 1e-10 of their scale, and velocities of a step follow from them; 50 steps add up.
TEST(GranularSimulation, MovesBallsAsOneProcess) {
  expectMovesAsOneProcess(heap(3, 3, false), NewtonImpactFrictionNSL(0., 0., 0.4), 1e-7);
}

TEST(GranularSimulation, BouncesAsOneProcess) {
  expectMovesAsOneProcess(heap(3, 3, false), NewtonImpactFrictionNSL(0.5, 0., 0.4), 1e-6);
}

// A thousand spheres that collapse on the floor: while both have as many contacts they are at the same places.
TEST(GranularSimulation, MovesAThousandBallsAsOneProcessUntilContactsDiffer) {
  const Ranks ranks;
  const GranularOptions options{.step = 5e-3, .end = 0.1, .margin = 1e-3, .tolerance = 1e-8};
  const std::vector<Grain> grains = heap(10, 10, false);
  const NewtonImpactFrictionNSL law(0., 0., 0.5);
  GranularSimulation pile(ranks, law, options);
  pile.insertObstacle(Plane{});
  insertInTurn(pile, grains);
  OneProcess one(grains, law, options);
  double distance = 0.;
  std::size_t same = 0;
  while (pile.hasNextStep()) {
    pile.step();
    one.simulation->step();
    if (pile.contactsOfAll() != one.contactCount()) break;
    distance = std::max(distance, one.distanceTo(pile.gather()));
    ++same;
  }
  EXPECT_EQ(same, 20U);
  // Each answer is known to 1e-8 of its scale; impacts of the collapse make more of it, a tenth of this when measured.
  EXPECT_LE(distance, 5e-5);
}

// A cluster that flies apart from its own spin and is hit from outside, in empty space.
TEST(GranularSimulation, KeepsMomentumWithoutForces) {
  const Ranks ranks;
  GranularSimulation cloud(ranks, NewtonImpactFrictionNSL(0.7, 0., 0.3),
                           {.step = 1e-3, .end = 0.3, .gravity = {}, .margin = 2e-3, .tolerance = 1e-8});
  std::vector<Grain> grains = heap(4, 4, true);
  for (Grain& grain : grains) {
    const double side = grain.q(0) < 0.21 ? 1. : -1.;
    grain.v(0) = 2. * side;
    grain.v(1) = 0.5 * side * (grain.q(2) > 0.21 ? 1. : -1.);
  }
  insertInTurn(cloud, grains);
  const GranularTotals before = cloud.totals();
  double migrations = 0.;
  std::size_t contacts = 0;
  while (cloud.hasNextStep()) {
    cloud.step();
    contacts += cloud.contactsOfAll();
  }
  migrations = static_cast<double>(cloud.statistics().migrations);
  ranks.sum({&migrations, 1});
  const GranularTotals after = cloud.totals();
  EXPECT_GT(contacts, 100U);
  EXPECT_EQ(migrations > 0., ranks.size() > 1);
  EXPECT_EQ(after.grains, grains.size());
  EXPECT_LT(after.kineticEnergy, before.kineticEnergy);
  double scale = 0.;
  for (const Grain& grain : grains) scale += 2. * grain.mass;
  for (std::size_t i = 0; i < 3; ++i) {
    // Impulses of a contact are equal and opposite, whoever applies them: only rounding is left.
    EXPECT_NEAR(after.momentum[i], before.momentum[i], 1e-12 * scale);
    EXPECT_NEAR(after.moments[i], before.moments[i] + 0.3 * before.momentum[i], 1e-11 * scale);
  }
}

TEST(GranularSimulation, GivesTheSameBitsAgain) {
  const Ranks ranks;
  const auto motion = [&] {
    GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5), {.end = 0.3, .margin = 2e-3});
    pile.insertObstacle(Plane{});
    insertInTurn(pile, heap(4, 3, true));
    while (pile.hasNextStep()) pile.step();
    return pile.gather();
  };
  const std::vector<Grain> first = motion(), second = motion();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    for (std::size_t i = 0; i < 7; ++i) ASSERT_EQ(first[k].q(i), second[k].q(i));
  }
}

TEST(GranularSimulation, TakesTheLawsOfGroups) {
  const Ranks ranks;
  // Grains of group 1 on a slope without friction, between obstacles that they do not touch; those of group 0 stick.
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.8),
                          {.step = 1e-3, .end = 0.2, .gravity = {3., 0., -9.81}, .margin = 1e-3, .tolerance = 1e-10});
  pile.insertObstacle(Plane{});
  pile.setLaw(1, 0, NewtonImpactFrictionNSL(0., 0., 0.));
  for (std::uint64_t k = ranks.rank(); k < 8; k += ranks.size()) {
    Grain grain = Grain::box(k, 0.1, 0.1, 0.1, 1000., {0.3 * static_cast<double>(k), 0., 0.05});
    grain.group = k % 2;
    pile.insert(grain);
  }
  while (pile.hasNextStep()) pile.step();
  for (const Grain& grain : pile.own()) {
    const double slid = grain.q(0) - 0.3 * static_cast<double>(grain.number);
    // What sticks has moved freely for a step first: 3 h² ≈ 3e-6.
    EXPECT_NEAR(slid, grain.group == 1 ? 0.5 * 3. * 0.04 : 0., 5e-6) << grain.number;
  }
}

// The last ranks of four have nothing to solve at first, and then nobody has.
TEST(GranularSimulation, GoesOnWhereRanksHaveNoContacts) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5),
                          {.step = 1e-3, .end = 0.05, .margin = 1e-3, .tolerance = 1e-8});
  pile.insertObstacle(Plane{});
  for (std::uint64_t k = ranks.rank(); k < 8; k += ranks.size()) {
    pile.insert(Grain::ball(k, 0.05, 1000., {static_cast<double>(k), 0., k == 0 ? 0.051 : 0.1}));
  }
  while (pile.hasNextStep()) {
    pile.step();
    // The gap of 1 mm closes at 14.3 ms.
    if (pile.time() > 0.0135 && pile.time() < 0.0165) continue;
    EXPECT_EQ(pile.contactsOfAll(), pile.time() < 0.0135 ? 0U : 1U) << pile.time();
  }
  for (const Grain& grain : pile.own()) {
    EXPECT_NEAR(grain.v(2), grain.number > 0 ? -9.81 * 0.05 : 0., 1e-8) << grain.number;
  }
}

TEST(GranularSimulation, FollowsGrainsThatComeLater) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5), {.end = 0.1, .margin = 2e-3});
  insertInTurn(pile, heap(2, 2, false));
  pile.step();
  if (ranks.rank() == ranks.size() - 1) pile.insert(Grain::ball(100, 0.05, 1000., {-3., 0., 5.}));
  pile.step();
  EXPECT_EQ(pile.totals().grains, 9U);
}

// Two trains that pass each other: ghosts and grains come and go.
TEST(GranularSimulation, ForgetsGrainsAndGhostsThatHaveGone) {
  const Ranks ranks;
  GranularSimulation trains(ranks, NewtonImpactFrictionNSL(0., 0., 0.),
                            {.step = 5e-3, .end = 5., .gravity = {0., 0., 0.}, .margin = 1e-3});
  constexpr std::size_t length = 20;
  for (std::uint64_t k = ranks.rank(); k < 2 * length; k += ranks.size()) {
    const double side = k < length ? 0. : 0.101, speed = k < length ? 1. : -1.;
    Grain grain = Grain::ball(k, 0.05, 1000., {0.2 * static_cast<double>(k % length), side, 0.});
    grain.v(0) = speed;
    trains.insert(grain);
  }
  std::size_t most = 0;
  while (trains.hasNextStep()) {
    trains.step();
    most = std::max(most, trains.contacts().colliders().size());
  }
  // Members that are there, as many that have gone, and what goes in a step.
  EXPECT_LE(most, 2 * 2 * length + 10);
  for (const Grain& grain : trains.own()) {
    const double moved = grain.q(0) - 0.2 * static_cast<double>(grain.number % length);
    EXPECT_NEAR(moved, grain.number < length ? 5. : -5., 1e-6);
  }
  std::vector<double> migrations{static_cast<double>(trains.statistics().migrations)};
  ranks.sum(migrations);
  EXPECT_GE(migrations[0], ranks.size() > 1 ? 10. : 0.);
}

TEST(Grain, OfEachConvexShapeIsReadAsItWasWritten) {
  std::vector<std::shared_ptr<const Shape>> shapes{shareShape(SphereShape(0.1)), shareShape(BoxShape(0.1, 0.2, 0.3)),
                                                   shareShape(CapsuleShape(0.1, 0.3)),
                                                   shareShape(CylinderShape(0.1, 0.3))};
  const double s = 0.1;
  if (withQhull) shapes.push_back(shareShape(ConvexHull({{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}})));
  for (const auto& shape : shapes) {
    const Grain grain = Grain::of(7, shape, 2000., {1., 2., 3.});
    Packet packet;
    grain.write(packet);
    PacketReader reader(packet);
    const Grain again = Grain::read(reader);
    EXPECT_EQ(again.number, 7u);
    EXPECT_EQ(again.mass, grain.mass);
    EXPECT_EQ(again.shape->className(), shape->className());
    EXPECT_TRUE(again.shape->settings() == shape->settings());
  }
  EXPECT_THROW(Grain::of(7, shareShape(CompoundShape().with(SphereShape(1.))), 2000., {}), Error);
  EXPECT_THROW(Grain::of(7, nullptr, 2000., {}), Error);
}

TEST(GranularSimulation, RefusesWhatItCannotMove) {
  const Ranks ranks;
  const NewtonImpactFrictionNSL law(0., 0., 0.5);
  EXPECT_THROW(GranularSimulation(ranks, law, {.step = 0.}), Error);
  EXPECT_THROW(GranularSimulation(ranks, law, {.imbalance = 1.}), Error);
  EXPECT_THROW(GranularSimulation(ranks, std::shared_ptr<NonSmoothLaw>()), Error);
  GranularSimulation pile(ranks, law);
  Grain plane;
  plane.shape = shareShape(Plane{});
  EXPECT_THROW(pile.insert(plane), Error);
  EXPECT_THROW(pile.insert(Grain{}), Error);  // without inertia
  EXPECT_THROW(pile.insert(Grain::ball(std::uint64_t{1} << 53, 0.1, 1000., {0., 0., 0.})), Error);
  for (std::uint64_t k = 0; k < ranks.size(); ++k) {
    if (ranks.isFirst()) pile.insert(Grain::ball(k, 0.1, 1000., {static_cast<double>(k), 0., 0.}));
  }
  if (ranks.rank() + 1 == ranks.size()) pile.insert(Grain::ball(0, 0.1, 1000., {9., 0., 0.}));
  try {
    pile.step();
    ADD_FAILURE() << "two grains with one number were taken";
  } catch (const AgreedError& error) {
    EXPECT_NE(std::string(error.what()).find("two grains have the number 0"), std::string::npos) << error.what();
  }
}

TEST(GranularSimulation, RefusesLawsThatAreNotCoulombs) {
  const Ranks ranks;
  const auto expectRefused = [](const auto& make) {
    try {
      make();
      ADD_FAILURE() << "the law was taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("takes Coulomb friction of size 3"), std::string::npos) << error.what();
    }
  };
  expectRefused([&] { GranularSimulation(ranks, NewtonImpactNSL(0.)); });
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5));
  expectRefused([&] { pile.setLaw(0, 1, NewtonImpactFrictionNSL(0., 0., 0.5, 2)); });
  expectRefused([&] { pile.setLaw(0, 1, NewtonImpactFrictionNSL(0., 0., 0.5, 3, Sliding::associated)); });
}

TEST(GranularSimulation, SaysThatAStepWasNotSolved) {
  const Ranks ranks;
  GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5), {.margin = 2e-3, .tolerance = 1e-25});
  pile.insertObstacle(Plane{});
  insertInTurn(pile, heap(3, 3, false));
  EXPECT_THROW(while (pile.hasNextStep()) pile.step(), AgreedError);
  EXPECT_FALSE(pile.lastReport().converged());
  // Again.
  const double time = pile.time();
  EXPECT_THROW(pile.step(), AgreedError);
  EXPECT_EQ(pile.time(), time);
}

}  // namespace
