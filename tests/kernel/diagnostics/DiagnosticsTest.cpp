// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics against exact values: energies, drift, Jacobians and the picture of the model.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/diagnostics/JacobianReport.hpp>
#include <delassus/kernel/diagnostics/ModelDescription.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <filesystem>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(EnergyBalance, AnImpactDissipatesWhatItsCoefficientSays) {
  // m = 1, v = 2, e = 0.5, no force: (1 − e²)/2 m v² = 1.5.
  BouncingBall ball(1.03, -2., 0.5, 1.);
  ball.ball->setExternalForces(makeVector({0.}));
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  EXPECT_NEAR(balance->initialKinetic(), 2., 1e-14);
  EXPECT_NEAR(balance->kinetic(), 0.5, 1e-14);
  EXPECT_NEAR(balance->interactionWork(), -1.5, 1e-14);
  EXPECT_EQ(balance->forceWork(), 0.);
  EXPECT_NEAR(balance->largestResidual(), 0., 1e-14);
  ASSERT_EQ(balance->byInteraction().size(), 1U);
  EXPECT_NEAR(balance->byInteraction()[0].work, -1.5, 1e-14);
  EXPECT_NEAR(balance->momentum()[0].interactions(0), 3., 1e-14);
  EXPECT_NEAR(balance->momentum()[0].change(0), 3., 1e-14);
}

TEST(EnergyBalance, OfABouncingBallInEventDrivenSimulationIsExact) {
  BouncingBall ball(1., 0., 0.5, 0.6);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 1e-2), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  const double g = BouncingBall::gravity;
  // One impact at v² = 2 g. The integration is accurate to 1e-8 or so.
  EXPECT_NEAR(balance->interactionWork(), -(1. - 0.25) * g, 1e-7);
  EXPECT_NEAR(balance->forceWork(), g * (1. - ball.ball->q()(0)), 1e-7);
  EXPECT_NEAR(balance->residual(), 0., 1e-7);
  EXPECT_NEAR(balance->momentum()[0].residual(0), 0., 1e-7);
}

TEST(EnergyBalance, HasNoResidualForLinearSystemsWithThetaOneHalf) {
  // Two masses and a spring, one of them hits a wall again and again.
  NonSmoothDynamicalSystem model(0., 5.);
  const Matrix K = makeMatrix({{10., -10.}, {-10., 10.}});
  const auto masses = std::make_shared<LagrangianLinearTIDS>(makeVector({0.1, 1.}), makeVector({-1., 0.3}),
                                                             diagonalMatrix({1., 3.}), K, Matrix(2, 2, 0.));
  masses->setExternalForces(makeVector({-2., 0.}));
  const auto wall = std::make_shared<Interaction>(NewtonImpactNSL(0.7), LagrangianLinearTIR(makeMatrix({{1., 0.}})));
  model.insert(masses);
  model.link(wall, masses);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  EXPECT_LT(balance->interactionWork(), -0.1);
  EXPECT_NEAR(balance->largestResidual(), 0., 1e-11 * balance->turnover());
  const std::vector<EnergyBalance::Momentum> momentum = balance->momentum();
  for (const double residual : momentum.at(0).residual) EXPECT_NEAR(residual, 0., 1e-10);
  const std::string text = balance->text();
  EXPECT_NE(text.find("kinetic energy"), std::string::npos);
}

TEST(EnergyBalance, OfFreeMotionIsTheErrorOfTheScheme) {
  // A free particle in polar coordinates: M = diag(1, r²), nothing does work.
  const auto errorAt = [](double h) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto particle = std::make_shared<LagrangianDS>(makeVector({1., 0.}), makeVector({0., 1.}));
    particle->setMass([](const Vector& q, Matrix& M) {
      M(0, 0) = 1.;
      M(1, 1) = q(0) * q(0);
    });
    particle->setNNL(automatic([](const auto& q, const auto& v, auto& N) {
      N(0) = -q(0) * v(1) * v(1);
      N(1) = 2. * q(0) * v(0) * v(1);
    }));
    model.insert(particle);
    TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
    const auto balance = std::make_shared<EnergyBalance>();
    simulation.addObserver(balance);
    simulation.run();
    EXPECT_EQ(balance->forceWork(), 0.);
    EXPECT_EQ(balance->interactionWork(), 0.);
    EXPECT_NEAR(balance->residual(), balance->kinetic() - 0.5, 1e-15);
    return balance->largestResidual();
  };
  const double coarse = errorAt(2e-2);
  const double fine = errorAt(1e-2);
  EXPECT_LT(fine, 1e-3);
  // At least of first order.
  EXPECT_LT(fine, 0.6 * coarse);
}

