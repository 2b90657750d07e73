// SPDX-License-Identifier: Apache-2.0
//
// Laws of first order, as ideal diodes, on circuits that force elements tie to bodies: the motion of the same equations
// as one first-order system under Euler-Moreau's scheme.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/GyratorLaw.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/TransducerR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Chopper.hpp>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(FlowRelation, MovesAsOneFirstOrderSystem) {
  for (const double theta : {0.5, 0.8, 1.}) {
    Chopper chopper;
    NonSmoothDynamicalSystem whole(0., 0.04);
    const auto system = chopperAsOneSystem();
    whole.insert(system);
    const auto diode =
        whole.link("diode", ComplementarityConditionNSL(),
                   FirstOrderLinearTIR(makeMatrix({{1., 0., 0.}}), makeMatrix({{1.}, {0.}, {0.}})), system);
    TimeStepping first(chopper.model, TimeDiscretisation(0., 2e-5), MoreauJeanOSI(theta), LCP());
    TimeStepping second(whole, TimeDiscretisation(0., 2e-5), EulerMoreauOSI(theta), LCP());
    std::size_t blocked = 0, conducts = 0;
    while (first.hasNextStep()) {
      first.step();
      second.step();
      EXPECT_NEAR(chopper.circuit->x()(0), system->x()(0), 1e-12);
      EXPECT_NEAR(chopper.shaft->q()(0), system->x()(1), 1e-11);
      EXPECT_NEAR(chopper.shaft->velocity()(0), system->x()(2), 1e-9);
      EXPECT_NEAR(chopper.diode->lambda(0)(0), diode->lambda(0)(0), 1e-9);
      EXPECT_NEAR(chopper.diode->y(0)(0), diode->y(0)(0), 1e-12);
      EXPECT_NEAR(chopper.circuit->r()(0), system->r()(0), 1e-9) << "a rate";
      EXPECT_EQ(chopper.diode->levels(), 1U);
      blocked += chopper.diode->lambda(0)(0) > 0. ? 1 : 0;
      conducts += chopper.circuit->x()(0) > 0. ? 1 : 0;
    }
    EXPECT_GT(blocked, 300U) << theta;
    EXPECT_GT(conducts, 300U) << theta;
  }
}

// λ of a step without current is the mean of k ω in it.
TEST(FlowRelation, ShowsTheVoltageOfAMotorThatNoCurrentFlowsThrough) {
  Chopper chopper;
  TimeStepping simulation(chopper.model, 1e-5);  // by the default scheme and problem
  std::size_t seen = 0;
  while (simulation.hasNextStep()) {
    const double current = chopper.circuit->x()(0), omega = chopper.shaft->velocity()(0);
    const bool isOpen = Chopper::source(simulation.time()) == 0.;
    simulation.step();
    if (!isOpen || Chopper::source(simulation.time()) > 0. || current > 1e-12 || chopper.diode->lambda(0)(0) == 0.)
      continue;
    EXPECT_NEAR(chopper.circuit->x()(0), 0., 1e-15);
    EXPECT_NEAR(chopper.diode->lambda(0)(0), 0.5 * Chopper::k * (omega + chopper.shaft->velocity()(0)), 1e-9);
    ++seen;
  }
  EXPECT_GT(seen, 1000U);
}

// A current that a relay regulates: L i̇ = −R i − k ω + λ, −λ in V Sgn(i − r). Once it slides the torque is k r.
TEST(FlowRelation, IsRegulatedByARelay) {
  Chopper chopper;
  chopper.model.remove(chopper.diode);
  chopper.circuit->setB([](double, Vector& b) { b(0) = 0.; });
  FirstOrderLinearTIR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
  relation.setE(makeVector({-1.5}));
  const auto relay = chopper.model.link("relay", RelayNSL(1, -Chopper::V, Chopper::V), relation, chopper.circuit);
  TimeStepping simulation(chopper.model, TimeDiscretisation(0., 2e-5), MoreauJeanOSI(1.), Relay());
  while (simulation.time() < 0.001) simulation.step();
  const double before = simulation.time(), omega = chopper.shaft->velocity()(0);
  while (simulation.time() < 0.005) {
    simulation.step();
    EXPECT_NEAR(chopper.circuit->x()(0), 1.5, 1e-12);
    EXPECT_NEAR(relay->lambda(0)(0), Chopper::R * 1.5 + Chopper::k * chopper.shaft->velocity()(0), 1e-9);
  }
  const double rate = Chopper::friction / Chopper::J, end = Chopper::k * 1.5 / Chopper::friction;
  const double exact = end + (omega - end) * std::exp(-rate * (simulation.time() - before));
  EXPECT_NEAR(chopper.shaft->velocity()(0), exact, 1e-3) << "θ = 1: h rate ω̇ T";
}

