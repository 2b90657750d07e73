// SPDX-License-Identifier: Apache-2.0
//
// Schatzman-Paoli's scheme against closed forms, against what theory says of its orders, its restitution and its
// penetration, and against Moreau-Jean's scheme.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <functional>
#include <numbers>
#include <support/Models.hpp>
#include <support/PublishedTrajectory.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = BouncingBall::gravity;
constexpr double pi = std::numbers::pi;

// q'' + c q' + k q = f cos 2t from q = 1, v = 0.5, with its closed form.
struct Motion1D {
  const char* name;
  double c, k, f;
  std::function<double(double)> q, v;
};

std::vector<Motion1D> smoothMotions() {
  std::vector<Motion1D> all;
  all.push_back({"oscillator", 0., 9., 0., [](double t) { return std::cos(3. * t) + std::sin(3. * t) / 6.; },
                 [](double t) { return -3. * std::sin(3. * t) + 0.5 * std::cos(3. * t); }});
  all.push_back({"forced mass", 0., 0., 4., [](double t) { return 1. + 0.5 * t + 1. - std::cos(2. * t); },
                 [](double t) { return 0.5 + 2. * std::sin(2. * t); }});
  all.push_back({"damped mass", 2., 0., 0., [](double t) { return 1. + 0.25 * (1. - std::exp(-2. * t)); },
                 [](double t) { return 0.5 * std::exp(-2. * t); }});
  // Decay 1, frequency 3.
  all.push_back({"damped oscillator", 2., 10., 0.,
                 [](double t) { return std::exp(-t) * (std::cos(3. * t) + 0.5 * std::sin(3. * t)); },
                 [](double t) { return std::exp(-t) * (0.5 * std::cos(3. * t) - 3.5 * std::sin(3. * t)); }});
  return all;
}

struct SmoothErrors {
  double position = 0., velocity = 0., lateVelocity = 0.;
};

// Largest errors over [0, 2], the velocity also against that of one step before.
SmoothErrors smoothErrors(const Motion1D& motion, double theta, const TimeDiscretisation& grid) {
  NonSmoothDynamicalSystem model(0., 2.);
  const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.5}), makeMatrix({{1.}}),
                                                           makeMatrix({{motion.k}}), makeMatrix({{motion.c}}));
  mass->setExternalForces([&](double t, Vector& F) { F(0) = motion.f * std::cos(2. * t); });
  model.insert(mass);
  TimeStepping simulation(model, grid, SchatzmanPaoliOSI(theta), LCP());
  SmoothErrors errors;
  double before = 0.;
  simulation.run([&] {
    const double t = simulation.time();
    errors.position = std::max(errors.position, std::abs(mass->q()(0) - motion.q(t)));
    errors.velocity = std::max(errors.velocity, std::abs(mass->velocity()(0) - motion.v(t)));
    errors.lateVelocity = std::max(errors.lateVelocity, std::abs(mass->velocity()(0) - motion.v(before)));
    before = t;
  });
  return errors;
}

// Stiff and driving forces are taken θh early and damping (1 − θ)h late: each costs an order unless there is none of
// it. The velocity is that of one step before.
TEST(SchatzmanPaoli, HasTheOrdersOfItsForcesInSmoothMotion) {
  const std::vector<double> steps{0.02, 0.01, 0.005, 0.0025};
  // Expected orders of positions for θ = 0, ½, 1.
  const std::vector<std::vector<double>> expected{{2., 1., 1.}, {2., 1., 1.}, {1., 1., 2.}, {1., 1., 1.}};
  const std::vector<double> thetas{0., 0.5, 1.};
  const std::vector<Motion1D> motions = smoothMotions();
  for (std::size_t m = 0; m < motions.size(); ++m) {
    for (std::size_t j = 0; j < thetas.size(); ++j) {
      std::vector<double> positions, velocities, late;
      for (const double h : steps) {
        const SmoothErrors errors = smoothErrors(motions[m], thetas[j], TimeDiscretisation(0., h));
        positions.push_back(errors.position);
        velocities.push_back(errors.velocity);
        late.push_back(errors.lateVelocity);
      }
      const std::string title = std::string(motions[m].name) + ", theta = " + toText(thetas[j]);
      EXPECT_NEAR(observedOrder((title + ": q").c_str(), steps, positions), expected[m][j], 0.12) << title;
      EXPECT_NEAR(observedOrder((title + ": v").c_str(), steps, velocities), 1., 0.12) << title;
      EXPECT_NEAR(observedOrder((title + ": v, one step late").c_str(), steps, late), expected[m][j], 0.2) << title;
    }
  }
}

