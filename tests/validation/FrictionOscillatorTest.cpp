// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Matchers.hpp>
#include <validation/Convergence.hpp>

// Dry friction of one coefficient: a mass on a spring on a moving belt, and a mass that slides to rest.

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double m = 2.;
constexpr double k = 50.;
constexpr double g = 10.;
constexpr double mu = 0.4;
constexpr double belt = 0.5;
constexpr double omega = 5.;              // √(k/m)
constexpr double friction = mu * m * g;   // 8 N
constexpr double balance = friction / k;  // where the spring holds against the belt that slides
constexpr double start = -0.1;            // at rest
constexpr double amplitude = balance - start;
constexpr double end = 4.;

// Place and velocity at t: slip about `balance` from rest until the velocity is that of the belt; stick until the
// spring pulls with all of the friction; slip about `balance` with the amplitude v/ω, for good (it touches the belt's
// velocity once a period, without sticking).
std::pair<double, double> exact(double t) {
  const double first = std::asin(belt / (amplitude * omega)) / omega;
  if (t <= first) return {balance - amplitude * std::cos(omega * t), amplitude * omega * std::sin(omega * t)};
  const double caught = balance - amplitude * std::cos(omega * first);
  const double second = first + (balance - caught) / belt;
  if (t <= second) return {caught + belt * (t - first), belt};
  const double phase = omega * (t - second);
  return {balance + belt / omega * std::sin(phase), belt * std::cos(phase)};
}

struct Errors {
  double place = 0., velocity = 0., stick = 0.;
};

template <class Problem>
Errors run(NonSmoothDynamicalSystem& model, const LagrangianLinearTIDS& mass, double h, Problem problem) {
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), std::move(problem));
  Errors errors;
  simulation.run([&] {
    const auto [x, v] = exact(simulation.time());
    errors.place = std::max(errors.place, std::abs(mass.q()(0) - x));
    errors.velocity = std::max(errors.velocity, std::abs(mass.velocity()(0) - v));
    // Well inside of the phase of sticking.
    if (v == belt && exact(simulation.time() - 2. * h).second == belt) {
      errors.stick = std::max(errors.stick, std::abs(mass.velocity()(0) - belt));
    }
  });
  return errors;
}

Errors byRelay(double h) {
  const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({start}), makeVector({0.}), makeMatrix({{m}}),
                                                           makeMatrix({{k}}), makeMatrix({{0.}}));
  const auto contact = std::make_shared<Interaction>(
      RelayNSL(1, -friction, friction),
      LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) { y(0) = q(0) - belt * t; })));
  NonSmoothDynamicalSystem model(0., end);
  model.insert(mass);
  model.link(contact, mass);
  return run(model, *mass, h, Relay());
}

Errors byCoulombContact(double h) {
  const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({start, 0.}), Vector(2), diagonalMatrix({m, m}),
                                                           diagonalMatrix({k, 0.}), Matrix(2, 2));
  mass->setExternalForces(makeVector({0., -m * g}));
  LagrangianContactR relation(2, automatic([](const auto& q, auto& gap) { gap(0) = q(1); }),
                              [](double, const Vector&, Matrix& rows) { rows(0, 0) = 1.; });
  relation.setTangentialDrift([](double, const Vector&, Vector& w) { w(0) = -belt; });
  const auto contact = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2), relation);
  NonSmoothDynamicalSystem model(0., end);
  model.insert(mass);
  model.link(contact, mass);
  return run(model, *mass, h, FrictionContact(2));
}

TEST(FrictionOscillator, SlipsSticksAndSlipsAsTheClosedForm) {
  ASSERT_GT(amplitude * omega, belt);
  const double h = 1e-3;
  for (const Errors& errors : {byRelay(h), byCoulombContact(h)}) {
    // The instants of change are met to a step: h times the jump of the acceleration, (2 f/m) h.
    EXPECT_LT(errors.velocity, 2. * friction / m * h);
    EXPECT_LT(errors.place, 2. * friction / m * h / omega);
    EXPECT_LT(errors.stick, 1e-7);
  }
}

// Each change of phase costs h² of the place, for the jump of the acceleration in the step where it falls.
TEST(FrictionOscillator, IsOfOrderTwoInThePlace) {
  const std::vector<double> steps = {8e-3, 4e-3, 2e-3, 1e-3, 5e-4};
  std::vector<double> relay, coulomb;
  for (const double h : steps) {
    relay.push_back(byRelay(h).place);
    coulomb.push_back(byCoulombContact(h).place);
  }
  // The phase of a step in which a change falls scatters the errors.
  EXPECT_GT(observedOrder("friction oscillator, RelayNSL", steps, relay), 1.7);
  EXPECT_GT(observedOrder("friction oscillator, Coulomb contact", steps, coulomb), 1.7);
}

// The bounds of RelayNSL are forces, whatever the step: λ(0) = ∓f while it slides, λ(1) = h λ(0), and the motion of
// every step is exact except the one in which it stops.
TEST(DryFriction, StopsAMassWithForcesThatDoNotDependOnTheStep) {
  const double speed = 2.;
  const double deceleration = friction / m;
  const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({speed}), makeMatrix({{m}}));
  const auto slide =
      std::make_shared<Interaction>(RelayNSL(1, -friction, friction), LagrangianLinearTIR(makeMatrix({{1.}})));
  std::vector<double> instants = {0.};
  while (instants.back() < 0.8) instants.push_back(instants.back() + (instants.size() % 2 == 0 ? 1e-2 : 3e-3));
  NonSmoothDynamicalSystem model(0., instants.back());
  model.insert(mass);
  model.link(slide, mass);
  TimeStepping simulation(model, TimeDiscretisation(instants), MoreauJeanOSI(), Relay());
  const double stop = speed / deceleration;
  simulation.run([&] {
    const double t = simulation.time();
    const double h = t - instants[simulation.stepIndex() - 1];
    EXPECT_NEAR(slide->lambda(1)(0), h * slide->lambda(0)(0), 1e-12);
    EXPECT_LE(std::abs(slide->lambda(0)(0)), friction * (1. + 1e-12));
    if (t < stop) {
      EXPECT_NEAR(slide->lambda(0)(0), -friction, 1e-9);
      EXPECT_NEAR(mass->velocity()(0), speed - deceleration * t, 1e-9);
    } else {
      EXPECT_NEAR(mass->velocity()(0), 0., 1e-12);
      // In the step in which it stops there is still some.
      EXPECT_NEAR(slide->lambda(0)(0), 0., t > stop + 1e-2 ? 1e-9 : friction);
    }
  });
  EXPECT_NEAR(mass->q()(0), 0.5 * speed * speed / deceleration, 0.125 * deceleration * 1e-4);
}

}  // namespace
