// SPDX-License-Identifier: Apache-2.0
//
// Where an event-driven simulation does not go on, it ends in a message; and what users set beside a mode counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<LagrangianLinearTIDS> makeBall(double height) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({0.}), makeMatrix({{1.}}));
  ball->setExternalForces(makeVector({-10.}));
  return ball;
}

std::shared_ptr<Interaction> makeFloor(double restitution) {
  auto floor = std::make_shared<Interaction>(NewtonImpactNSL(restitution), LagrangianLinearTIR(makeMatrix({{1.}})));
  floor->setName("floor");
  return floor;
}

struct Singular {
  OdeMethod method;
  double sign;
  bool floor;
};

class UnboundedForce : public ::testing::TestWithParam<Singular> {};

TEST_P(UnboundedForce, EndsInAMessage) {
  const Singular& given = GetParam();
  auto ball = makeBall(1.);
  ball->setExternalForces([&](double t, Vector& f) { f(0) = given.sign / ((1. - t) * (1. - t)); });
  ball->setName("ball");
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(ball);
  if (given.floor) model.link(makeFloor(0.5), ball);
  EventDrivenOptions options;
  options.integration.method = given.method;
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP(), options);
  expectError([&] { simulation.run(); },
              {"does not get beyond t = ", "without bound",
               given.floor ? "interaction 'floor' changes fastest" : "system 'ball' changes fastest"});
  // The state is that of the last output or event.
  EXPECT_GE(simulation.time(), 0.9);
  EXPECT_LE(simulation.time(), 1.);
}

INSTANTIATE_TEST_SUITE_P(Forces, UnboundedForce,
                         ::testing::Values(Singular{OdeMethod::rungeKutta, -1., false},
                                           Singular{OdeMethod::rungeKutta, 1., false},
                                           Singular{OdeMethod::rungeKutta, -1., true},
                                           Singular{OdeMethod::bdf, -1., false}, Singular{OdeMethod::bdf, -1., true}));

// ẋ = x² reaches infinity at t = 1.
// Steps shrink at the stop of the mass to what time still resolves: without a limit the run would have no end.
TEST(EventDrivenLimits, DryFrictionAsASignEndsInAMessage) {
  for (const OdeMethod method : {OdeMethod::automatic, OdeMethod::rungeKutta, OdeMethod::bdf}) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto mass =
        model.insert("mass", std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({1.}), identityMatrix(1)));
    mass->setInternalForces(differenced([](double, const Vector&, const Vector& v, Vector& force) {
      force(0) = v(0) > 0. ? 3. : v(0) < 0. ? -3. : 0.;
    }));
    EventDrivenOptions options;
    options.integration.method = method;
    EventDriven simulation(model, TimeDiscretisation(0., 0.1), options);
    expectError([&] { simulation.run(); }, {"'mass'"});
    EXPECT_NEAR(simulation.time(), 0.3, 1e-12);  // the last output before 1/3
    EXPECT_NEAR(mass->velocity()(0), 0.1, 1e-9);
  }
}

TEST(EventDrivenLimits, AFlowThatRunsAwayEndsInAMessage) {
  for (const OdeMethod method : {OdeMethod::automatic, OdeMethod::rungeKutta, OdeMethod::bdf}) {
    auto flow = std::make_shared<FirstOrderNonLinearDS>(
        makeVector({1.}), differenced([](double, const Vector& x, Vector& f) { f(0) = x(0) * x(0); }));
    NonSmoothDynamicalSystem model(0., 2.);
    model.insert(flow);
    EventDrivenOptions options;
    options.integration.method = method;
    EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP(), options);
    expectError([&] { simulation.run(); }, {"t = "});
    EXPECT_LE(simulation.time(), 1.);
  }
}