// About `count` steps of [0, 2] that differ by factors of up to three from one to the next.
TimeDiscretisation unevenGrid(int count) {
  std::vector<double> instants{0.};
  std::vector<double> sizes;
  double sum = 0.;
  for (int k = 0; k < count; ++k) {
    sizes.push_back(1. + 0.5 * std::sin(2.6 * k));
    sum += sizes.back();
  }
  for (const double size : sizes) instants.push_back(instants.back() + 2. * size / sum);
  instants.back() = 2.;
  return TimeDiscretisation(instants);
}

TEST(SchatzmanPaoli, KeepsItsOrdersOnUnevenGrids) {
  const std::vector<Motion1D> motions = smoothMotions();
  const auto orderOf = [&](std::size_t m, double theta) {
    std::vector<double> steps, errors;
    for (const int count : {100, 200, 400, 800}) {
      steps.push_back(2. / count);
      errors.push_back(smoothErrors(motions[m], theta, unevenGrid(count)).position);
    }
    return observedOrder((std::string(motions[m].name) + ", uneven steps").c_str(), steps, errors);
  };
  EXPECT_NEAR(orderOf(0, 0.), 2., 0.15);
  EXPECT_NEAR(orderOf(1, 0.), 2., 0.15);
  EXPECT_NEAR(orderOf(2, 1.), 2., 0.15);
  EXPECT_NEAR(orderOf(3, 0.5), 1., 0.15);
}

// Closed form of a ball that falls from 1 m.
double exactHeight(double t, double e) {
  double start = std::sqrt(2. / g);
  double speed = std::sqrt(2. * g);
  if (t <= start) return 1. - 0.5 * g * t * t;
  for (int k = 0; k < 40; ++k) {
    speed *= e;
    const double flight = 2. * speed / g;
    if (t <= start + flight) return speed * (t - start) - 0.5 * g * (t - start) * (t - start);
    start += flight;
  }
  return 0.;
}

// Mean over phases of the L1 error of a motion of one coordinate, for steps of about the size `level`.
template <class Make, class Exact>
double meanError(double level, double theta, Make make, Exact exact) {
  double mean = 0.;
  const int samples = 24;
  for (int sample = 0; sample < samples; ++sample) {
    const double h = level * (1. + 0.0137 * sample);
    auto made = make();
    TimeStepping simulation(made->model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(theta), LCP());
    double error = 0.;
    simulation.run([&] { error += h * std::abs(made->ball->q()(0) - exact(simulation.time())); });
    mean += error / samples;
  }
  return mean;
}

TEST(SchatzmanPaoli, BouncingBallConvergesWithOrderOneAcrossImpacts) {
  const double e = 0.8;
  std::vector<double> steps, errors;
  for (const double level : {4e-3, 1e-3, 2.5e-4, 6.25e-5}) {
    steps.push_back(level);
    errors.push_back(meanError(
        level, 0.5, [&] { return std::make_unique<BouncingBall>(1., 0., e, 2.); },
        [&](double t) { return exactHeight(t, e); }));
  }
  EXPECT_GE(observedOrder("bouncing ball, L1 error of the height", steps, errors), 0.95);
}

// q'' + 2ζω q' + ω² q = 0 above a wall at q = 0 with restitution e, from q = 0 upwards: half periods of sines that are
// lower by e exp(−ζω T_h) one by one.
struct ImpactingOscillator {
  ImpactingOscillator(double omega, double zeta, double e, double end) : model(0., end) {
    ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({1.}), makeMatrix({{1.}}),
                                                  makeMatrix({{omega * omega}}), makeMatrix({{2. * zeta * omega}}));
    wall = std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1.}})));
    model.insert(ball);
    model.link(wall, ball);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> wall;
};

TEST(SchatzmanPaoli, ImpactingOscillatorsConvergeWithOrderOne) {
  const double omega = 5.;
  for (const double zeta : {0., 0.1}) {
    for (const double e : {1., 0.7}) {
      const double damped = omega * std::sqrt(1. - zeta * zeta);
      const double half = pi / damped;
      const auto exact = [&](double t) {
        const double n = std::floor(t / half);
        const double s = t - n * half;
        const double speed = std::pow(e * std::exp(-zeta * omega * half), n);
        return speed / damped * std::exp(-zeta * omega * s) * std::sin(damped * s);
      };
      std::vector<double> steps, errors;
      for (const double level : {8e-3, 2e-3, 5e-4, 1.25e-4}) {
        steps.push_back(level);
        errors.push_back(meanError(
            level, 0.5, [&] { return std::make_unique<ImpactingOscillator>(omega, zeta, e, 3.); }, exact));
      }
      const std::string title = "impacting oscillator, zeta = " + toText(zeta) + ", e = " + toText(e);
      EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.9);
    }
  }
}

