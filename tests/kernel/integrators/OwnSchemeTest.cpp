// SPDX-License-Identifier: Apache-2.0
//
// What docs/how-to/own-scheme.md says of its scheme.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <support/Restart.hpp>
#include <vector>

#include "OwnScheme.hpp"

namespace {

using namespace delassus;
using std::numbers::pi;
using test::GeneralisedAlphaOSI;

// The ratios of errors of successive halvings of h.
template <class Error>
std::vector<double> ratios(Error errorWith, std::size_t steps, int halvings) {
  std::vector<double> all;
  double before = errorWith(steps);
  for (int k = 0; k < halvings; ++k) {
    steps *= 2;
    const double error = errorWith(steps);
    all.push_back(before / error);
    before = error;
  }
  return all;
}

void run(NonSmoothDynamicalSystem& model, std::size_t steps, double rho) {
  TimeStepping simulation(model, (model.T() - model.t0()) / static_cast<double>(steps), GeneralisedAlphaOSI(rho));
  simulation.run();
}

TEST(OwnScheme, IsOfOrderTwoForADampedAndForcedOscillator) {
  // q̈ + c q̇ + k q = f cos(ωt), from the state on the particular solution plus a free oscillation.
  const double c = 0.4, k = 9., f = 2., omega = 1.7, T = 3.;
  const double det = (k - omega * omega) * (k - omega * omega) + c * c * omega * omega;
  const double p = f * (k - omega * omega) / det, s = f * c * omega / det;
  const double decay = c / 2., nu = std::sqrt(k - decay * decay);
  const auto exact = [&](double t) {
    return p * std::cos(omega * t) + s * std::sin(omega * t) + std::exp(-decay * t) * std::cos(nu * t);
  };
  for (const double rho : {0., 0.5, 0.8, 1.}) {
    const auto error = [&](std::size_t steps) {
      auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({p + 1.}), makeVector({s * omega - decay}),
                                                         makeMatrix({{1.}}), makeMatrix({{k}}), makeMatrix({{c}}));
      mass->setExternalForces([&](double t, Vector& force) { force(0) = f * std::cos(omega * t); });
      NonSmoothDynamicalSystem model(0., T);
      model.insert(mass);
      run(model, steps, rho);
      return std::abs(mass->q()(0) - exact(T));
    };
    for (const double ratio : ratios(error, 400, 2)) EXPECT_NEAR(ratio, 4., 0.25) << "rho = " << rho;
  }
}

// l = g = m = 1, from rest at an angle of 2.
std::shared_ptr<LagrangianDS> makePendulum() {
  auto pendulum = std::make_shared<LagrangianDS>(makeVector({2.}), Vector(1), makeMatrix({{1.}}));
  pendulum->setInternalForces(
      automatic([](const auto&, const auto& q, const auto&, auto& force) { force(0) = sin(q(0)); }));
  return pendulum;
}

TEST(OwnScheme, IsOfOrderTwoForALargePendulum) {
  const double quarter = std::comp_ellint_1(std::sin(1.));
  for (const double rho : {0., 0.8, 1.}) {
    const auto error = [&](std::size_t steps) {
      auto pendulum = makePendulum();
      NonSmoothDynamicalSystem model(0., quarter);
      model.insert(pendulum);
      run(model, steps, rho);
      return std::abs(pendulum->q()(0));
    };
    for (const double ratio : ratios(error, 400, 2)) EXPECT_NEAR(ratio, 4., 0.25) << "rho = " << rho;
  }
}

