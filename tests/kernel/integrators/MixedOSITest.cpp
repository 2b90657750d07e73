// SPDX-License-Identifier: Apache-2.0
//
// Several schemes in one model: each group moves as it does by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <support/Circuits.hpp>
#include <support/FirstOrderModels.hpp>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 9.81;
constexpr double h = 1e-2;

std::shared_ptr<LagrangianLinearTIDS> makeBall(double height, double velocity, const char* name) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({velocity}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-g}));
  ball->setName(name);
  return ball;
}

std::shared_ptr<Interaction> makeFloor(double e) {
  return std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1.}})));
}

// The contact of a ball with one below it.
std::shared_ptr<Interaction> makePair(double e) {
  return std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{-1., 1.}})));
}

// Two balls above each other, or none of their parts.
struct Tower {
  std::shared_ptr<LagrangianLinearTIDS> low = makeBall(0.3, 0., "low"), high = makeBall(1., -1., "high");
  std::shared_ptr<Interaction> floor = makeFloor(0.8), between = makePair(0.5);

  void insertInto(NonSmoothDynamicalSystem& model) const {
    model.insert(low);
    model.insert(high);
    model.link(floor, low);
    model.link(between, low, high);
  }
};

// A pendulum (an angle) with a stop.
struct Pendulum {
  Pendulum() {
    arm = std::make_shared<LagrangianDS>(makeVector({-1.}), makeVector({0.}), makeMatrix({{1.}}));
    arm->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
      using std::sin;
      F(0) = g * sin(q(0));
    }));
    arm->setName("arm");
    stop = std::make_shared<Interaction>(NewtonImpactNSL(0.9),
                                         LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                   using std::sin;
                                                                   y(0) = sin(0.3) - sin(q(0));
                                                                 })));
  }
  void insertInto(NonSmoothDynamicalSystem& model) const {
    model.insert(arm);
    model.link(stop, arm);
  }
  std::shared_ptr<LagrangianDS> arm;
  std::shared_ptr<Interaction> stop;
};

// A capacitor that a source charges through an ideal diode.
struct Rectifier {
  Rectifier() {
    capacitor = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.2}), makeMatrix({{-0.5}}));
    capacitor->setName("capacitor");
    auto relation = FirstOrderLinearR(makeMatrix({{1.}}), makeMatrix({{1.}}));
    relation.setD(makeMatrix({{0.1}}));
    relation.setE([](double t, Vector& e) { e(0) = -std::sin(3. * t) - 0.3; });
    diode = std::make_shared<Interaction>(ComplementarityConditionNSL(), relation);
  }
  void insertInto(NonSmoothDynamicalSystem& model) const {
    model.insert(capacitor);
    model.link(diode, capacitor);
  }
  std::shared_ptr<FirstOrderLinearTIDS> capacitor;
  std::shared_ptr<Interaction> diode;
};

TEST(MixedOSI, RefusesAnInteractionBetweenGroupsWithTheReason) {
  NonSmoothDynamicalSystem model(0., 1.);
  const Tower tower;
  tower.insertInto(model);
  tower.between->setName("between");
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(), {tower.low}).add(SchatzmanPaoliOSI(), {tower.high});
  EXPECT_EQ(mixed.name(), "MixedOSI (MoreauJeanOSI, SchatzmanPaoliOSI)");
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  expectError([&] { simulation.initialise(); }, {"'between'", "'low' (MoreauJeanOSI)", "'high' (SchatzmanPaoliOSI)",
                                                 "which rule holds", "multiplier", "one group"});
  // Mended, it runs.
  model.remove(tower.between);
  simulation.run();
  EXPECT_EQ(simulation.stepIndex(), 100U);
}

TEST(MixedOSI, RefusesAnInteractionBetweenGroupsOfOneKindToo) {
  NonSmoothDynamicalSystem model(0., 1.);
  const Tower tower;
  tower.insertInto(model);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(0.5), {tower.low}).add(MoreauJeanOSI(1.), {tower.high});
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  expectError([&] { simulation.initialise(); }, {"'low'", "'high'", "schemes of their own"});
}