TEST(EnergyBalance, OfAFreeRotationHasTheEnergyOfTheBody) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), makeVector({1., 0., 0., 0.1, 3., 0.2}), 2.,
                                      NewtonEulerDS::boxInertia(2., 1., 2., 3.));
  model.insert(body);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  const double energy = body->kineticEnergy();
  simulation.run();
  EXPECT_NEAR(balance->initialKinetic(), energy, 1e-13);
  EXPECT_NEAR(balance->kinetic(), body->kineticEnergy(), 1e-13);
  // Gyroscopic terms are no work, though their discrete power is not zero.
  EXPECT_NEAR(balance->forceWork(), 0., 1e-15);
  EXPECT_NEAR(balance->residual(), body->kineticEnergy() - energy, 1e-13);
}

TEST(EnergyBalance, EvaluatesForcesOnceAStep) {
  const auto evaluationsOf = [](bool balanced) {
    BouncingBall ball(1., -1., 0.5, 1.);
    std::size_t count = 0;
    ball.ball->setExternalForces([&count](double, Vector& F) {
      ++count;
      F(0) = -9.81;
    });
    TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
    if (balanced) simulation.addObserver(std::make_shared<EnergyBalance>());
    simulation.run();
    return count;
  };
  // And once at the beginning.
  EXPECT_EQ(evaluationsOf(true), evaluationsOf(false) + 101);
}

TEST(EnergyBalance, LeavesOutResetsAndChangesOfTheModel) {
  BouncingBall ball(1., -1., 0.5, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  for (int k = 0; k < 10; ++k) simulation.step();
  ball.ball->setState(makeVector({1.}), makeVector({7.}));
  simulation.step();
  ball.model.remove(ball.floor);
  simulation.step();
  const auto other = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({5.}), identityMatrix(1));
  ball.model.insert(other);
  for (int k = 0; k < 10; ++k) simulation.step();
  EXPECT_NEAR(balance->largestResidual(), 0., 1e-12);
}

TEST(DriftMonitor, FindsTheLargestDriftOfAJointAndOfAQuaternion) {
  SpinningPendulum pendulum(0.5);
  TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GenericMechanical());
  const auto drift = std::make_shared<DriftMonitor>();
  simulation.addObserver(drift);
  double worst = 0.;
  simulation.run([&] {
    for (const double y : pendulum.joint->y(0).data()) worst = std::max(worst, std::abs(y));
  });
  EXPECT_GT(worst, 0.);
  ASSERT_EQ(drift->drifts().size(), 2U);
  EXPECT_EQ(drift->drifts()[0].largest, worst);
  EXPECT_EQ(drift->drifts()[0].name, pendulum.joint->name());
  EXPECT_LT(drift->drifts()[1].largest, 1e-14);
  EXPECT_EQ(drift->largestEquality(), worst);
  EXPECT_NE(drift->text().find(pendulum.joint->name()), std::string::npos);
}