TEST(FlowRelation, StandsInOneProblemWithContacts) {
  Chopper free, stopped;
  stopped.addStop();
  TimeStepping one(free.model, TimeDiscretisation(0., 1e-5), MoreauJeanOSI(), LCP());
  TimeStepping other(stopped.model, TimeDiscretisation(0., 1e-5), MoreauJeanOSI(), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  other.addObserver(balance);
  double largest = 0.;
  while (other.hasNextStep()) {
    one.step();
    other.step();
    largest = std::max(largest, stopped.shaft->q()(0));
    EXPECT_GE(stopped.circuit->x()(0), -1e-12);
    if (free.shaft->q()(0) > 0.49) continue;
    EXPECT_NEAR(stopped.circuit->x()(0), free.circuit->x()(0), 1e-12);
  }
  EXPECT_LT(balance->largestResidual(), 1e-12);
  EXPECT_GT(free.shaft->q()(0), 1.);
  // It lands within the motion of a step, h ω at up to 200 rad/s, and is pressed on the stop by the mean current.
  EXPECT_NEAR(largest, 0.5, 1e-5 * 200.);
  EXPECT_NEAR(stopped.shaft->q()(0), 0.5, 1e-9);
}

// A diode with a resistance of its own that changes in time, in pieces of steps of two sizes.
TEST(FlowRelation, HasItsFeedthroughInPiecesOfSteps) {
  const auto relationOf = [](const Matrix& C, const Matrix& B) {
    FirstOrderLinearR relation(C, B);
    relation.setD([](double t, Matrix& D) { D(0, 0) = 0.3 + 0.2 * std::sin(300. * t); });
    return relation;
  };
  Chopper chopper;
  chopper.model.remove(chopper.diode);
  const auto drift = std::make_shared<DriftMonitor>();
  const auto diode = chopper.model.link("diode", ComplementarityConditionNSL(),
                                        relationOf(makeMatrix({{1.}}), makeMatrix({{1.}})), chopper.circuit);
  NonSmoothDynamicalSystem whole(0., 0.04);
  const auto system = chopperAsOneSystem();
  whole.insert(system);
  const auto other = whole.link("diode", ComplementarityConditionNSL(),
                                relationOf(makeMatrix({{1., 0., 0.}}), makeMatrix({{1.}, {0.}, {0.}})), system);
  TimeStepping one(chopper.model, TimeDiscretisation(0., 2e-5), MoreauJeanOSI(0.5), LCP());
  TimeStepping two(whole, TimeDiscretisation(0., 2e-5), EulerMoreauOSI(0.5), LCP());
  one.addObserver(drift);
  for (TimeStepping* const each : {&one, &two}) each->addSampling("clock", TimeDiscretisation(0., 5.3e-5), [] {});
  double largest = 0.;
  while (one.hasNextStep()) {
    one.step();
    two.step();
    EXPECT_NEAR(chopper.circuit->x()(0), system->x()(0), 1e-12);
    EXPECT_NEAR(chopper.shaft->velocity()(0), system->x()(2), 1e-9);
    EXPECT_NEAR(diode->lambda(0)(0), other->lambda(0)(0), 1e-9);
    EXPECT_NEAR(diode->y(0)(0), other->y(0)(0), 1e-10);
    largest = std::max(largest, diode->lambda(0)(0));
  }
  EXPECT_GT(largest, 5.);
  EXPECT_LT(drift->largestPenetration(), 1e-12);
}

// Equations of a circuit, y = 0, are no joints whose drift would be projected.
TEST(FlowRelation, IsNoJoint) {
  Chopper chopper;
  chopper.model.remove(chopper.diode);
  const auto other = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.3}), makeMatrix({{-2.}}));
  chopper.model.insert("other", other);
  const auto equal = chopper.model.link("equal", EqualityConditionNSL(1),
                                        FirstOrderLinearTIR(makeMatrix({{1., -1.}}), makeMatrix({{1.}, {-1.}})),
                                        chopper.circuit, other);
  TimeStepping simulation(chopper.model, TimeDiscretisation(0., 2e-5), MoreauJeanOSI(), MLCP(),
                          {.projection = {.kind = Projection::direct}});
  while (simulation.time() < 0.01) {
    simulation.step();
    EXPECT_NEAR(chopper.circuit->x()(0), other->x()(0), 1e-12);
  }
  EXPECT_EQ(equal->y(0).size(), 1U);
  EXPECT_GT(other->x()(0), 0.1);
}

