// SPDX-License-Identifier: Apache-2.0
//
// What is in a model, in two models, in a model that is no more; and simulations that move one model.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <optional>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<LagrangianLinearTIDS> makeBall(double height = 1.) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-10.}));
  ball->setName("ball");
  return ball;
}

std::shared_ptr<Interaction> makeFloor() {
  auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}})));
  floor->setName("floor");
  return floor;
}

std::shared_ptr<NewtonEulerDS> makeRotor() {
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), Vector(6), 1.,
                                         NewtonEulerDS::ballInertia(1., 1.));
}

TEST(Membership, ASystemIsInOneModelAtATime) {
  const auto ball = makeBall();
  NonSmoothDynamicalSystem one(0., 1.), two(0., 1.);
  one.insert(ball);
  expectError([&] { two.insert(ball); }, {"'ball'", "another model", "remove"});
  EXPECT_TRUE(two.topology().systems().empty());
  one.remove(ball);
  EXPECT_NO_THROW(two.insert(ball));
  expectError([&] { one.insert(ball); }, {"'ball'", "another model"});
}

TEST(Membership, AnInteractionIsInOneModelAtATime) {
  const auto floor = makeFloor();
  const auto first = makeBall();
  const auto second = makeBall();
  NonSmoothDynamicalSystem one(0., 1.), two(0., 1.);
  one.insert(first);
  two.insert(second);
  one.link(floor, first);
  expectError([&] { two.link(floor, second); }, {"'floor'", "another model", "remove"});
  EXPECT_TRUE(two.topology().interactions().empty());
  one.remove(floor);
  EXPECT_NO_THROW(two.link(floor, second));
}

TEST(Membership, TheRemovalOfASystemFreesItsInteractions) {
  const auto floor = makeFloor();
  const auto first = makeBall();
  const auto second = makeBall();
  NonSmoothDynamicalSystem one(0., 1.), two(0., 1.);
  one.insert(first);
  one.link(floor, first);
  two.insert(second);
  one.remove(first);
  EXPECT_NO_THROW(two.link(floor, second));
}

TEST(Membership, AModelThatIsDestroyedLeavesItsMembersFree) {
  const auto ball = makeBall();
  const auto floor = makeFloor();
  for (int k = 0; k < 3; ++k) {
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(ball);
    model.link(floor, ball);
    ball->setState(makeVector({1.}), makeVector({0.}));
    TimeStepping simulation(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(0.5), LCP());
    simulation.run();
    // The first bounce of a ball from 1 m has come back up after 0.447 s, of restitution 0.5 to 0.25 m.
    EXPECT_GT(ball->q()(0), 0.);
    EXPECT_LT(ball->q()(0), 0.26);
  }
}

TEST(Membership, LawsAndRelationsWithoutAMemoryAreShared) {
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  const auto relation = std::make_shared<LagrangianLinearTIR>(makeMatrix({{1.}}));
  const auto first = makeBall();
  const auto second = makeBall();
  const auto third = makeBall();
  NonSmoothDynamicalSystem one(0., 1.), two(0., 1.);
  one.insert(first);
  one.insert(second);
  two.insert(third);
  EXPECT_NO_THROW(one.link(std::make_shared<Interaction>(law, relation), first));
  EXPECT_NO_THROW(one.link(std::make_shared<Interaction>(law, relation), second));
  EXPECT_NO_THROW(two.link(std::make_shared<Interaction>(law, relation), third));
}

TEST(Membership, ARelationWithAMemoryBelongsToOneInteraction) {
  const auto law = std::make_shared<EqualityConditionNSL>(1);
  const auto angle =
      std::make_shared<JointAngleR>(JointFrame({0., 0., 0.}, {0., 0., 1.}), JointFrame({0., 0., 0.}, {0., 0., 1.}));
  const auto limit = std::make_shared<Interaction>(law, angle);
  const auto other = std::make_shared<Interaction>(law, angle);
  other->setName("other limit");
  const auto first = makeRotor();
  const auto second = makeRotor();
  NonSmoothDynamicalSystem one(0., 1.);
  auto two = std::make_unique<NonSmoothDynamicalSystem>(0., 1.);
  one.insert(first);
  two->insert(second);
  two->link(limit, second);
  expectError([&] { one.link(other, first); }, {"'other limit'", "JointAngleR", "memory", "copy"});
  EXPECT_NO_THROW(one.link(std::make_shared<Interaction>(EqualityConditionNSL(1), JointAngleR(*angle)), first));
  two->remove(limit);
  EXPECT_NO_THROW(one.link(other, first));
  expectError([&] { two->link(limit, second); }, {"JointAngleR", "memory"});
  one.remove(other);
  two->link(limit, second);
  two.reset();
  EXPECT_NO_THROW(one.link(other, first));
}

// Touches where it last did.
class StickyGeometry final : public ContactGeometry {
 public:
  std::string_view className() const override { return "StickyGeometry"; }
  std::size_t bodies() const override { return 1; }
  bool hasMemory() const override { return true; }
  void findContacts(double, const Vector& q, ContactPoint* contacts) override {
    if (q(2) < 0.) last_ = {q(0), q(1), 0.};
    contacts->point = last_;
    contacts->gap = q(2);
  }

 private:
  Vector3 last_{};
};

TEST(Membership, AContactWhoseGeometryHasAMemoryBelongsToOneInteraction) {
  const auto law = std::make_shared<NewtonImpactFrictionNSL>(0., 0., 0.5);
  const auto body = makeRotor();
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  const auto contact = std::make_shared<NewtonEuler3DR>(SurfacePoint(StickyGeometry{}));
  model.link(std::make_shared<Interaction>(law, contact), body);
  expectError([&] { model.link(std::make_shared<Interaction>(law, contact), body); }, {"NewtonEuler3DR", "memory"});
}

// Whether the frames of a joint fit is a matter of each link, also where the relation has fitted another one.
TEST(Membership, ASharedJointIsCheckedInEachOfItsLinks) {
  const auto law = std::make_shared<EqualityConditionNSL>(3);
  const auto pin = std::make_shared<SphericalJointR>(JointFrame({0., 0., 0.}), JointFrame({0., 0., 0.}));
  const auto fits = makeRotor();
  const auto apart = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.5, 0., 0.}), Vector(6), 1.,
                                                     NewtonEulerDS::ballInertia(1., 1.));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(fits);
  model.insert(apart);
  model.link(std::make_shared<Interaction>(law, pin), fits);
  model.link(std::make_shared<Interaction>(law, pin), apart);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(0.5), MLCP());
  expectError([&] { simulation.initialise(); }, {"interaction 1", "SphericalJointR", "apart"});
}

TEST(Membership, OneSimulationAfterAnotherMovesAModel) {
  const auto ball = makeBall();
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  model.link(makeFloor(), ball);
  TimeStepping first(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(0.5), LCP());
  TimeStepping second(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(0.5), LCP());
  first.run();
  const double end = ball->q()(0);
  ball->setState(ball->q0(), ball->velocity0());
  second.run();
  EXPECT_EQ(ball->q()(0), end);
}

TEST(Membership, TwoSimulationsDoNotTakeTurns) {
  const auto ball = makeBall();
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  TimeStepping first(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(0.5), LCP());
  TimeStepping second(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(0.5), LCP());
  first.step();
  second.step();
  expectError([&] { first.step(); }, {"TimeStepping", "another simulation", "t = 0.01"});
  EXPECT_NO_THROW(second.run());
}

}  // namespace
