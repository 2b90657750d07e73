// SPDX-License-Identifier: Apache-2.0
//
// Energies of event-driven simulations where events and outputs are at one instant. Without a force the motion between
// events is a straight line, so that all work is that of the impacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <functional>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// What an impact of m = 1, v = 2 and e = 0.5 leaves; the tolerance is that of the integration.
void expectOneImpact(const EnergyBalance& balance) {
  constexpr double tolerance = 1e-9;
  EXPECT_NEAR(balance.initialKinetic(), 2., tolerance);
  EXPECT_NEAR(balance.kinetic(), 0.5, tolerance);
  EXPECT_NEAR(balance.interactionWork(), -1.5, tolerance);
  EXPECT_NEAR(balance.largestResidual(), 0., tolerance);
  EXPECT_NEAR(balance.turnover(), 1.5, tolerance);
  ASSERT_EQ(balance.momentum().size(), 1U);
  EXPECT_NEAR(balance.momentum()[0].interactions(0), 3., tolerance);
  EXPECT_NEAR(balance.momentum()[0].residual(0), 0., tolerance);
}

double sumByInteraction(const EnergyBalance& balance) {
  double sum = 0.;
  for (const EnergyBalance::InteractionWork& part : balance.byInteraction()) sum += part.work;
  return sum;
}

struct Impact {
  explicit Impact(TimeDiscretisation outputs)
      : ball(1., -2., 0.5, 1.), simulation(ball.model, std::move(outputs), LCP()) {
    ball.ball->setExternalForces(makeVector({0.}));
    simulation.addObserver(balance);
  }
  std::size_t count(EventKind kind) const {
    const auto& events = simulation.events();
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; }));
  }
  double time() const {
    const auto& events = simulation.events();
    const auto found =
        std::find_if(events.begin(), events.end(), [](const Event& event) { return event.kind == EventKind::impact; });
    return found == events.end() ? -1. : found->t;
  }

  BouncingBall ball;
  EventDriven simulation;
  std::shared_ptr<EnergyBalance> balance = std::make_shared<EnergyBalance>();
};

// Where the impact is located.
double impactTime() {
  Impact impact(TimeDiscretisation(0., 1.));
  impact.simulation.run();
  return impact.time();
}

TEST(EnergyAtEvents, CountsAnImpactAtAnOutputOnce) {
  const double t = impactTime();
  ASSERT_NEAR(t, 0.5, 1e-12);
  Impact impact(TimeDiscretisation({0., t, 1.}));
  impact.simulation.run();
  // Otherwise nothing was tested.
  ASSERT_EQ(impact.time(), t);
  expectOneImpact(*impact.balance);
  EXPECT_NEAR(sumByInteraction(*impact.balance), -1.5, 1e-9);
}

TEST(EnergyAtEvents, CountsAnImpactOnceWhereverOutputsAre) {
  for (const double h : {1., 0.5, 0.25, 0.1, 0.05, 1e-2}) {
    SCOPED_TRACE(h);
    Impact impact(TimeDiscretisation(0., h));
    impact.simulation.run();
    ASSERT_EQ(impact.count(EventKind::impact), 1U);
    expectOneImpact(*impact.balance);
    EXPECT_NEAR(sumByInteraction(*impact.balance), -1.5, 1e-9);
  }
}

TEST(EnergyAtEvents, CountsAnImpactWithSeveralEntriesOnce) {
  const double t = impactTime();
  Impact impact(TimeDiscretisation({0., t, 1.}));
  // A function that is zero at the impact, and another floor in the same place.
  impact.simulation.addStateEvent(
      "half way", impact.ball.ball, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::both);
  impact.ball.model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}}))),
                         impact.ball.ball);
  impact.simulation.run();
  ASSERT_GE(impact.count(EventKind::impact) + impact.count(EventKind::user), 2U);
  expectOneImpact(*impact.balance);
  EXPECT_NEAR(sumByInteraction(*impact.balance), -1.5, 1e-9);
}

TEST(EnergyAtEvents, CountsAnImpactThatFollowsAnotherEventAtOnce) {
  // A floor appears just where the ball is: the impact comes after the event of the user, at its instant.
  for (const double h : {1., 0.25}) {
    SCOPED_TRACE(h);
    Impact impact(TimeDiscretisation(0., h));
    impact.ball.model.remove(impact.ball.floor);
    const auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.5),
                                                     LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({-0.5})));
    impact.simulation.addTimeEvents("floor", {0.25}, [&] { impact.ball.model.link(floor, impact.ball.ball); });
    impact.simulation.run();
    ASSERT_EQ(impact.count(EventKind::impact), 1U);
    ASSERT_EQ(impact.time(), 0.25);
    expectOneImpact(*impact.balance);
  }
}

TEST(EnergyAtEvents, LeavesOutAResetAtAnEventAndNothingElse) {
  Impact impact(TimeDiscretisation(0., 0.1));
  impact.simulation.addTimeEvents("kick", {0.25},
                                  [&] { impact.ball.ball->setState(impact.ball.ball->q(), makeVector({-4.})); });
  impact.simulation.run();
  // The impact comes with v = 4: a loss of 6.
  ASSERT_EQ(impact.count(EventKind::impact), 1U);
  EXPECT_NEAR(impact.balance->interactionWork(), -6., 1e-9);
  EXPECT_NEAR(impact.balance->initialKinetic(), 8., 1e-9);
  EXPECT_NEAR(impact.balance->largestResidual(), 0., 1e-9);
}

}  // namespace