TEST(OwnScheme, IsOfOrderTwoWithAMassThatChanges) {
  // A bead on the parabola y = x²: (1 + 4x²) ẍ + 4 x ẋ² = −2 x, of which ½ (1 + 4x²) ẋ² + x² is a constant.
  for (const double rho : {0.8, 1.}) {
    const auto place = [&](std::size_t steps) {
      auto bead = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}));
      bead->setMass([](const Vector& q, Matrix& M) { M(0, 0) = 1. + 4. * q(0) * q(0); });
      bead->setNNL(automatic([](const auto& q, const auto& v, auto& N) { N(0) = 4. * q(0) * v(0) * v(0); }));
      bead->setInternalForces(
          automatic([](const auto&, const auto& q, const auto&, auto& force) { force(0) = 2. * q(0); }));
      NonSmoothDynamicalSystem model(0., 2.);
      model.insert(bead);
      run(model, steps, rho);
      return bead->q()(0);
    };
    const double reference = place(12800);
    const auto error = [&](std::size_t steps) { return std::abs(place(steps) - reference); };
    for (const double ratio : ratios(error, 400, 2)) EXPECT_NEAR(ratio, 4., 0.25) << "rho = " << rho;
  }
}

Vector bothOf(const SecondOrderDS& system) {
  Vector both = system.q();
  append(system.velocity(), both);
  return both;
}

TEST(OwnScheme, IsOfOrderTwoForAFreeRigidBody) {
  for (const double rho : {0.8, 1.}) {
    const auto twist = [&](std::size_t steps) {
      auto body = std::make_shared<NewtonEulerDS>(
          NewtonEulerDS::at({0., 0., 0.}), makeVector({0., 0., 0., 0.3, 2., 0.1}), 1., diagonalMatrix({1., 2., 2.5}));
      NonSmoothDynamicalSystem model(0., 2.);
      model.insert(body);
      run(model, steps, rho);
      return bothOf(*body);
    };
    const Vector reference = twist(12800);
    const auto error = [&](std::size_t steps) {
      const Vector x = twist(steps);
      double sum = 0.;
      for (std::size_t i = 0; i < x.size(); ++i) sum = std::max(sum, std::abs(x(i) - reference(i)));
      return sum;
    };
    for (const double ratio : ratios(error, 100, 3)) EXPECT_NEAR(ratio, 4., 0.3) << "rho = " << rho;
  }
}

TEST(OwnScheme, DampsFastOscillationsByRhoAStep) {
  for (const double rho : {0.3, 0.5, 0.8, 0.95}) {
    // h ω = 1e5.
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{1e10}}), makeMatrix({{0.}}));
    NonSmoothDynamicalSystem model(0., 200.);
    model.insert(mass);
    TimeStepping simulation(model, 1., GeneralisedAlphaOSI(rho));
    // The three modes of a fast oscillation have the same factor: n steps leave a polynomial in n times ρⁿ.
    std::vector<double> q;
    simulation.run([&] { q.push_back(std::abs(mass->q()(0))); });
    const double perStep = std::pow(q[199] / q[99], 0.01);
    EXPECT_NEAR(perStep, rho, 0.03 * rho);
  }
}

TEST(OwnScheme, LeavesSlowOscillationsAlone) {
  for (const double rho : {0., 0.5, 1.}) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{1.}}), makeMatrix({{0.}}));
    NonSmoothDynamicalSystem model(0., 20. * pi);
    model.insert(mass);
    run(model, 6280, rho);
    const double energy = 0.5 * (mass->q()(0) * mass->q()(0) + mass->velocity()(0) * mass->velocity()(0));
    EXPECT_NEAR(energy, 0.5, rho == 1. ? 1e-10 : 1e-4) << "rho = " << rho;
  }
}

constexpr double g = 9.81;

struct Ball {
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> floor;
  NonSmoothDynamicalSystem model;

  Ball(double height, double mass, double restitution, double T)
      : ball(std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({0.}), makeMatrix({{mass}}))),
        floor(std::make_shared<Interaction>(NewtonImpactNSL(restitution), LagrangianLinearTIR(makeMatrix({{1.}})))),
        model(0., T) {
    ball->setExternalForces(makeVector({-mass * g}));
    model.insert("ball", ball);
    model.link(floor, ball);
  }
  double energy() const { return 0.5 * ball->velocity()(0) * ball->velocity()(0) + g * ball->q()(0); }
};