TEST(MixedOSI, RefusesGroupsThatDoNotFitTheModelByName) {
  const auto a = makeBall(1., 0., "a"), b = makeBall(1., 0., "b"), c = makeBall(1., 0., "c");
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(), {a, b});
  expectError(
      [&] {
        mixed.add(SchatzmanPaoliOSI(), {c, a});
      },
      {"'a'", "SchatzmanPaoliOSI", "MoreauJeanOSI already", "one scheme"});
  expectError([&] { mixed.add(SchatzmanPaoliOSI(), {c, c}); }, {"'c'", "twice"});
  expectError([&] { mixed.add(SchatzmanPaoliOSI(), {}); }, {"no systems"});
  expectError([&] { mixed.add(SchatzmanPaoliOSI(), {nullptr}); }, {"system 0", "null"});
  EXPECT_EQ(mixed.groups(), 1U);
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(a);
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  expectError([&] { simulation.step(); }, {"'b'", "MoreauJeanOSI", "not in the model"});
  model.insert(b);
  model.insert(c);
  expectError([&] { simulation.step(); }, {"'c'", "in no group"});
  model.remove(c);
  simulation.step();
  // What was in the model may leave it.
  model.remove(b);
  simulation.step();
  model.insert(b);
  simulation.step();
  NonSmoothDynamicalSystem other(0., 1.);
  other.insert(makeBall(1., 0., "d"));
  TimeStepping nothing(other, TimeDiscretisation(0., h), MixedOSI(), LCP());
  expectError([&] { nothing.step(); }, {"'d'", "in no group"});
}

TEST(MixedOSI, AMemberRefusesWhatItDoesNotTake) {
  NonSmoothDynamicalSystem model(0., 1.);
  const Rectifier rectifier;
  rectifier.insertInto(model);
  MixedOSI mixed;
  mixed.add(SchatzmanPaoliOSI(), {rectifier.capacitor});
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  expectError([&] { simulation.step(); }, {"SchatzmanPaoliOSI", "'capacitor'"});
}

TEST(MixedOSI, EachGroupMovesAsByItself) {
  const Tower tower, towerAlone;
  const auto ball = makeBall(0.5, 0., "ball"), ballAlone = makeBall(0.5, 0., "ball");
  const auto floor = makeFloor(0.9), floorAlone = makeFloor(0.9);
  NonSmoothDynamicalSystem model(0., 3.), first(0., 3.), second(0., 3.);
  model.insert(ball);
  tower.insertInto(model);
  model.link(floor, ball);
  towerAlone.insertInto(first);
  second.insert(ballAlone);
  second.link(floorAlone, ballAlone);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(0.5), {tower.low, tower.high});
  mixed.add(SchatzmanPaoliOSI(0.), {ball});
  TimeStepping together(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  TimeStepping alone(first, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  TimeStepping other(second, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.), LCP());
  std::size_t pushes = 0;
  together.run([&] {
    alone.step();
    other.step();
    // Bit for bit: the problems do not meet, and are solved by pivoting.
    ASSERT_EQ(tower.low->q()(0), towerAlone.low->q()(0));
    ASSERT_EQ(tower.high->q()(0), towerAlone.high->q()(0));
    ASSERT_EQ(tower.high->velocity()(0), towerAlone.high->velocity()(0));
    ASSERT_EQ(tower.between->lambda(1)(0), towerAlone.between->lambda(1)(0));
    ASSERT_EQ(ball->q()(0), ballAlone->q()(0));
    ASSERT_EQ(ball->velocity()(0), ballAlone->velocity()(0));
    ASSERT_EQ(floor->lambda(0)(0), floorAlone->lambda(0)(0));
    ASSERT_EQ(floor->isActive(), floorAlone->isActive());
    pushes += floor->isActive() && tower.floor->isActive() ? 1 : 0;
  });
  EXPECT_GT(pushes, 0U);
  EXPECT_EQ(together.statistics().newtonIterations, together.steps());
}