TEST(DriftMonitor, FindsTheLargestPenetrationAndKeepsItAfterRemoval) {
  BouncingBall ball(1., 0., 0.5, 2.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  const auto drift = std::make_shared<DriftMonitor>();
  simulation.addObserver(drift);
  double worst = 0.;
  double at = 0.;
  while (simulation.stepIndex() < 150) {
    simulation.step();
    if (-ball.floor->y(0)(0) > worst) {
      worst = -ball.floor->y(0)(0);
      at = simulation.time();
    }
  }
  ASSERT_GT(worst, 0.);
  EXPECT_EQ(drift->largestPenetration(), worst);
  EXPECT_EQ(drift->drifts()[0].at, at);
  ball.model.remove(ball.floor);
  simulation.step();
  EXPECT_EQ(drift->largestPenetration(), worst);
}

TEST(JacobianReport, ListsEveryWrongEntryAndThrowsNothing) {
  BouncingBall ball(1., 0., 0.5, 1., 3);
  const auto wrong = std::make_shared<Interaction>(
      NewtonImpactNSL(0.5),
      LagrangianScleronomousR(1, withJacobians([](const Vector& q, Vector& y) { y(0) = q(0) * q(1); },
                                               [](const Vector& q, Matrix& G) {
                                                 G(0, 0) = q(1);
                                                 G(0, 1) = q(0) + 0.5;
                                               })));
  wrong->setName("wrong");
  ball.model.link(wrong, ball.ball);
  const JacobianReport report = jacobianReport(ball.model, 0.);
  EXPECT_FALSE(report.passes());
  std::size_t wrongChecks = 0;
  for (const JacobianReport::Check& check : report.checks) {
    if (check.passes()) continue;
    ++wrongChecks;
    EXPECT_NE(check.what.find("'wrong'"), std::string::npos);
    ASSERT_EQ(check.wrong.size(), 1U);
    EXPECT_EQ(check.wrong[0].column, 1U);
    EXPECT_EQ(check.wrong[0].given, 1.5);
    EXPECT_NEAR(check.wrong[0].differenced, 1., 1e-9);
    EXPECT_NEAR(check.worst.error(), 0.5, 1e-9);
  }
  EXPECT_EQ(wrongChecks, 1U);
  EXPECT_GT(report.checks.size(), 1U);
  EXPECT_NE(report.text().find("(0, 1): given 1.5"), std::string::npos) << report.text();
  ball.model.remove(wrong);
  EXPECT_TRUE(jacobianReport(ball.model, 0.).passes());
}

TEST(JacobianReport, HasWhatFunctionsThrow) {
  BouncingBall ball(1., 0., 0.5, 1.);
  const auto broken = std::make_shared<Interaction>(
      NewtonImpactNSL(0.5),
      LagrangianScleronomousR(1, differenced([](const Vector&, Vector&) { throw Error("user", "has no idea."); })));
  ball.model.link(broken, ball.ball);
  const JacobianReport report = jacobianReport(ball.model, 0.);
  EXPECT_FALSE(report.passes());
  EXPECT_NE(report.text().find("has no idea"), std::string::npos);
}

TEST(ModelDescription, NamesEverythingThatThereIs) {
  ColumnOfBeads column(3, 0.05, 0.19, 0., 1.);
  column.beads[0]->setName("lowest");
  column.contacts[1]->setName("first \"pair\"");
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.step();
  const std::string text = describe(column.model);
  for (const char* part : {"3 systems, 3 interactions", "'lowest' LagrangianLinearTIDS, 3 degrees of freedom",
                           "NewtonImpactNSL", "LagrangianLinearTIR", "linked interactions", "lambda(1)", "I0: 3",
                           "I1: 3", "1 independent groups", "1 of 1 blocks active"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
  EXPECT_NE(describe(column.model, 1).find("and 2 more"), std::string::npos);
}

TEST(ModelDescription, WritesAGraphThatGraphvizTakes) {
  ColumnOfBeads column(3, 0.5, 0.19, 0., 1.);
  column.contacts[1]->setName("first \"pair\"");
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  simulation.step();
  const std::string graph = graphvizOf(column.model);
  EXPECT_NE(graph.find("label=\"first \\\"pair\\\"\\n"), std::string::npos) << graph;
  // The ground is not reached yet, the beads touch each other.
  EXPECT_NE(graph.find("style=dashed"), std::string::npos);
  EXPECT_NE(graph.find("I0, I1\", style=filled"), std::string::npos);
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "delassus_model.dot";
  writeGraphviz(column.model, path);
  if (std::system("command -v dot > /dev/null 2>&1") == 0) {
    EXPECT_EQ(std::system(("dot -Tsvg " + path.string() + " > /dev/null").c_str()), 0);
  }
  std::filesystem::remove(path);
}

}  // namespace
