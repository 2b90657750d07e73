// SPDX-License-Identifier: Apache-2.0
//
// What follows from a model where it is not given: the scheme from the systems, the one-step problem from the laws.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <filesystem>
#include <support/Circuits.hpp>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<NewtonEulerDS> ball(double x) {
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 0.11}), makeVector({1., 0., 0., 0., 0., 0.}), 1.,
                                         NewtonEulerDS::ballInertia(1., 0.1));
}

using Contact2 = NewtonEuler2DR;
using Contact3 = NewtonEuler3DR;
using Contact5 = NewtonEuler5DR;

SpherePlane onFloor() {
  return SpherePlane(0.1, Plane{});
}

struct Balls {
  explicit Balls(double end = 0.2) : model(0., end) {
    model.setGravity({0., 0., -9.81});
    a = model.insert("a", ball(0.));
    b = model.insert("b", ball(1.));
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> a, b;
};

// The name of the problem that is chosen for a model.
std::string problemOf(NonSmoothDynamicalSystem& model) {
  TimeStepping simulation(model, 1e-3);
  simulation.initialise();
  return std::string(simulation.problem().name());
}

template <class Law, class R>
std::string problemOf(Law law, R relation) {
  Balls balls;
  balls.model.link("contact", std::move(law), std::move(relation), balls.a);
  return problemOf(balls.model);
}

TEST(ProblemByLaws, IsTheOneThatEachLawAsksFor) {
  Balls none;
  EXPECT_EQ(problemOf(none.model), "LCP");
  EXPECT_EQ(problemOf(NewtonImpactNSL(0.5), NewtonEuler1DR(onFloor())), "LCP");
  EXPECT_EQ(problemOf(NewtonImpactFrictionNSL(0.5, 0., 0.3), Contact3(onFloor())), "FrictionContact");
  EXPECT_EQ(problemOf(NewtonImpactFrictionNSL(0.5, 0., 0.3, 2), Contact2(onFloor())), "FrictionContact");
  EXPECT_EQ(problemOf(NewtonImpactRollingFrictionNSL(0.5, 0., 0.3, 0.01), Contact5(onFloor())), "GenericMechanical");
  const auto hinge = SphericalJointR::at({0., 0., 0.3}, ball(0.)->q());
  EXPECT_EQ(problemOf(EqualityConditionNSL(3), hinge), "GenericMechanical");

  NonSmoothDynamicalSystem sliding(0., 1.);
  const auto mass =
      sliding.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1)));
  sliding.link("friction", RelayNSL(1, -1., 1.), LagrangianLinearTIR(identityMatrix(1)), mass);
  EXPECT_EQ(problemOf(sliding), "Relay");
  RelayOscillator relay(1.);
  EXPECT_EQ(problemOf(relay.model), "Relay");
  DiodeBridge bridge(1e-3);
  EXPECT_EQ(problemOf(bridge.model), "LCP");
}

TEST(ProblemByLaws, IsTheGeneralOneForMixtures) {
  Balls flatAndSpatial;
  flatAndSpatial.model.link("flat", NewtonImpactFrictionNSL(0.5, 0., 0.3, 2), Contact2(onFloor()), flatAndSpatial.a);
  flatAndSpatial.model.link("spatial", NewtonImpactFrictionNSL(0.5, 0., 0.3), Contact3(onFloor()), flatAndSpatial.b);
  EXPECT_EQ(problemOf(flatAndSpatial.model), "GenericMechanical");
  Balls roughAndSmooth;
  roughAndSmooth.model.link("rough", NewtonImpactFrictionNSL(0.5, 0., 0.3), Contact3(onFloor()), roughAndSmooth.a);
  roughAndSmooth.model.link("smooth", NewtonImpactNSL(0.5), NewtonEuler1DR(onFloor()), roughAndSmooth.b);
  EXPECT_EQ(problemOf(roughAndSmooth.model), "GenericMechanical");
}

