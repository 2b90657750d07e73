// SPDX-License-Identifier: Apache-2.0
//
// A ball under constant gravity against closed forms: parabolas, the geometric series of its impacts.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <fstream>
#include <limits>
#include <sstream>
#include <support/Models.hpp>
#include <support/TestData.hpp>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;

TEST(BouncingBall, IsExactToRoundingBetweenImpacts) {
  BouncingBall ball(1., 0.5, 0.9, 4.);
  const double h = 1e-3;
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  double q = 1.;
  double v = 0.5;
  double start = 0.;
  while (simulation.hasNextStep()) {
    simulation.step();
    if (ball.floor->lambda(1)(0) > 0.) {
      // A new parabola begins.
      start = simulation.time();
      q = ball.ball->q()(0);
      v = ball.ball->velocity()(0);
      continue;
    }
    const double t = simulation.time() - start;
    // Each of up to 1000 steps since the impact rounds q and v once or twice.
    const double tolerance = 2000. * 4. * std::numeric_limits<double>::epsilon();
    ASSERT_NEAR(ball.ball->q()(0), q + v * t - 0.5 * g * t * t, tolerance);
    ASSERT_NEAR(ball.ball->velocity()(0), v - g * t, tolerance);
  }
}

TEST(BouncingBall, ImpactsComeAtTheTimesOfTheGeometricSeries) {
  const double e = 0.8;
  const double h = 1e-4;
  BouncingBall ball(1., 0., e, 4.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  double expected = std::sqrt(2. / g);
  double speed = std::sqrt(2. * g);
  std::size_t impacts = 0;
  while (simulation.hasNextStep() && impacts < 8) {
    simulation.step();
    const double impulse = ball.floor->lambda(1)(0);
    if (!(impulse > 0.)) continue;
    // An impact is off by up to 2h where it happens; velocities carry the g h of that over into later flights.
    const double tolerance = 4. * static_cast<double>(impacts + 1) * h;
    EXPECT_NEAR(simulation.time(), expected, tolerance) << "impact " << impacts;
    EXPECT_NEAR(ball.ball->velocity()(0), e * speed, g * tolerance) << "impact " << impacts;
    speed *= e;
    expected += 2. * speed / g;
    ++impacts;
  }
  EXPECT_EQ(impacts, 8U);
}

TEST(BouncingBall, RisesToTheHeightsOfTheGeometricSeries) {
  const double e = 0.9;
  BouncingBall ball(1., 0., e, 5.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(0.5), LCP());
  double expected = e * e;
  std::size_t summits = 0;
  double before = 0.;
  while (simulation.hasNextStep()) {
    before = ball.ball->velocity()(0);
    simulation.step();
    if (!(before > 0. && ball.ball->velocity()(0) <= 0.)) continue;
    // An impact velocity is off by up to 2 g h = 2e-3, relative to 4 m/s and doubled in the height: 1e-3 each.
    EXPECT_NEAR(ball.ball->q()(0) / expected, 1., 1.5e-3 * static_cast<double>(summits + 1)) << "summit " << summits;
    expected *= e * e;
    ++summits;
  }
  EXPECT_GE(summits, 8U);
}

// Closed form at time t, up to the given number of impacts.
double exactHeight(double t, double e, int impacts) {
  double start = std::sqrt(2. / g);
  double speed = std::sqrt(2. * g);
  if (t <= start) return 1. - 0.5 * g * t * t;
  for (int k = 0; k < impacts; ++k) {
    speed *= e;
    const double flight = 2. * speed / g;
    if (t <= start + flight) return speed * (t - start) - 0.5 * g * (t - start) * (t - start);
    start += flight;
  }
  return 0.;
}

TEST(BouncingBall, ConvergesWithOrderOneAcrossImpacts) {
  const double e = 0.8;
  std::vector<double> steps;
  std::vector<double> errors;
  for (const double level : {4e-3, 1e-3, 2.5e-4, 6.25e-5}) {
    // Where in its step an impact falls is chance: the mean over some steps of about the same size is smooth.
    double mean = 0.;
    const int samples = 32;
    for (int sample = 0; sample < samples; ++sample) {
      const double h = level * (1. + 0.0137 * sample);
      BouncingBall ball(1., 0., e, 2.);
      TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
      double error = 0.;
      simulation.run([&] { error += h * std::abs(ball.ball->q()(0) - exactHeight(simulation.time(), e, 20)); });
      mean += error / samples;
    }
    steps.push_back(level);
    errors.push_back(mean);
  }
  EXPECT_GE(observedOrder("bouncing ball, L1 error of the height", steps, errors), 0.95);
}

TEST(BouncingBall, ComesToRestAndThenCarriesItsWeight) {
  const double h = 1e-3;
  BouncingBall ball(1., 0., 0.5, 4.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  double impulse = 0.;
  std::size_t steps = 0;
  simulation.run([&] {
    if (simulation.time() <= 3.) return;
    impulse += ball.floor->lambda(1)(0);
    ++steps;
  });
  // At rest contact and flight alternate or balance: the mean impulse is the weight, apart from a last hop of up to 1.5
  // g h.
  EXPECT_NEAR(impulse / static_cast<double>(steps), g * h, 1.5 * g * h / static_cast<double>(steps) + 1e-15);
  EXPECT_NEAR(ball.ball->q()(0), 0., g * h * h);
  EXPECT_NEAR(ball.ball->velocity()(0), 0., g * h);
}

TEST(BouncingBall, AgreesWithThePublishedTrajectory) {
  std::ifstream file(publishedFile("trajectories/bouncing_ball_moreau_jean.txt"));
  if (!file) GTEST_SKIP() << noTestData();
  BouncingBall ball(1., 0., 0.9, 10., 3);
  const double h = 5e-3;
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP());
  std::string line;
  std::getline(file, line);
  std::size_t rows = 0;
  std::size_t impacts = 0;
  while (std::getline(file, line) && simulation.hasNextStep()) {
    simulation.step();
    std::istringstream numbers(line);
    double t = 0., q = 0., v = 0., p = 0., lambda = 0.;
    numbers >> t >> q >> v >> p >> lambda;
    ASSERT_NEAR(simulation.time(), t, 1e-12);
    ASSERT_NEAR(ball.ball->q()(0), q, 1e-9) << "t = " << t;
    ASSERT_NEAR(ball.ball->velocity()(0), v, 1e-9) << "t = " << t;
    ASSERT_NEAR(ball.floor->lambda(1)(0), lambda, 1e-9) << "t = " << t;
    ++rows;
    if (lambda > 0.) ++impacts;
  }
  EXPECT_EQ(rows, 2000U);
  EXPECT_GT(impacts, 10U);
}

}  // namespace