TEST(OwnScheme, ABallBouncesWithoutGainOfEnergy) {
  const double h = 1e-3, height = 1., fastest = std::sqrt(2. * g * height);
  for (const double rho : {0., 0.8, 1.}) {
    for (const double e : {0., 0.5, 0.8, 1.}) {
      SCOPED_TRACE("rho = " + std::to_string(rho) + ", e = " + std::to_string(e));
      Ball ball(height, 2., e, 3.);
      TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(rho));
      double energy = ball.energy(), lowest = 0., impulse = 0.;
      std::size_t impacts = 0;
      simulation.run([&] {
        // Bounces slower than the fall of a step, g h, come to rest in the floor, and may gain what they rise there.
        EXPECT_LE(ball.energy(), energy + g * h * g * h * (1. - e) / (8. * (1. + e)) + 1e-12);
        energy = ball.energy();
        lowest = std::min(lowest, ball.ball->q()(0));
        impulse += ball.floor->lambda(1)(0);
        if (ball.floor->lambda(1)(0) > 2. * fastest) ++impacts;
      });
      EXPECT_GE(lowest, -h * fastest);
      // Of the whole motion: m (v(T) − v(0)) = −m g T + Σ λ.
      EXPECT_NEAR(impulse, 2. * (ball.ball->velocity()(0) + g * 3.), 1e-10);
      if (e == 1.) {
        EXPECT_NEAR(energy, g * height, 1e-10);
      }
      if (e == 0.) {
        EXPECT_EQ(impacts, 1U);
      }
    }
  }
}

TEST(OwnScheme, ImpactsAreOfOrderOne) {
  // v and q at a time after the first impact; the flight is exact, so that only the instant of the impact is off.
  const double e = 0.8, T = 0.7, fall = std::sqrt(2. / g), up = e * g * fall;
  const double exact = up * (T - fall) - 0.5 * g * (T - fall) * (T - fall);
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5}) {
    Ball ball(1., 1., e, T);
    TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(0.8));
    simulation.run();
    EXPECT_LE(std::abs(ball.ball->q()(0) - exact), 10. * h);
  }
}

TEST(OwnScheme, ABallRestsOnTheFloor) {
  const double h = 1e-3, height = 0.05;
  for (const double rho : {0., 0.8, 1.}) {
    Ball ball(height, 3., 0., 10.);
    TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(rho));
    while (simulation.time() < 0.2) simulation.step();
    const double place = ball.ball->q()(0);
    EXPECT_LE(place, 0.);
    EXPECT_GE(place, -h * std::sqrt(2. * g * height));
    simulation.run([&] {
      EXPECT_NEAR(ball.floor->lambda(1)(0), 3. * g * h, 1e-14);
      EXPECT_NEAR(ball.floor->lambda(0)(0), 3. * g, 1e-11);
      EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-15);
      EXPECT_NEAR(ball.ball->q()(0), place, 1e-15);
    });
  }
}

TEST(OwnScheme, ABallPlacedOnTheFloorSinksByTheFallOfAStepAtMost) {
  // Where the gap is zero to rounding, the forecast may let go of it once.
  const double h = 1e-3;
  for (const double rho : {0., 0.8, 1.}) {
    Ball ball(0., 3., 0., 10.);
    TimeStepping simulation(ball.model, h, GeneralisedAlphaOSI(rho));
    simulation.run([&] {
      EXPECT_LE(ball.ball->q()(0), 1e-15);
      EXPECT_GE(ball.ball->q()(0), -1.001 * g * h * h);
    });
    EXPECT_NEAR(ball.floor->lambda(1)(0), 3. * g * h, 1e-14);
    EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-15);
  }
}