TEST(ProblemByLaws, GivesTheStepsOfTheProblemThatIsChosen) {
  const auto make = [] {
    auto balls = std::make_unique<Balls>();
    const auto law = std::make_shared<NewtonImpactFrictionNSL>(0.5, 0., 0.3);
    balls->model.link("first", law, Contact3(onFloor()), balls->a);
    balls->model.link("second", law, Contact3(onFloor()), balls->b);
    return balls;
  };
  const auto given = make(), chosen = make();
  TimeStepping byHand(given->model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
  TimeStepping byModel(chosen->model, 1e-3);
  byHand.run();
  byModel.run();
  EXPECT_EQ(firstDifference(imageOf(byModel), imageOf(byHand)), "");
  EXPECT_EQ(byModel.problem().solves(), byHand.problem().solves());
  EXPECT_GT(byModel.problem().solves(), 0U);
}

TEST(ProblemByLaws, FollowsContactsThatComeAndGo) {
  Balls balls(0.4);
  TimeStepping simulation(balls.model, 1e-3);
  for (int k = 0; k < 10; ++k) simulation.step();
  EXPECT_EQ(simulation.problem().name(), "LCP");
  const auto floor = balls.model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.3), Contact3(onFloor()), balls.a);
  while (simulation.time() < 0.1) simulation.step();
  EXPECT_EQ(simulation.problem().name(), "FrictionContact");
  EXPECT_TRUE(floor->isActive());
  const auto joint = balls.model.link("joint", EqualityConditionNSL(3),
                                      SphericalJointR::at(balls.b->position(), balls.b->q()), balls.b);
  simulation.step();
  EXPECT_EQ(simulation.problem().name(), "GenericMechanical");
  EXPECT_NEAR(balls.a->position()[2], 0.1, 2.3e-4);  // it came with 0.44 m/s, found up to u h/2 deep
  EXPECT_LT(norm(vector3(data(balls.b->velocity()))), 1e-8);
  balls.model.remove(joint);
  balls.model.remove(floor);
  simulation.run();
  EXPECT_EQ(simulation.problem().name(), "LCP");
  EXPECT_EQ(simulation.time(), 0.4);
}

TEST(ProblemByLaws, TakesSolversOfTheCatalogueOfEachChoice) {
  Balls balls;
  TimeStepping simulation(balls.model, 1e-3);
  simulation.problem().addSolver("nsgs");
  expectError([&] { simulation.initialise(); }, {"nsgs", "lemke"});
  balls.model.link("floor", NewtonImpactFrictionNSL(0.5, 0., 0.3), Contact3(onFloor()), balls.a);
  simulation.run();
  expectError([&] { simulation.problem().addSolver("unheard-of"); }, {"unheard-of", "nsgs"});
}

TEST(ProblemByLaws, NamesALawThatNoProblemTakesBesideTheOthers) {
  Balls balls;
  balls.model.link("floor", NewtonImpactFrictionNSL(0.5, 0., 0.3), Contact3(onFloor()), balls.a);
  const auto circuit =
      balls.model.insert("circuit", std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}})));
  balls.model.link("polyhedron", NormalConeNSL(makeMatrix({{1.}, {-1.}}), makeVector({1., 1.})),
                   FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})), circuit);
  TimeStepping simulation(balls.model, 1e-3);
  expectError([&] { simulation.initialise(); }, {"'polyhedron'", "GenericMechanical", "NormalConeNSL"});
}

TEST(SchemeBySystems, IsTheOneOfTheirOrder) {
  Balls balls;
  EXPECT_EQ(TimeStepping(balls.model, 1e-3).scheme().name(), "MoreauJeanOSI");
  DiodeBridge bridge(1e-3);
  EXPECT_EQ(TimeStepping(bridge.model, 1e-6).scheme().name(), "EulerMoreauOSI");
  RelayOscillator given(0.5), chosen(0.5);
  TimeStepping byHand(given.model, TimeDiscretisation(0., 1e-3), EulerMoreauOSI(1.), Relay());
  TimeStepping byModel(chosen.model, 1e-3);
  byHand.run();
  byModel.run();
  EXPECT_EQ(firstDifference(imageOf(byModel), imageOf(byHand)), "");
}

TEST(SchemeBySystems, WorksWithSystemsOfBothOrdersAndWithLaterOnes) {
  const auto circuit = [] { return std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}})); };
  Balls balls(0.2);
  TimeStepping simulation(balls.model, 1e-3);
  for (int k = 0; k < 50; ++k) simulation.step();
  const auto first = balls.model.insert("first", circuit());
  for (int k = 0; k < 50; ++k) simulation.step();
  EXPECT_NE(simulation.scheme().name().find("MixedOSI"), std::string_view::npos);
  const auto second = balls.model.insert("second", circuit());
  balls.model.remove(balls.b);
  simulation.run();
  // The implicit scheme in so many steps, and free fall.
  EXPECT_NEAR(first->x()(0), std::pow(1.001, -150), 1e-12);
  EXPECT_NEAR(second->x()(0), std::pow(1.001, -100), 1e-12);
  EXPECT_NEAR(balls.a->position()[2], 0.11 - 0.5 * 9.81 * 0.2 * 0.2, 1e-12);
}