// Speed at height zero of the parabola through two positions one step apart.
double speedAtGround(double first, double second, double h) {
  const double middle = 0.5 * (first + second) + 0.125 * g * h * h;
  const double velocity = (second - first) / h;
  return std::sqrt(velocity * velocity + 2. * g * middle);
}

struct FirstBounce {
  double restitution = 0.;  // from the positions before and after it
  double deepest = 0.;      // gap
  double secondImpact = 0.;
};

FirstBounce firstBounce(double e, double height, double h) {
  BouncingBall ball(height, 0., e, 4.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.5), LCP());
  std::vector<double> q{height};
  std::size_t pushes = 0;
  std::size_t after = 0;
  FirstBounce bounce;
  double approach = 0.;
  while (simulation.hasNextStep()) {
    simulation.step();
    q.push_back(ball.ball->q()(0));
    const std::size_t k = q.size() - 1;
    bounce.deepest = std::min(bounce.deepest, q[k]);
    const bool pushed = ball.floor->isActive();
    // The last two free positions.
    if (pushed && pushes == 0) approach = speedAtGround(q[k - 2], q[k - 1], h);
    if (pushed) ++pushes;
    if (!pushed && pushes > 0) ++after;
    if (after == 2) {
      const double leave = speedAtGround(q[k - 1], q[k], h);
      bounce.restitution = leave / approach;
      // The parabola through these points comes down again at
      const double middle = 0.5 * (q[k - 1] + q[k]) + 0.125 * g * h * h;
      const double velocity = (q[k] - q[k - 1]) / h;
      bounce.secondImpact =
          simulation.time() - 0.5 * h + (velocity + std::sqrt(velocity * velocity + 2. * g * middle)) / g;
      break;
    }
  }
  return bounce;
}

TEST(SchatzmanPaoli, RecoversRestitutionInTheLimitOfSmallSteps) {
  // The velocity at t + 3h/2 is −e times that at t − h/2 (t before the first step that pushes): with the instant of the
  // impact τ after the latter, the speed at the ground is off by (1 + e) g τ, where −½ < (1 − e)/(1 + e) − ½ < τ/h <
  // 2/(1 + e) − ½ by the phase.
  const int phases = 50;
  std::printf("restitution from positions, worst error and mean over phases\n    e       h       worst     mean\n");
  for (const double e : {0.2, 0.5, 0.8, 1.}) {
    std::vector<double> steps, worsts;
    for (const double h : {4e-3, 1e-3, 2.5e-4}) {
      double worst = 0., mean = 0., deepest = 0., late = 0.;
      double speed = 0.;
      for (int phase = 0; phase < phases; ++phase) {
        // Heights that shift the impact through a step.
        const double t = std::sqrt(2. / g) + h * (phase + 0.5) / phases;
        const double height = 0.5 * g * t * t;
        speed = g * t;
        const FirstBounce bounce = firstBounce(e, height, h);
        worst = std::max(worst, std::abs(bounce.restitution - e));
        mean += (bounce.restitution - e) / phases;
        deepest = std::min(deepest, bounce.deepest);
        late += (bounce.secondImpact - (t + 2. * e * speed / g)) / phases;
      }
      std::printf("  %.1f  %.2e  %.2e  %+.2e   deepest %.3f h u, second impact late by %.3f h\n", e, h, worst, mean,
                  -deepest / (h * speed), late / h);
      const double largest = std::max(std::abs((1. - e) / (1. + e) - 0.5), std::abs(2. / (1. + e) - 0.5));
      EXPECT_LE(worst, 1.05 * (1. + e) * g * h / speed * largest) << "e = " << e;
      EXPECT_NEAR(mean * speed / (g * h), -(1. - e), 0.1) << "e = " << e;
      // Penetration in an impact: up to 2e/(1+e) h |ẏ|, and no more.
      EXPECT_GE(deepest, -(2. * e / (1. + e) + 0.01) * h * speed) << "e = " << e;
      EXPECT_LE(deepest, -0.9 * (2. * e / (1. + e)) * h * speed) << "e = " << e;
      // Rising begins 2h late; less speed takes 2 (1 − e) h off the flight.
      EXPECT_NEAR(late / h, 2. * e, 0.1) << "e = " << e;
      steps.push_back(h);
      worsts.push_back(worst);
    }
    EXPECT_NEAR(observedOrder(("restitution, e = " + toText(e)).c_str(), steps, worsts), 1., 0.1);
  }
}

