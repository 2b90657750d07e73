// SPDX-License-Identifier: Apache-2.0
//
// A scleronomous, a rheonomous and a compliant relation, each against a closed form.
#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>
#include <cstdio>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <numbers>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 9.81;

// A pendulum of mass 2 and length 1.5 with a wall at x = l sin φ_s: y = l (sin φ_s − sin φ).
struct PendulumAtWall {
  PendulumAtWall(double start, double wall, double e, double end) : model(0., end) {
    const double m = 2., l = length;
    pendulum = std::make_shared<LagrangianDS>(makeVector({start}), makeVector({0.}), makeMatrix({{m * l * l}}));
    pendulum->setInternalForces(automatic([=](const auto&, const auto& q, const auto&, auto& F) {
      using std::sin;
      F(0) = m * g * l * sin(q(0));
    }));
    stop = std::make_shared<Interaction>(NewtonImpactNSL(e),
                                         LagrangianScleronomousR(1, automatic([=](const auto& q, auto& y) {
                                                                   using std::sin;
                                                                   y(0) = l * (std::sin(wall) - sin(q(0)));
                                                                 })));
    model.insert(pendulum);
    model.link(stop, pendulum);
  }
  static constexpr double length = 1.5;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> pendulum;
  std::shared_ptr<Interaction> stop;
};

// Time of a pendulum from its turning point −a to the lowest point, plus from there to φ: elliptic integrals.
double swingTime(double a, double phi) {
  const double k = std::sin(0.5 * a);
  const double omega = std::sqrt(g / PendulumAtWall::length);
  return (boost::math::ellint_1(k) + boost::math::ellint_1(k, std::asin(std::sin(0.5 * phi) / k))) / omega;
}

TEST(ScleronomousRelation, PendulumHitsItsWallAtTheTimesAndSpeedsOfTheClosedForm) {
  const double start = -1.2, wall = 0.3, e = 0.7, h = 1e-4;
  PendulumAtWall model(start, wall, e, 6.);
  TimeStepping simulation(model.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  const double omega2 = 2. * g / PendulumAtWall::length;
  double amplitude = -start;
  double expected = swingTime(amplitude, wall);
  double speed = std::sqrt(omega2 * (std::cos(wall) - std::cos(amplitude)));
  std::size_t impacts = 0;
  while (simulation.hasNextStep() && impacts < 3) {
    simulation.step();
    if (!(model.stop->lambda(1)(0) > 0.)) continue;
    const double tolerance = 5. * h * static_cast<double>(impacts + 1);
    EXPECT_NEAR(simulation.time(), expected, tolerance);
    EXPECT_NEAR(model.pendulum->velocity()(0), -e * speed, omega2 * tolerance);
    // Back to the turning point of its new energy, and again to the wall.
    speed *= e;
    amplitude = std::acos(std::cos(wall) - speed * speed / omega2);
    expected += 2. * swingTime(amplitude, wall);
    ++impacts;
  }
  EXPECT_EQ(impacts, 3U);
}

TEST(ScleronomousRelation, FreePendulumConvergesWithOrderTwo) {
  // A quarter period after release from −1.2 the pendulum is at its lowest point.
  const double time = swingTime(1.2, 0.);
  std::vector<double> steps, errors;
  for (const double count : {40., 80., 160., 320.}) {
    PendulumAtWall model(-1.2, 1., 0.5, time);
    TimeStepping simulation(model.model, TimeDiscretisation(0., time / count), MoreauJeanOSI(0.5), LCP());
    simulation.run();
    EXPECT_LE(simulation.lastStep().newtonIterations, 5U);
    steps.push_back(time / count);
    errors.push_back(std::abs(model.pendulum->q()(0)));
  }
  EXPECT_GE(observedOrder("free pendulum", steps, errors), 1.95);
}

// Rotating rod and sliding mass, q = (r, φ), M = diag(m, m r²): NNL and M(q) at once. Free motion is a straight line.
TEST(ConfigurationDependentMass, FreeParticleInPolarCoordinatesMovesOnAStraightLineWithOrderTwo) {
  std::vector<double> steps, errors;
  for (const double h : {2e-2, 1e-2, 5e-3, 2.5e-3}) {
    NonSmoothDynamicalSystem model(0., 1.);
    // From (1, 0) with velocity (0.3, 1) in Cartesian coordinates.
    const auto particle = std::make_shared<LagrangianDS>(makeVector({1., 0.}), makeVector({0.3, 1.}));
    particle->setMass([](const Vector& q, Matrix& M) {
      M(0, 0) = 2.;
      M(1, 1) = 2. * q(0) * q(0);
    });
    particle->setNNL(automatic([](const auto& q, const auto& v, auto& N) {
      N(0) = -2. * q(0) * v(1) * v(1);
      N(1) = 4. * q(0) * v(0) * v(1);
    }));
    model.insert(particle);
    TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
    simulation.run();
    const double r = particle->q()(0);
    const double phi = particle->q()(1);
    steps.push_back(h);
    errors.push_back(std::hypot(r * std::cos(phi) - 1.3, r * std::sin(phi) - 1.));
  }
  EXPECT_GE(observedOrder("particle in polar coordinates", steps, errors), 1.95);
}

// A mass lies on a table that moves as A sin ωt (e = 0); it takes off where A ω² sin ωt = g and flies on freely.
TEST(RheonomousRelation, MassRidesOnATableAndTakesOffByTheClosedForm) {
  const double A = 0.1, omega = 15., m = 3.;
  const double takeOff = std::asin(g / (A * omega * omega)) / omega;
  const double end = takeOff + 0.06;
  std::vector<double> steps, errors;
  for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    NonSmoothDynamicalSystem model(0., end);
    const auto mass =
        std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({A * omega}), makeMatrix({{m}}));
    mass->setExternalForces(makeVector({-m * g}));
    const auto table = std::make_shared<Interaction>(
        NewtonImpactNSL(0.), LagrangianRheonomousR(1, automatic([=](const auto& t, const auto& q, auto& y) {
                                                     using std::sin;
                                                     y(0) = q(0) - A * sin(omega * t);
                                                   })));
    model.insert(mass);
    model.link(table, mass);
    TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
    double error = 0.;
    simulation.run([&] {
      const double t = simulation.time();
      const double flight = std::max(0., t - takeOff);
      const double at = std::min(t, takeOff);
      const double exact =
          A * std::sin(omega * at) + A * omega * std::cos(omega * at) * flight - 0.5 * g * flight * flight;
      error += h * std::abs(mass->q()(0) - exact);
      if (t > 3. * h && t < takeOff - 3. * h) {
        // The contact force is m (g − A ω² sin ωt); over a step its mean, to O(h).
        const double force = m * (g - A * omega * omega * std::sin(omega * t));
        EXPECT_NEAR(table->lambda(0)(0), force, 1.5 * m * A * std::pow(omega, 3.) * h) << "t = " << t;
      }
    });
    steps.push_back(h);
    errors.push_back(error);
  }
  EXPECT_GE(observedOrder("mass on a moving table", steps, errors), 0.95);
}