TEST(MixedOSI, MechanicsMovesBesideCircuits) {
  const Rectifier rectifier, rectifierAlone;
  const auto ball = makeBall(0.5, 0., "ball"), ballAlone = makeBall(0.5, 0., "ball");
  const auto floor = makeFloor(0.9), floorAlone = makeFloor(0.9);
  NonSmoothDynamicalSystem model(0., 3.), first(0., 3.), second(0., 3.);
  model.insert(ball);
  model.link(floor, ball);
  rectifier.insertInto(model);
  rectifierAlone.insertInto(first);
  second.insert(ballAlone);
  second.link(floorAlone, ballAlone);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(0.5), {ball}).add(EulerMoreauOSI(0.5, 0.5), {rectifier.capacitor});
  EXPECT_EQ(mixed.maxRelativeDegree(), 2U);
  TimeStepping together(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  TimeStepping alone(first, TimeDiscretisation(0., h), EulerMoreauOSI(0.5, 0.5), LCP());
  TimeStepping other(second, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  together.initialise();
  alone.initialise();
  // The initial multipliers are those of the circuit; the ball has none.
  EXPECT_GT(rectifier.diode->lambda(0)(0), 0.);
  EXPECT_EQ(rectifier.diode->lambda(0)(0), rectifierAlone.diode->lambda(0)(0));
  EXPECT_EQ(ball->q()(0), 0.5);
  std::size_t conducts = 0;
  together.run([&] {
    alone.step();
    other.step();
    ASSERT_NEAR(rectifier.capacitor->x()(0), rectifierAlone.capacitor->x()(0), 1e-14);
    ASSERT_NEAR(rectifier.diode->lambda(0)(0), rectifierAlone.diode->lambda(0)(0), 1e-13);
    ASSERT_NEAR(ball->q()(0), ballAlone->q()(0), 1e-14);
    ASSERT_NEAR(floor->lambda(1)(0), floorAlone->lambda(1)(0), 1e-13);
    conducts += rectifier.diode->lambda(0)(0) > 0. ? 1 : 0;
  });
  EXPECT_GT(conducts, 50U);
  EXPECT_LT(conducts, 250U);
}

TEST(MixedOSI, ALinearGroupIsLeftAloneWhileNewtonWorksOnAnother) {
  const Pendulum pendulum, pendulumAlone;
  const Tower tower, towerAlone;
  NonSmoothDynamicalSystem model(0., 3.), first(0., 3.), second(0., 3.);
  tower.insertInto(model);
  pendulum.insertInto(model);
  pendulumAlone.insertInto(first);
  towerAlone.insertInto(second);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(0.5), {tower.low, tower.high}).add(SchatzmanPaoliOSI(0.5), {pendulum.arm});
  TimeStepping together(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  TimeStepping alone(first, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.5), LCP());
  TimeStepping other(second, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  together.run([&] {
    alone.step();
    other.step();
    ASSERT_NEAR(pendulum.arm->q()(0), pendulumAlone.arm->q()(0), 1e-12);
    ASSERT_NEAR(pendulum.stop->lambda(1)(0), pendulumAlone.stop->lambda(1)(0), 1e-10);
    ASSERT_NEAR(tower.low->q()(0), towerAlone.low->q()(0), 1e-13);
    ASSERT_NEAR(tower.high->velocity()(0), towerAlone.high->velocity()(0), 1e-12);
  });
  EXPECT_GT(together.statistics().newtonIterations, together.steps());
}

TEST(MixedOSI, NonlinearRelationsOfEveryTypeAndAPendulumConvergeTogether) {
  MixedFirstOrderModel circuit(1, 1.), circuitAlone(1, 1.);
  const Pendulum pendulum;
  NonSmoothDynamicalSystem& model = circuit.model;
  pendulum.insertInto(model);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(0.5), {pendulum.arm});
  mixed.add(EulerMoreauOSI(0.5, 0.5), {circuit.systems.begin(), circuit.systems.end()});
  TimeStepping together(model, TimeDiscretisation(0., h), std::move(mixed), Relay());
  TimeStepping alone(circuitAlone.model, TimeDiscretisation(0., h), EulerMoreauOSI(0.5, 0.5), Relay());
  together.run([&] {
    alone.step();
    for (std::size_t s = 0; s < circuit.systems.size(); ++s) {
      expectNear(circuit.systems[s]->x(), circuitAlone.systems[s]->x(), 1e-8);
    }
  });
}