TEST(SchatzmanPaoli, PenetrationOfManyContactsIsOfTheOrderOfTheStep) {
  const double e = 0.9;
  std::vector<double> steps, depths;
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    ColumnOfBeads column(10, 1., 0.25, e, 2.);
    TimeStepping simulation(column.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.5), LCP());
    double deepest = 0.;
    double fastest = 0.;
    simulation.run([&] {
      for (const auto& contact : column.contacts) {
        deepest = std::min(deepest, contact->y(0)(0));
        fastest = std::max(fastest, std::abs(contact->y(1)(0)));
      }
    });
    EXPECT_GE(deepest, -2. * e / (1. + e) * h * fastest - 10. * g * h * h);
    steps.push_back(h);
    depths.push_back(-deepest);
  }
  EXPECT_NEAR(observedOrder("deepest penetration in a column of beads", steps, depths), 1., 0.25);
}

// The same steps by both schemes: impacts (the beginning of pushes after flight), and the energy after them.
struct Bounces {
  std::vector<double> times;
  double energyError = 0.;  // largest in flight, of that at the beginning
};

template <class Scheme>
Bounces bouncesOf(double e, double h, double end, Scheme scheme) {
  BouncingBall ball(1., 0., e, end);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), std::move(scheme), LCP());
  Bounces bounces;
  bool flies = true;
  double before = 1.;
  simulation.run([&] {
    const bool pushed = ball.floor->lambda(1)(0) > 0.;
    if (pushed && flies) bounces.times.push_back(simulation.time());
    // From positions, for both schemes: the parabola through the last two.
    if (!pushed && flies) {
      const double speed = speedAtGround(before, ball.ball->q()(0), h);
      bounces.energyError = std::max(bounces.energyError, std::abs(0.5 * speed * speed / g - 1.));
    }
    flies = !pushed;
    before = ball.ball->q()(0);
  });
  return bounces;
}

TEST(SchatzmanPaoli, AgreesWithMoreauJeanUpToTheOrderOfTheStep) {
  const double e = 0.9;
  std::printf("impact n: exact, off by h times (Moreau-Jean, Schatzman-Paoli)\n");
  for (const double h : {1e-3, 1e-4}) {
    const Bounces moreauJean = bouncesOf(e, h, 5., MoreauJeanOSI(0.5));
    const Bounces schatzmanPaoli = bouncesOf(e, h, 5., SchatzmanPaoliOSI(0.5));
    double exact = std::sqrt(2. / g);
    double speed = std::sqrt(2. * g);
    for (std::size_t n = 0; n < 8; ++n) {
      const double first = (moreauJean.times[n] - exact) / h;
      const double second = (schatzmanPaoli.times[n] - exact) / h;
      if (n % 2 == 0) std::printf("  h = %g, n = %zu: %.4f s, %+.2f, %+.2f\n", h, n + 1, exact, first, second);
      EXPECT_LE(std::abs(first), 4. * static_cast<double>(n + 1));
      EXPECT_LE(std::abs(second), 4. * static_cast<double>(n + 1));
      speed *= e;
      exact += 2. * speed / g;
    }
  }
  for (const double h : {1e-3, 1e-4}) {
    const Bounces moreauJean = bouncesOf(1., h, 20., MoreauJeanOSI(0.5));
    const Bounces schatzmanPaoli = bouncesOf(1., h, 20., SchatzmanPaoliOSI(0.5));
    std::printf("  e = 1, h = %g: energy in the flights of %zu impacts off by %.1e, %.1e\n", h, moreauJean.times.size(),
                moreauJean.energyError, schatzmanPaoli.energyError);
    EXPECT_LE(moreauJean.energyError, 1e-9);
    // An impact changes the speed by g h at most, either way; it does not add up.
    EXPECT_LE(schatzmanPaoli.energyError, 2.5 * g * h / std::sqrt(2. * g));
  }
}