// A mass runs into a spring of stiffness k = 1/D: half an oscillation, then back at the same speed.
template <class R>
double reboundError(R relation, double h, double* largestForce = nullptr) {
  const double m = 2., v = 3., k = 800.;
  const double omega = std::sqrt(k / m);
  const double contactBegin = 0.1;
  const double contactEnd = contactBegin + std::numbers::pi / omega;
  NonSmoothDynamicalSystem model(0., contactEnd + 0.1);
  const auto mass =
      std::make_shared<LagrangianLinearTIDS>(makeVector({v * contactBegin}), makeVector({-v}), makeMatrix({{m}}));
  const auto cushion = std::make_shared<Interaction>(NewtonImpactNSL(0.), std::move(relation));
  model.insert(mass);
  model.link(cushion, mass);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  double error = 0.;
  simulation.run([&] {
    const double t = simulation.time();
    double exact = v * (contactBegin - t);
    if (t > contactBegin) exact = -v / omega * std::sin(omega * (t - contactBegin));
    if (t > contactEnd) exact = v * (t - contactEnd);
    error = std::max(error, std::abs(mass->q()(0) - exact));
    if (largestForce != nullptr) *largestForce = std::max(*largestForce, cushion->lambda(0)(0));
  });
  return error;
}

TEST(CompliantRelation, MassReboundsFromASpringByTheClosedForm) {
  std::vector<double> steps, errors;
  double force = 0.;
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    steps.push_back(h);
    errors.push_back(reboundError(LagrangianCompliantR(1, automatic([](const auto& q, const auto& lambda, auto& y) {
                                                         y(0) = q(0) + lambda(0) / 800.;
                                                       })),
                                  h, &force));
  }
  EXPECT_GE(observedOrder("rebound from a compliant stop", steps, errors), 1.9);
  EXPECT_NEAR(force, 3. * std::sqrt(800. * 2.), 0.5);
}