// A ball whose impacts the user does, to rest: they would go on for ever, of the size of rounding.
TEST(EventDrivenLimits, ImpactsOfTheUserThatAccumulateEndInAMessage) {
  auto ball = makeBall(1.);
  NonSmoothDynamicalSystem model(0., 50.);
  model.insert(ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  simulation.addStateEvent(
      "bounce", ball, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::falling,
      [&] { ball->setState(makeVector({0.}), makeVector({-0.5 * ball->velocity()(0)})); });
  expectError([&] { simulation.run(); }, {"events of the user", "in a row", "accumulate"});
  EXPECT_NEAR(simulation.time(), 3. * std::sqrt(0.2), 1e-5);
}

// Two tanks that lose 1 m³/s each, and a pipe with 1.3 m³/s that is moved to the one that has run dry: both are empty
// when all water is gone, after switchings without end.
TEST(EventDrivenLimits, SwitchingsOfTheUserThatAccumulateEndInAMessage) {
  constexpr double inflow = 1.3;
  for (const double second : {1., 0.37}) {
    auto tanks = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., second}), makeMatrix({{0., 0.}, {0., 0.}}));
    tanks->setB(makeVector({inflow - 1., -1.}));
    NonSmoothDynamicalSystem model(0., 5.);
    model.insert(tanks);
    EventDriven simulation(model, 0.1);
    for (const std::size_t dry : {0u, 1u}) {
      simulation.addStateEvent(
          "dry", tanks, [dry](double, const Vector& x) { return x(dry); }, Crossing::falling,
          [&tanks, dry] {
            tanks->setB(dry == 0 ? makeVector({inflow - 1., -1.}) : makeVector({-1., inflow - 1.}));
          });
    }
    expectError([&] { simulation.run(); }, {"accumulate"});
    EXPECT_NEAR(simulation.time(), (1. + second) / (2. - inflow), 1e-9);
    // What flows out in the last bits of time.
    EXPECT_GE(std::min(tanks->x()(0), tanks->x()(1)), -1e-12);
  }
}

// Of two tanks whose events come at the same instant, or before the one that was turned has left zero by a bit, none is
// lost: both would drain for ever.
TEST(EventDrivenLimits, SwitchingsThatAccumulateDoNotEndUnseen) {
  for (int k = 0; k < 12; ++k) {
    SCOPED_TRACE(k);
    const double outflows[] = {0.3 + 0.05 * k, 0.9 - 0.04 * k};
    const double most = std::max(outflows[0], outflows[1]);
    const double inflow = most + 0.4 * (outflows[0] + outflows[1] - most);
    auto tanks = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.2 + 0.06 * k, 1. - 0.05 * k}),
                                                        makeMatrix({{0., 0.}, {0., 0.}}));
    const auto fill = [&](std::size_t i) {
      tanks->setB(i == 0 ? makeVector({inflow - outflows[0], -outflows[1]})
                         : makeVector({-outflows[0], inflow - outflows[1]}));
    };
    fill(0);
    NonSmoothDynamicalSystem model(0., 50.);
    model.insert(tanks);
    EventDriven simulation(model, 0.1);
    for (const std::size_t dry : {0u, 1u}) {
      simulation.addStateEvent(
          "dry", tanks, [dry](double, const Vector& x) { return x(dry); }, Crossing::both, [&fill, dry] { fill(dry); });
    }
    EXPECT_THROW(simulation.run(), Error);
    EXPECT_GE(std::min(tanks->x()(0), tanks->x()(1)), -1e-12);  // what flows out in the last bits of time
  }
}

TEST(EventDrivenLimits, AStepFunctionOfTimeInAForceIsPassed) {
  auto ball = makeBall(0.);
  ball->setExternalForces([](double t, Vector& f) { f(0) = t < 0.55 ? 0. : 1e4; });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  simulation.run();
  EXPECT_NEAR(ball->velocity()(0), 4500., 1e-4);
}

TEST(EventDrivenLimits, AnInitialPenetrationIsReportedAtT0) {
  for (const double t0 : {0., 3.}) {
    auto ball = makeBall(-0.5);
    NonSmoothDynamicalSystem model(t0, 20.);
    model.insert(ball);
    model.link(makeFloor(0.5), ball);
    EventDriven simulation(model, TimeDiscretisation(t0, 0.1), LCP());
    expectError([&] { simulation.initialise(); }, {"'floor'", "in the state at t = " + toText(t0) + ", but y = -0.5"});
  }
}

TEST(EventDrivenLimits, AnInitialApproachIsReportedAtT0) {
  auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({-1.}), makeMatrix({{1.}}));
  NonSmoothDynamicalSystem model(0., 20.);
  model.insert(ball);
  model.link(makeFloor(0.5), ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  expectError([&] { simulation.initialise(); }, {"'floor'", "at t = 0, but dy/dt = -1"});
}