TEST(SchatzmanPaoli, AgreesWithThePublishedBouncingBall) {
  const auto rows = publishedTrajectory("bouncing_ball_schatzman_paoli.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  const double h = 5e-3;
  // The published start is q⁻ = q₀, that of a ball which was as high one step before.
  BouncingBall ball(1., -0.5 * g * h, 0.9, 10., 3);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.5), LCP());
  std::size_t pushes = 0;
  double worst = 0.;
  for (std::size_t k = 1; k < rows->size() && simulation.hasNextStep(); ++k) {
    simulation.step();
    const std::vector<double>& row = (*rows)[k];
    ASSERT_NEAR(simulation.time(), row[0], 1e-12);
    // Towards the end of the series of bounces (8.6 s) what the solvers differ by grows from bounce to bounce.
    const double tolerance = row[0] < 6. ? 1e-12 : row[0] < 8. ? 1e-8 : 1e-5;
    if (row[0] < 6.) worst = std::max(worst, std::abs(ball.ball->q()(0) - row[1]));
    ASSERT_NEAR(ball.ball->q()(0), row[1], tolerance) << "t = " << row[0];
    ASSERT_NEAR(ball.ball->velocity()(0), row[2], tolerance / h) << "t = " << row[0];
    // Its multiplier is λ of the equations; ours of level 1 is the impulse λ/h.
    ASSERT_NEAR(h * ball.floor->lambda(1)(0), row[4], tolerance) << "t = " << row[0];
    if (row[4] > 0.) ++pushes;
  }
  std::printf("published ball: heights agree to %.1e m in the first 6 s\n", worst);
  EXPECT_EQ(simulation.stepIndex(), 2000U);
  EXPECT_GT(pushes, 20U);
}

TEST(SchatzmanPaoli, BallComesToRestAndThenCarriesItsWeight) {
  const double h = 1e-3;
  BouncingBall ball(1., 0., 0.5, 4.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.5), LCP());
  simulation.run();
  EXPECT_NEAR(ball.ball->q()(0), 0., 1e-12);
  EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-10);
  EXPECT_NEAR(ball.floor->lambda(0)(0), g, 1e-6);
  EXPECT_NEAR(ball.floor->lambda(1)(0), g * h, 1e-9);
}

// A pendulum (an angle) with a stop: nonlinear system and relation.
struct StoppedPendulum {
  explicit StoppedPendulum(double end) : model(0., end) {
    ball = std::make_shared<LagrangianDS>(makeVector({-1.}), makeVector({0.}), makeMatrix({{1.}}));
    ball->setInternalForces(automatic([](const auto&, const auto& q, const auto& v, auto& F) {
      using std::sin;
      F(0) = g * sin(q(0)) + 0.2 * v(0);
    }));
    stop = std::make_shared<Interaction>(NewtonImpactNSL(0.8),
                                         LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                   using std::sin;
                                                                   y(0) = sin(0.3) - sin(q(0));
                                                                 })));
    model.insert(ball);
    model.link(stop, ball);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> ball;
  std::shared_ptr<Interaction> stop;
};

TEST(SchatzmanPaoli, PendulumWithAStopConvergesToTheMotionOfMoreauJean) {
  const double end = 4.;
  // Moreau-Jean with a step so small that its own error counts little.
  const double fine = 1e-5;
  StoppedPendulum reference(end);
  TimeStepping exact(reference.model, TimeDiscretisation(0., fine), MoreauJeanOSI(0.5), LCP());
  std::vector<double> angles{-1.};
  exact.run([&] { angles.push_back(reference.ball->q()(0)); });
  const auto angleAt = [&](double t) {
    return angles[std::min(angles.size() - 1, static_cast<std::size_t>(std::lround(t / fine)))];
  };
  std::vector<double> steps, errors;
  for (const double level : {8e-3, 2e-3, 5e-4}) {
    steps.push_back(level);
    errors.push_back(meanError(
        level, 0.5, [&] { return std::make_unique<StoppedPendulum>(end); }, angleAt));
  }
  EXPECT_GE(observedOrder("pendulum with a stop, L1 error of the angle", steps, errors), 0.9);
}

TEST(SchatzmanPaoli, StaysBoundedForStiffSystemsIfThetaIsHalfOrMore) {
  // Undamped, h ω = 100.
  for (const double theta : {0.5, 1.}) {
    ImpactingOscillator stiff(1e4, 0., 0.9, 1.);
    TimeStepping simulation(stiff.model, TimeDiscretisation(0., 1e-2), SchatzmanPaoliOSI(theta), LCP());
    double largest = 0.;
    simulation.run([&] { largest = std::max(largest, std::abs(stiff.ball->q()(0))); });
    EXPECT_LT(largest, 1e-2 + 1e-12);
  }
  // θ = 0 needs h ω < 2.
  for (const double h : {1.9e-2, 2.1e-2}) {
    NonSmoothDynamicalSystem model(0., 10.);
    const auto oscillator = std::make_shared<LagrangianLinearTIDS>(
        makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}), makeMatrix({{1e4}}), makeMatrix({{0.}}));
    model.insert(oscillator);
    TimeStepping simulation(model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(0.), LCP());
    simulation.run();
    EXPECT_EQ(std::abs(oscillator->q()(0)) < 100., h < 2e-2);
  }
}

}  // namespace