TEST(OwnScheme, AContactThatHoldsDoesNotDrift) {
  // On a spring, a little within the floor, pressed to it by a force that swings: the gap moves by h² |β − γ/2| times
  // the change of the force, over any number of steps.
  const double h = 1e-2;
  for (const double rho : {0., 0.8, 1.}) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({-0.001}), makeVector({0.}), makeMatrix({{1.}}),
                                                       makeMatrix({{400.}}), makeMatrix({{1.}}));
    mass->setExternalForces([](double t, Vector& force) { force(0) = -20. + 10. * std::sin(7. * t); });
    auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})));
    NonSmoothDynamicalSystem model(0., 50.);
    model.insert(mass);
    model.link(floor, mass);
    TimeStepping simulation(model, h, GeneralisedAlphaOSI(rho));
    double largest = 0.;
    simulation.run([&] {
      largest = std::max(largest, std::abs(mass->q()(0) + 0.001));
      EXPECT_NEAR(mass->velocity()(0), 0., 1e-14);
      EXPECT_TRUE(floor->isActive());
    });
    // (β − γ/2) = (1 − ρ)² / (4 (1 + ρ)²), and the force changes by 20 at most.
    const double weight = (1. - rho) / (2. * (1. + rho));
    EXPECT_LE(largest, weight * weight * 20. * h * h + 1e-15);
  }
}

TEST(OwnScheme, AStiffChainFallsOnTheFloorWithoutGainOfEnergy) {
  // Five masses and springs, h ω up to 20, on a rigid floor.
  const std::size_t n = 5;
  const double k = 1e8, h = 1e-3;
  Vector q0(n);
  Matrix M(n, n), K(n, n), C(n, n), H(1, n);
  for (std::size_t i = 0; i < n; ++i) {
    M(i, i) = 1.;
    q0(i) = 0.5;
    K(i, i) = i == 0 || i + 1 == n ? k : 2. * k;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -k;
  }
  H(0, 0) = 1.;
  for (const double rho : {0.2, 0.8}) {
    auto chain = std::make_shared<LagrangianLinearTIDS>(q0, Vector(n), M, K, C);
    chain->setExternalForces(Vector(n, -g));
    auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(H));
    NonSmoothDynamicalSystem model(0., 2.);
    model.insert(chain);
    model.link(floor, chain);
    TimeStepping simulation(model, h, GeneralisedAlphaOSI(rho));
    const auto energy = [&] {
      double sum = 0.;
      for (std::size_t i = 0; i < n; ++i) {
        const double v = chain->velocity()(i);
        sum += 0.5 * v * v + g * chain->q()(i);
        if (i > 0) sum += 0.5 * k * std::pow(chain->q()(i) - chain->q()(i - 1), 2);
      }
      return sum;
    };
    const double start = energy();
    double largest = 0.;
    simulation.run([&] { largest = std::max(largest, energy()); });
    EXPECT_LE(largest, start * 1.001) << "rho = " << rho;
    EXPECT_NEAR(chain->q()(0), 0., 4e-3) << "rho = " << rho;
  }
}

TEST(OwnScheme, APointFallsOnADisk) {
  // Nonlinear systems and relations need Newton's method; every step is certified.
  auto point = std::make_shared<LagrangianDS>(makeVector({0., 1.3}), makeVector({0.5, 0.}), diagonalMatrix({1., 1.}));
  point->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& force) {
    force(0) = 0.5 * q(0) * q(0) * q(0);
    force(1) = g + 0. * q(1);
  }));
  auto disk = std::make_shared<Interaction>(NewtonImpactNSL(0.3),
                                            LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                      y(0) = sqrt(q(0) * q(0) + q(1) * q(1)) - 1.;
                                                                    })));
  NonSmoothDynamicalSystem model(0., 0.4);
  model.insert(point);
  model.link(disk, point);
  TimeStepping simulation(model, 1e-3, GeneralisedAlphaOSI(0.8));
  double lowest = 0.;
  simulation.run([&] { lowest = std::min(lowest, disk->y(0)(0)); });
  EXPECT_GE(lowest, -1e-3 * std::sqrt(2. * g * 0.3) - 1e-4);
  EXPECT_LE(simulation.statistics().newtonIterations, 4U * simulation.steps());
}