// What relations link to a tied circuit is integrated with it; another circuit is not.
TEST(FlowRelation, TakesLinkedCircuitsWithIt) {
  const auto run = [](bool isDefault) {
    Chopper chopper;
    const auto other = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-200.}}));
    const auto alone = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-30.}}));
    chopper.model.insert("other", other);
    chopper.model.link("follows", EqualityConditionNSL(1),
                       FirstOrderLinearTIR(makeMatrix({{1., -1.}}), makeMatrix({{0.}, {1.}})), chopper.circuit, other);
    if (isDefault) {
      chopper.model.insert("alone", alone);
      EXPECT_EQ(chopper.model.topology().movingSystems(), (std::vector<char>{1, 1, 1, 0}));
      TimeStepping(chopper.model, TimeDiscretisation(0., 1e-4)).run();
      EXPECT_NEAR(alone->x()(0), std::pow(1. / 1.003, 400.), 1e-12) << "by Euler's implicit scheme";
    } else {
      TimeStepping(chopper.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), MLCP()).run();
    }
    EXPECT_NEAR(other->x()(0), chopper.circuit->x()(0), 1e-12);
    return chopper.shaft->velocity()(0);
  };
  EXPECT_NEAR(run(true), run(false), 1e-9);
}

TEST(FlowRelation, StartsAgainToTheBit) {
  expectSameAfterRestart("chopper", [] {
    const auto chopper = std::make_shared<Chopper>();
    chopper->addStop();
    return restartRun(chopper, std::make_shared<TimeStepping>(chopper->model, TimeDiscretisation(0., 1e-4)));
  });
}

// A source that is set in the run, in pieces of steps.
TEST(FlowRelation, MayChangeInTheRun) {
  const auto run = [](double h) {
    Chopper chopper;
    chopper.model.remove(chopper.diode);
    chopper.circuit->setB([](double, Vector& b) { b(0) = 0.; });
    const auto source = std::make_shared<FirstOrderLinearTIR>(makeMatrix({{1.}}), makeMatrix({{1.}}));
    source->setE(makeVector({-1.}));
    chopper.model.link(std::make_shared<Interaction>(RelayNSL(1, -10., 10.), source), chopper.circuit);
    TimeStepping simulation(chopper.model, TimeDiscretisation(0., h), MoreauJeanOSI(1.), Relay());
    simulation.addSampling("set point", TimeDiscretisation(0., 7e-3),
                           [&] { source->setE(makeVector({simulation.time() > 0.02 ? -0.2 : -1.})); });
    simulation.run();
    EXPECT_NEAR(chopper.circuit->x()(0), 0.2, 1e-10);
    return chopper.shaft->velocity()(0);
  };
  // Of order 1, with a part that depends on where in a step the relay begins to slide: |Δω| ≤ h k r/J, twice.
  const double fine = run(2e-6);
  for (const double h : {6e-5, 3e-5, 1.5e-5}) EXPECT_NEAR(run(h), fine, 2. * h * Chopper::k / Chopper::J) << h;
}

TEST(FlowRelation, NamesWhatIsNotTaken) {
  const TimeDiscretisation grid(0., 1e-4);
  {
    Chopper chopper;
    const auto square = automatic([](auto, const auto& x, const auto&, auto& y) { y(0) = x(0) * x(0); });
    const auto input = automatic([](auto, const auto&, const auto& lambda, auto& r) { r(0) = lambda(0); });
    chopper.model.link("square", ComplementarityConditionNSL(), FirstOrderNonLinearR(1, square, input),
                       chopper.circuit);
    expectError([&] { TimeStepping(chopper.model, grid, MoreauJeanOSI(), LCP()).step(); },
                {"'square'", "linear", "FirstOrderNonLinearR"});
  }
  {
    Chopper chopper;
    chopper.model.link("impact", NewtonImpactNSL(0.), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})),
                       chopper.circuit);
    expectError([&] { TimeStepping(chopper.model, grid, MoreauJeanOSI(), LCP()).step(); },
                {"'impact'", "NewtonImpactNSL", "impulses"});
  }
  {
    // Multipliers of mechanics are impulses: a bound of λ that is none of an interval would be one of h λ.
    Chopper chopper;
    chopper.model.link("cone", NormalConeNSL(makeMatrix({{1.}, {-1.}}), makeVector({1., 1.})),
                       FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})), chopper.circuit);
    expectError([&] { TimeStepping(chopper.model, grid, MoreauJeanOSI(), MLCP()).step(); },
                {"'cone'", "NormalConeNSL", "intervals", "EulerMoreauOSI"});
  }
  {
    Chopper chopper;
    FirstOrderLinearR late(makeMatrix({{1.}}), makeMatrix({{1.}}));
    late.setB([](double t, Matrix& B) { B(0, 0) = t < 0.01 ? 1. : std::nan(""); });
    chopper.model.link("late", ComplementarityConditionNSL(), late, chopper.circuit);
    expectError([&] { TimeStepping(chopper.model, grid, MoreauJeanOSI(), LCP()).run(); },
                {"'late'", "B", "FirstOrderLinearR", "t = 0.01"});
  }
  {
    Chopper chopper;
    expectError([&] { EventDriven(chopper.model, grid).run(); }, {"'diode'", "FirstOrderLinearTIR"});
  }
}

}  // namespace