TEST(MixedOSI, AChangeInOneGroupIsNothingToTheOthers) {
  const Rectifier rectifier, rectifierAlone;
  const Tower tower;
  const auto ball = makeBall(0.5, 0., "ball"), ballAlone = makeBall(0.5, 0., "ball");
  const auto floor = makeFloor(0.9), floorAlone = makeFloor(0.9);
  NonSmoothDynamicalSystem model(0., 2.), first(0., 2.), second(0., 2.);
  tower.insertInto(model);
  model.insert(ball);
  model.link(floor, ball);
  rectifier.insertInto(model);
  rectifierAlone.insertInto(first);
  second.insert(ballAlone);
  second.link(floorAlone, ballAlone);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(0.5), {tower.low, tower.high});
  mixed.add(SchatzmanPaoliOSI(0.5), {ball});
  mixed.add(EulerMoreauOSI(0.5, 0.5), {rectifier.capacitor});
  TimeStepping together(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  // θ–γ remembers its input from step to step, and would forget it in a change of its own part.
  TimeStepping alone(first, TimeDiscretisation(0., h), EulerMoreauOSI(0.5, 0.5), LCP());
  TimeStepping other(second, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.5), LCP());
  while (together.hasNextStep()) {
    const std::size_t k = together.stepIndex();
    if (k % 6 == 2) model.remove(tower.between);
    if (k % 6 == 4) model.link(tower.between, tower.low, tower.high);
    if (k == 100) model.remove(tower.high);
    if (k == 100) break;
    const double multiplier = floor->lambda(1)(0);
    together.initialise();
    ASSERT_EQ(floor->lambda(1)(0), multiplier) << "a rebinding has touched the multipliers of another group";
    together.step();
    alone.step();
    other.step();
    ASSERT_NEAR(rectifier.capacitor->x()(0), rectifierAlone.capacitor->x()(0), 1e-14) << "step " << k;
    ASSERT_NEAR(ball->q()(0), ballAlone->q()(0), 1e-14) << "step " << k;
  }
  while (together.hasNextStep()) {
    together.step();
    alone.step();
    other.step();
    ASSERT_NEAR(rectifier.capacitor->x()(0), rectifierAlone.capacitor->x()(0), 1e-14);
    ASSERT_NEAR(ball->q()(0), ballAlone->q()(0), 1e-14);
  }
}

TEST(MixedOSI, AnErrorInTheOutputsOfOneGroupLeavesAllOfThemAsTheyWere) {
  const auto ball = makeBall(1., 0., "ball"), other = makeBall(1., 0., "other");
  bool fails = false;
  const auto floor = std::make_shared<Interaction>(
      NewtonImpactNSL(0.9), LagrangianScleronomousR(1, withJacobians(
                                                           [&](const Vector& q, Vector& y) {
                                                             // Where only accepting asks for it.
                                                             y(0) = fails && q(0) != 1. ? std::nan("") : q(0);
                                                           },
                                                           [](const Vector&, Matrix& G) { G(0, 0) = 1.; })));
  floor->setName("floor");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  model.insert(other);
  model.link(floor, other);
  MixedOSI mixed;
  mixed.add(SchatzmanPaoliOSI(), {ball}).add(MoreauJeanOSI(0.5, 0.), {other});
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
  simulation.initialise();
  fails = true;
  expectError([&] { simulation.step(); }, {"'floor'", "output"});
  EXPECT_EQ(ball->q()(0), 1.);
  EXPECT_EQ(other->q()(0), 1.);
  fails = false;
  simulation.step();
  EXPECT_NEAR(ball->q()(0), 1. - 0.5 * g * h * h, 1e-15);
  EXPECT_NEAR(other->q()(0), 1. - 0.5 * g * h * h, 1e-15);
}

TEST(MixedOSI, GivesProblemsInGlobalFormTheMatricesOfAllGroups) {
  const auto makeBlock = [](const char* name) {
    auto block = std::make_shared<LagrangianLinearTIDS>(makeVector({0., 0.}), makeVector({0., 1.}), identityMatrix(2));
    block->setExternalForces(makeVector({-g, 0.}));
    block->setName(name);
    return block;
  };
  const auto makeTable = [] {
    const auto gap = automatic([](const auto& q, auto& y) { y(0) = q(0); });
    const auto tangent = [](double, const Vector&, Matrix& T) { T(0, 1) = 1.; };
    return std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.3, 2), LagrangianContactR(2, gap, tangent));
  };
  std::vector<double> slides;
  for (const bool global : {false, true}) {
    NonSmoothDynamicalSystem model(0., 0.2);
    const auto a = makeBlock("a"), b = makeBlock("b");
    model.insert(a);
    model.insert(b);
    model.link(makeTable(), a);
    model.link(makeTable(), b);
    MixedOSI mixed;
    mixed.add(MoreauJeanOSI(1.), {b}).add(MoreauJeanOSI(0.5), {a});
    if (global) {
      TimeStepping(model, TimeDiscretisation(0., h), std::move(mixed), GlobalFrictionContact(2)).run();
    } else {
      TimeStepping(model, TimeDiscretisation(0., h), std::move(mixed), FrictionContact(2)).run();
    }
    slides.push_back(a->q()(1));
    slides.push_back(b->q()(1));
  }
  EXPECT_NEAR(slides[0], slides[2], 1e-7);
  EXPECT_NEAR(slides[1], slides[3], 1e-7);
  EXPECT_GT(slides[0], slides[1] + 1e-3);  // θ tells
}

}  // namespace