TEST(OwnScheme, ABlockSlidesAndStopsByFriction) {
  // μ = 0.4, from 2 m/s, with gravity along −y; a stiff and damped joint of its two parts that does not matter.
  const double h = 1e-3, mu = 0.4, k = 1e4, c = 5.;
  const Matrix M = diagonalMatrix({1., 1., 1.});
  const Matrix K = makeMatrix({{k, 0., -k}, {0., 0., 0.}, {-k, 0., k}});
  const Matrix C = makeMatrix({{c, 0., -c}, {0., 0., 0.}, {-c, 0., c}});
  auto block = std::make_shared<LagrangianLinearTIDS>(makeVector({0., -1e-4, 0.}), makeVector({2., 0., 2.}), M, K, C);
  block->setExternalForces(makeVector({0., -g, 0.}));
  auto floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2),
                                             LagrangianLinearTIR(makeMatrix({{0., 1., 0.}, {1., 0., 0.}})));
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(block);
  model.link(floor, block);
  TimeStepping simulation(model, h, GeneralisedAlphaOSI(0.8));
  simulation.run([&] {
    EXPECT_NEAR(floor->lambda(1)(0), g * h, 1e-12);
    EXPECT_LE(std::abs(floor->lambda(1)(1)), mu * g * h * (1. + 1e-8));
    EXPECT_TRUE(simulation.lastStep().solve.converged());
  });
  // The two parts, of 2 kg, slow down by the friction of 1 kg: over v²/(2 μ g / 2).
  EXPECT_NEAR(0.5 * (block->q()(0) + block->q()(2)), 4. / (mu * g), 5e-3);
  EXPECT_NEAR(block->velocity()(0), 0., 1e-6);
}

TEST(OwnScheme, RefusesOtherLaws) {
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  auto dry = std::make_shared<Interaction>(RelayNSL(1, -1., 1.), LagrangianLinearTIR(makeMatrix({{1.}})));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  dry->setName("dry");
  model.link(dry, mass);
  TimeStepping simulation(model, 0.1, GeneralisedAlphaOSI());
  try {
    simulation.initialise();
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'dry'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(GeneralisedAlphaOSI(1.1), Error);
}

TEST(OwnScheme, AStateSetByTheUserStartsAnew) {
  Ball once(1., 2., 0.5, 1.), again(0.2, 2., 0.5, 2.);
  TimeStepping a(once.model, 1e-2, GeneralisedAlphaOSI()), b(again.model, 1e-2, GeneralisedAlphaOSI());
  for (int k = 0; k < 100; ++k) b.step();
  again.ball->setState(makeVector({1.}), makeVector({0.}));
  for (int k = 0; k < 100; ++k) {
    a.step();
    b.step();
    ASSERT_EQ(once.ball->q()(0), again.ball->q()(0)) << "after step " << k;
  }
}

TEST(OwnScheme, RestartsToTheBit) {
  test::expectSameAfterRestart("ball", [] {
    auto model = std::make_shared<Ball>(0.1, 2., 0.5, 0.5);
    auto simulation = std::make_shared<TimeStepping>(model->model, 1e-2, GeneralisedAlphaOSI(0.7));
    return test::restartRun(model, simulation);
  });
  struct Swing {
    std::shared_ptr<LagrangianDS> pendulum = makePendulum();
    std::shared_ptr<Interaction> wall =
        std::make_shared<Interaction>(NewtonImpactNSL(0.6), LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({0.3})));
    NonSmoothDynamicalSystem model{0., 4.};
    Swing() {
      model.insert(pendulum);
      model.link(wall, pendulum);
    }
  };
  test::expectSameAfterRestart("pendulum", [] {
    auto model = std::make_shared<Swing>();
    auto simulation = std::make_shared<TimeStepping>(model->model, 0.05, GeneralisedAlphaOSI(0.7));
    return test::restartRun(model, simulation);
  });
}

}  // namespace