TEST(EventDrivenLimits, ABallAtRestThatIsLiftedFalls) {
  auto ball = makeBall(0.);
  auto floor = makeFloor(0.5);
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  model.link(floor, ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP());
  simulation.step();
  ball->setState(makeVector({1.}), makeVector({0.}));
  simulation.step();
  EXPECT_NEAR(ball->q()(0), 0.95, 1e-12);
  EXPECT_EQ(floor->lambda(0)(0), 0.);
}

TEST(EventDrivenLimits, AFloorThatIsRaisedIntoABallIsRefused) {
  auto ball = makeBall(0.);
  auto relation = std::make_shared<LagrangianLinearTIR>(makeMatrix({{1.}}));
  relation->setFz(makeMatrix({{1.}}), makeVector({0.}));
  auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), relation);
  floor->setName("floor");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  model.link(floor, ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), LCP());
  simulation.step();
  relation->setZ(makeVector({-0.1}));
  expectError([&] { simulation.step(); }, {"'floor'", "t = 0.5", "y = -0.1"});
}

TEST(EventDrivenLimits, AForceThatLiftsABallIsATakeOff) {
  auto ball = makeBall(0.);
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  model.link(makeFloor(0.5), ball);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), LCP());
  simulation.step();
  ball->setExternalForces(makeVector({8.}));
  simulation.step();
  EXPECT_NEAR(ball->q()(0), 1., 1e-12);
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_EQ(simulation.events()[0].kind, EventKind::takeOff);
  EXPECT_EQ(simulation.events()[0].t, 0.5);
}

// ẋ = 10 − x, and ẋ = 10 − 11 x from where x has come up to 3 until it has come down to 3 again: neither can last. With
// two functions, or one for both.
TEST(EventDrivenLimits, SwitchesThatTurnTheirOwnFunctionBackAccumulate) {
  for (const bool isSwitching : {false, true}) {
    for (const bool hasTwo : {false, true}) {
      const auto tank = std::make_shared<FirstOrderLinearTIDS>(Vector(1, 0.), Matrix(1, 1, -1.), Vector(1, 10.));
      NonSmoothDynamicalSystem model(0., 5.);
      model.insert("tank", tank);
      EventDriven simulation(model, 0.5);
      double rate = -1.;
      const auto turn = [&] {
        rate = -12. - rate;
        tank->setA(Matrix(1, 1, rate));
      };
      const auto add = [&](const char* name, Crossing crossing) {
        const auto level = [](double, const Vector& x) { return x(0) - 3.; };
        isSwitching ? simulation.addStateSwitching(name, tank, level, crossing, turn)
                    : simulation.addStateEvent(name, tank, level, crossing, turn);
      };
      if (hasTwo) {
        add("close", Crossing::rising);
        add("open", Crossing::falling);
      } else {
        add("both", Crossing::both);
      }
      const double instant = std::log(10. / 7.);
      expectError([&] { simulation.run(); }, {"t = 0.3566749", "accumulate"});
      ASSERT_GT(simulation.events().size(), EventDrivenOptions().mostEventsAtOnce);
      for (const Event& event : simulation.events()) EXPECT_NEAR(event.t, instant, 1e-9);
    }
  }
}

// A state that an action sets does not cross back: a ball that a function throws up again, from the floor itself.
TEST(EventDrivenLimits, AStateThatAnActionSetsDoesNotCrossBack) {
  const auto ball = makeBall(1.);
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("ball", ball);
  EventDriven simulation(model, 0.1);
  std::size_t rebounds = 0;
  const auto height = [](double, const Vector& q, const Vector&) { return q(0); };
  simulation.addStateEvent("rebound", ball, height, Crossing::both, [&] {
    ++rebounds;
    ball->setState(makeVector({0.}), makeVector({-0.5 * ball->velocity()(0)}));
  });
  simulation.addStateEvent("leave", ball, height, Crossing::rising, [] { FAIL() << "it has never been below"; });
  simulation.run();
  EXPECT_EQ(rebounds, 2U);  // falls of 0.447 s, and a flight as long
}

}  // namespace
