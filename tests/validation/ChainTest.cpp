// SPDX-License-Identifier: Apache-2.0
//
// Linear chains of masses and springs: the exact motion of the modes, order two between impacts, energy per step.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <numbers>
#include <support/RandomProblems.hpp>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// Two unit masses, three springs of stiffness 4 wall to wall: modes (1, 1) with ω² = 4 and (1, −1) with ω² = 12.
std::shared_ptr<LagrangianLinearTIDS> twoMassChain(double damping = 0.) {
  const Matrix K = makeMatrix({{8., -4.}, {-4., 8.}});
  return std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), makeVector({0., 0.}), identityMatrix(2), K,
                                                Matrix(damping * K));
}

double finalError(double theta, double h) {
  NonSmoothDynamicalSystem model(0., 2.);
  const auto chain = twoMassChain();
  model.insert(chain);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(theta), LCP());
  simulation.run();
  const double slow = std::cos(2. * 2.);
  const double fast = std::cos(std::sqrt(12.) * 2.);
  return std::hypot(chain->q()(0) - 0.5 * (slow + fast), chain->q()(1) - 0.5 * (slow - fast));
}

TEST(TwoMassChain, ConvergesWithOrderTwoForThetaOneHalf) {
  const std::vector<double> steps{2e-2, 1e-2, 5e-3, 2.5e-3};
  std::vector<double> errors;
  for (const double h : steps) errors.push_back(finalError(0.5, h));
  EXPECT_GE(observedOrder("two-mass chain, theta = 1/2", steps, errors), 1.95);
}

TEST(TwoMassChain, ConvergesWithOrderOneForOtherTheta) {
  const std::vector<double> steps{4e-3, 2e-3, 1e-3, 5e-4};
  std::vector<double> errors;
  for (const double h : steps) errors.push_back(finalError(1., h));
  EXPECT_GE(observedOrder("two-mass chain, theta = 1", steps, errors), 0.95);
}

TEST(TwoMassChain, DampedModesDecayAsTheyShould) {
  // C = c K damps mode i with ζ_i = c ω_i / 2; both are below critical.
  const double c = 0.05;
  NonSmoothDynamicalSystem model(0., 3.);
  const auto chain = twoMassChain(c);
  model.insert(chain);
  const double h = 1e-3;
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  simulation.run();
  const auto mode = [c](double omega, double t) {
    const double decay = 0.5 * c * omega * omega;
    const double damped = std::sqrt(omega * omega - decay * decay);
    return std::exp(-decay * t) * (std::cos(damped * t) + decay / damped * std::sin(damped * t));
  };
  const double slow = mode(2., 3.);
  const double fast = mode(std::sqrt(12.), 3.);
  // h² ω³ t / 12, the phase error of the midpoint rule.
  const double tolerance = h * h * std::pow(12., 1.5) * 3. / 12.;
  EXPECT_NEAR(chain->q()(0), 0.5 * (slow + fast), tolerance);
  EXPECT_NEAR(chain->q()(1), 0.5 * (slow - fast), tolerance);
}

double energy(const LagrangianLinearTIDS& system, const Matrix& mass, const Vector& force) {
  Vector product(system.dimension());
  multiply(1., mass, system.velocity(), 0., product);
  double total = 0.5 * dot(system.velocity(), product);
  multiply(1., system.K(), system.q(), 0., product);
  total += 0.5 * dot(system.q(), product) - dot(force, system.q());
  return total;
}

TEST(RandomConservativeSystem, KeepsItsEnergyToRoundingInEveryStepWithElasticImpacts) {
  std::size_t impacts = 0;
  for (std::size_t seed = 0; seed < 5; ++seed) {
    Generator generator(seed);
    const std::size_t n = 6;
    const Matrix mass = randomSemidefinite(generator, n, n, 1.);
    const Matrix K = randomSemidefinite(generator, n, n, 20.);
    const Vector force = randomVector(generator, n);
    NonSmoothDynamicalSystem model(0., 5.);
    const auto system = std::make_shared<LagrangianLinearTIDS>(randomVector(generator, n), randomVector(generator, n),
                                                               mass, K, Matrix(n, n));
    system->setExternalForces(force);
    // Four stops in random directions, some of which are hit together.
    Vector b(4);
    for (double& entry : b.data()) entry = 0.3;
    const auto stops =
        std::make_shared<Interaction>(NewtonImpactNSL(1.), LagrangianLinearTIR(randomMatrix(generator, 4, n), b));
    model.insert(system);
    model.link(stops, system);
    TimeStepping simulation(model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(0.5), LCP());
    double before = energy(*system, mass, force);
    while (simulation.hasNextStep()) {
      simulation.step();
      const double now = energy(*system, mass, force);
      // A step rounds some n² products of the size of the energy.
      ASSERT_NEAR(now, before, 400. * std::numeric_limits<double>::epsilon() * std::abs(before) + 1e-14);
      before = now;
      if (norm2(stops->lambda(1)) > 0.) ++impacts;
    }
  }
  EXPECT_GT(impacts, 50U);
}

}  // namespace