TEST(ByModel, StepsBeginWithTheModel) {
  NonSmoothDynamicalSystem model(2., 3.);
  const auto body = model.insert("body", ball(0.));
  TimeStepping simulation(model, 0.25, {.newtonMaxIterations = 7});
  EXPECT_EQ(simulation.nextStep().begin, 2.);
  EXPECT_EQ(simulation.options().newtonMaxIterations, 7U);
  EXPECT_EQ(simulation.steps(), 4U);
  simulation.run();
  EXPECT_EQ(body->position()[0], 1.);
  expectError([&] { TimeStepping(model, TimeDiscretisation(0., 0.25)); }, {"starts at 0", "t0 = 2"});
  expectError([&] { TimeStepping(model, 0.); }, {"step h", "positive"});
}

TEST(SchemeBySystems, IsToldByTheSummary) {
  Balls balls;
  TimeStepping simulation(balls.model, 1e-2);
  simulation.run();
  const char* const expected = "MoreauJeanOSI, as the systems ask for, and LCP, as the laws ask for";
  EXPECT_EQ(simulation.method(), expected);
  EXPECT_EQ(simulation.summary().rfind(expected, 0), 0U);
  EXPECT_NE(RunSummary::of(simulation).text().find(expected), std::string::npos);
  BouncingBall given(1., 0., 0.9, 1.);
  EXPECT_EQ(TimeStepping(given.model, 1e-2, MoreauJeanOSI(), LCP()).method(), "MoreauJeanOSI and LCP");
  BouncingBall half(1., 0., 0.9, 1.);
  TimeStepping withScheme(half.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(1.));
  withScheme.initialise();
  EXPECT_EQ(withScheme.method(), "MoreauJeanOSI and LCP, as the laws ask for");
}

TEST(ByModel, ARestoredRunGoesOnToTheSameBits) {
  const auto path = restartFolder() / "by_model.checkpoint";
  const auto make = [] {
    auto balls = std::make_unique<Balls>();
    balls->model.link("floor", NewtonImpactFrictionNSL(0.5, 0., 0.3), Contact3(onFloor()), balls->a);
    balls->model.insert("circuit", std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}})));
    return balls;
  };
  const auto whole = make(), first = make(), second = make();
  TimeStepping all(whole->model, 1e-3), before(first->model, 1e-3), after(second->model, 1e-3);
  all.run();
  for (int k = 0; k < 120; ++k) before.step();
  saveCheckpoint(before, path);
  restoreCheckpoint(after, path);
  after.run();
  EXPECT_EQ(firstDifference(imageOf(after), imageOf(all)), "");
  std::filesystem::remove_all(restartFolder());
}

TEST(TimeStepping, TakesAProblemAndFindsTheScheme) {
  DiodeBridge bridge(1e-3);
  TimeStepping simulation(bridge.model, 1e-6, MLCP());
  simulation.initialise();
  EXPECT_EQ(simulation.problem().name(), "MLCP");
  EXPECT_NE(dynamic_cast<const EulerMoreauOSI*>(&simulation.scheme()), nullptr);
}

TEST(TimeStepping, TellsOfAStepThatIsLongerThanTheRun) {
  Balls balls;
  const std::size_t before = Log::count(LogLevel::warning);
  const TimeStepping justFits(balls.model, 0.2);
  EXPECT_EQ(Log::count(LogLevel::warning), before);
  const TimeStepping longer(balls.model, 0.3);
  EXPECT_EQ(Log::count(LogLevel::warning), before + 1);
}

TEST(Simulation, TellsOfSystemsOfOneName) {
  Balls balls;
  const std::size_t before = Log::count(LogLevel::warning);
  const TimeStepping different(balls.model, 1e-3);
  EXPECT_EQ(Log::count(LogLevel::warning), before);
  balls.model.insert("a", ball(2.));
  const TimeStepping equal(balls.model, 1e-3);
  EXPECT_EQ(Log::count(LogLevel::warning), before + 1);
}

}  // namespace