// Unit mass that meets `cushions` equal cushions of stiffness k together, at the place `start` with speed −1; its exit
// speed.
double exitSpeed(double stiffness, double start, const TimeDiscretisation& grid, std::size_t cushions = 1) {
  NonSmoothDynamicalSystem model(0., 10.);
  const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({start}), makeVector({-1.}), makeMatrix({{1.}}));
  model.insert(mass);
  LagrangianLinearTIR relation(makeMatrix({{1.}}));
  relation.setD(makeMatrix({{static_cast<double>(cushions) / stiffness}}));
  for (std::size_t i = 0; i < cushions; ++i) {
    model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), relation), mass);
  }
  TimeStepping simulation(model, grid, MoreauJeanOSI(0.5), LCP());
  simulation.run();
  return mass->velocity()(0);
}

// Largest and smallest exit speed over the phases of a contact in its step; k h²/m = `ratio`.
std::pair<double, double> exitSpeeds(double ratio, std::size_t cushions = 1) {
  const double h = 1e-2;
  std::pair<double, double> range(0., 2.);
  for (int phase = 0; phase < 40; ++phase) {
    const double v = exitSpeed(ratio / (h * h), h * (5. + phase / 40.), TimeDiscretisation(0., h), cushions);
    range.first = std::max(range.first, v);
    range.second = std::min(range.second, v);
  }
  return range;
}

TEST(CompliantRelation, CreatesNoEnergyHoweverStiffItIs) {
  std::printf("k h²/m   exit speed\n");
  for (const double ratio : {0.01, 0.1, 0.3, 0.31, 1., 10., 100., 1e6}) {
    const auto [largest, smallest] = exitSpeeds(ratio);
    std::printf("%-8g %.4f to %.4f\n", ratio, smallest, largest);
    // Resolved contacts return the speed to 1.6 %, whatever their phase; stiffer ones lose some of it.
    EXPECT_LE(largest, ratio <= 0.3 ? 1.017 : 1.) << ratio;
    EXPECT_GE(smallest, ratio <= 0.3 ? 0.983 : 0.) << ratio;
  }
}

TEST(CompliantRelation, SeveralContactsOnOneBodyCountTogether) {
  // Thirty cushions of 0.3 in all are resolved; thirty of 0.3 each, 9 in all, are not.
  EXPECT_NEAR(exitSpeeds(0.3, 30).second, exitSpeeds(0.3).second, 1e-6);
  EXPECT_LE(exitSpeeds(9., 30).first, 1.);
}

TEST(CompliantRelation, IsPlacedByTheStepItIsIn) {
  // In contact from the start: the first step is as good as any.
  const double h = 1e-2;
  EXPECT_NEAR(exitSpeed(0.1 / (h * h), 0., TimeDiscretisation(0., h)), 1., 0.01);
  // Short steps resolve the contact, long ones do not; whichever come when, no energy is made.
  std::vector<double> instants{0.};
  for (std::size_t k = 0; instants.back() < 9.5; ++k) instants.push_back(instants.back() + (k % 2 == 0 ? 1e-3 : 3e-2));
  for (int phase = 0; phase < 40; ++phase) {
    EXPECT_LE(exitSpeed(1e5, 0.1 + 0.031 * phase / 40., TimeDiscretisation(instants)), 1.017) << phase;
  }
}

TEST(CompliantRelation, LinearRelationWithDIsTheSame) {
  LagrangianLinearTIR linear(makeMatrix({{1.}}));
  linear.setD(makeMatrix({{1. / 800.}}));
  const double expected = reboundError(
      LagrangianCompliantR(
          1, differenced([](const Vector& q, const Vector& lambda, Vector& y) { y(0) = q(0) + lambda(0) / 800.; })),
      1e-3);
  EXPECT_NEAR(reboundError(linear, 1e-3), expected, 1e-9);
}

TEST(CompliantRelation, NonlinearSpringReturnsTheSpeedOfTheMass) {
  // g(q) + √(λ/c) = 0 is the force λ = c q²: from speed v the mass sinks in until c q³ / 3 = m v² / 2.
  const double m = 2., v = 3., c = 6000., h = 1e-4;
  NonSmoothDynamicalSystem model(0., 0.5);
  const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.3}), makeVector({-v}), makeMatrix({{m}}));
  const auto cushion = std::make_shared<Interaction>(
      NewtonImpactNSL(0.), LagrangianCompliantR(1, automatic([=](const auto& q, const auto& lambda, auto& y) {
                                                  using std::sqrt;
                                                  // √ regularised at 0, where its derivative is infinite.
                                                  y(0) = q(0) + lambda(0) / sqrt(c * (lambda(0) + 1e-6));
                                                })));
  model.insert(mass);
  model.link(cushion, mass);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  double deepest = 0.;
  simulation.run([&] { deepest = std::min(deepest, mass->q()(0)); });
  EXPECT_NEAR(deepest, -std::cbrt(1.5 * m * v * v / c), 1e-4);
  EXPECT_NEAR(mass->velocity()(0), v, 1e-3);
}

}  // namespace
