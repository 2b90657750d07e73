// SPDX-License-Identifier: Apache-2.0
//
// Implicit sliding: the sliding variable stays at zero to rounding for any step, and reaching times and equivalent
// controls converge to closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <filippov/ExactSpiral.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A double integrator under a relay, ẋ₁ = x₂, ẋ₂ = a λ + d(t), with the sliding variable s = x₂ + c x₁: on s = 0 it
/// moves as ẋ₁ = −c x₁, with the equivalent control λ = −(c x₂ + d)/a.
struct SlidingIntegrator {
  static constexpr double a = 2.;
  static constexpr double c = 1.;

  explicit SlidingIntegrator(double amplitude = 0.)
      : disturbance([amplitude](double t) { return amplitude * std::sin(3. * t); }),
        system(std::make_shared<FirstOrderLinearTIDS>(makeVector({1., 0.}), makeMatrix({{0., 1.}, {0., 0.}}))),
        relay(std::make_shared<Interaction>(RelayNSL(),
                                            FirstOrderLinearTIR(makeMatrix({{c, 1.}}), makeMatrix({{0.}, {a}})))),
        model(0., end) {
    system->setB([d = disturbance](double t, Vector& b) { b(1) = d(t); });
    model.insert(system);
    model.link(relay, system);
  }

  double s() const { return system->x()(1) + c * system->x()(0); }
  /// What s may be off by for the rounding of a step: of s, of x and of the terms that come to x₂.
  double rounding(double h) const {
    return 16. * epsilon * (std::abs(system->x()(0)) + std::abs(system->x()(1)) + h * a);
  }

  /// Without disturbance s = c − a t − ½ a c t² until then.
  static double reachingTime() { return (std::sqrt(a * a + 2. * a * c * c) - a) / (a * c); }

  static constexpr double end = 3.;
  std::function<double(double)> disturbance;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> relay;
  NonSmoothDynamicalSystem model;
};

const std::vector<double> allSteps = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};

TEST(SlidingMode, SlidingVariableIsZeroToRoundingForEveryStepSize) {
  for (const double theta : {0.5, 1.}) {
    for (const double h : allSteps) {
      SlidingIntegrator plant;
      TimeStepping simulation(plant.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), Relay());
      std::size_t reached = 0;
      double worst = 0.;
      simulation.run([&] {
        if (reached == 0 && std::abs(plant.relay->lambda(0)(0)) < 1.) reached = simulation.stepIndex();
        if (reached == 0) return;
        worst = std::max(worst, std::abs(plant.s()));
        ASSERT_LE(std::abs(plant.s()), plant.rounding(h)) << "h = " << h << ", t = " << simulation.time();
        ASSERT_LT(std::abs(plant.relay->lambda(0)(0)), 1.);
      });
      std::printf("  theta = %.1f, h = %.0e: max |s| = %.1e in %zu steps of sliding\n", theta, h, worst,
                  simulation.steps() - reached + 1);
      ASSERT_GT(reached, 0U);
      const double exact = SlidingIntegrator::reachingTime() / h;
      if (theta == 0.5) {
        // The scheme is exact under a constant input, so that it slides from the first grid point that is not before.
        EXPECT_EQ(reached, static_cast<std::size_t>(std::ceil(exact)));
      } else {
        // θ = 1 lags behind by up to ½ h a t in x₁, half of which is less than a step.
        EXPECT_NEAR(static_cast<double>(reached), std::ceil(exact), 1.);
      }
    }
  }
}

// s⁺ − s = h (c x₂ + d + a λ) with x₂ and d taken as θ (end) + (1 − θ) (beginning): a disturbance that the model knows
// of is compensated in the very step, and the multiplier is the equivalent control at that mean.
TEST(SlidingMode, DisturbanceWithinTheModelIsCompensatedAtOnce) {
  for (const double theta : {0.5, 0.75, 1.}) {
    for (const double h : allSteps) {
      SlidingIntegrator plant(0.7);
      TimeStepping simulation(plant.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), Relay());
      bool sliding = false;
      double velocity = plant.system->x()(1);
      simulation.run([&] {
        const double lambda = plant.relay->lambda(0)(0);
        const double t = simulation.time();
        if (sliding) {
          ASSERT_LE(std::abs(plant.s()), plant.rounding(h)) << "h = " << h << ", t = " << t;
          const double mean = theta * (SlidingIntegrator::c * plant.system->x()(1) + plant.disturbance(t)) +
                              (1. - theta) * (SlidingIntegrator::c * velocity + plant.disturbance(t - h));
          // s is at rounding, and a change of λ by δ is one of s by h a δ; t − h is rounded too.
          ASSERT_NEAR(lambda, -mean / SlidingIntegrator::a, 100. * epsilon / h);
        }
        sliding = sliding || std::abs(lambda) < 1.;
        velocity = plant.system->x()(1);
      });
      EXPECT_TRUE(sliding);
    }
  }
}

// A controller that does not know the disturbance, |d| ≤ δ: it samples the state, asks the nominal model for one
// implicit step, and holds its λ. What is left of s is what d does in one step, |s| ≤ h δ (1 + ½ c h); the sampled sign
// −sgn(s) goes on moving s by about h a in each step.
TEST(SlidingMode, SampledImplicitControlLeavesWhatTheDisturbanceDoesInOneStep) {
  constexpr double a = SlidingIntegrator::a;
  constexpr double c = SlidingIntegrator::c;
  const double delta = 0.7;
  for (const double h : {1e-1, 1e-2, 1e-3, 1e-4}) {
    std::array<double, 2> worst{};
    for (const bool implicit : {true, false}) {
      SlidingIntegrator nominal;
      TimeStepping controller(nominal.model, TimeDiscretisation(0., h), EulerMoreauOSI(0.5), Relay());
      // Of d = δ sin 3t the step has the mean of its ends, which is a disturbance bounded by δ too.
      double x1 = 1.;
      double x2 = 0.;
      while (controller.hasNextStep()) {
        const double t = controller.time();
        nominal.system->setState(makeVector({x1, x2}));
        controller.step();
        const double s = x2 + c * x1;
        const double lambda = implicit ? nominal.relay->lambda(0)(0) : (s > 0. ? -1. : 1.);
        const double acceleration = a * lambda + 0.5 * delta * (std::sin(3. * t) + std::sin(3. * (t + h)));
        x1 += h * x2 + 0.5 * h * h * acceleration;
        x2 += h * acceleration;
        if (t > 1.5) worst[implicit ? 0 : 1] = std::max(worst[implicit ? 0 : 1], std::abs(x2 + c * x1));
      }
    }
    std::printf("  h = %.0e: max |s| = %.2e implicit, %.2e sampled sign\n", h, worst[0], worst[1]);
    EXPECT_LE(worst[0], h * delta * (1. + 0.5 * c * h) * (1. + 1e-9));
    EXPECT_GE(worst[1], 0.5 * h * a);
  }
}

TEST(SlidingMode, StateAndMultiplierConvergeToTheEquivalentControl) {
  constexpr double a = SlidingIntegrator::a;
  constexpr double c = SlidingIntegrator::c;
  const double reaching = SlidingIntegrator::reachingTime();
  const double arrival = 1. - 0.5 * a * reaching * reaching;
  for (const double theta : {0.5, 1.}) {
    std::vector<double> steps;
    std::vector<double> stateErrors;
    std::vector<double> multiplierErrors;
    for (double level = 1e-2; level > 1e-4; level /= 4.) {
      double stateError = 0.;
      double multiplierError = 0.;
      // Where in its step the surface is reached is chance: the mean over some steps of about the same size is smooth.
      constexpr int samples = 16;
      for (int sample = 0; sample < samples; ++sample) {
        const double h = level * (1. + 0.0137 * sample);
        SlidingIntegrator plant;
        TimeStepping simulation(plant.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), Relay());
        double worstState = 0.;
        double worstMultiplier = 0.;
        simulation.run([&] {
          const double t = simulation.time();
          if (t < reaching + 0.1) return;
          const double exact = arrival * std::exp(-c * (t - reaching));
          worstState = std::max(worstState, std::abs(plant.system->x()(0) - exact));
          worstMultiplier = std::max(worstMultiplier, std::abs(plant.relay->lambda(0)(0) - c * c * exact / a));
        });
        stateError += worstState / samples;
        multiplierError += worstMultiplier / samples;
      }
      steps.push_back(level);
      stateErrors.push_back(stateError);
      multiplierErrors.push_back(multiplierError);
    }
    const std::string title = "sliding, theta = " + toText(theta);
    EXPECT_GE(observedOrder((title + ", largest error of the state").c_str(), steps, stateErrors), 0.95);
    EXPECT_GE(observedOrder((title + ", largest error of the multiplier").c_str(), steps, multiplierErrors), 0.95);
  }
}

// The full θ–γ scheme imposes the law within the step, (1 − γ) s + γ s⁺ = 0: at the end of the step s is reflected,
// s⁺ = −(1 − γ)/γ s, and does not decay with γ = ½.
TEST(SlidingMode, SchemeThatPlacesTheLawWithinTheStepReflectsTheSlidingVariable) {
  for (const double gamma : {0.5, 0.75, 1.}) {
    const double h = 0.01;
    SlidingIntegrator plant;
    TimeStepping simulation(plant.model, TimeDiscretisation(0., h), EulerMoreauOSI::fullThetaGamma(0.5, gamma),
                            Relay());
    double before = plant.s();
    std::size_t sliding = 0;
    simulation.run([&] {
      if (std::abs(plant.relay->lambda(0)(0)) < 1.) {
        ASSERT_NEAR(plant.s(), -(1. - gamma) / gamma * before, plant.rounding(h));
        ASSERT_LE(std::abs(plant.relay->y(0)(0)), plant.rounding(h));
        ++sliding;
      }
      before = plant.s();
    });
    EXPECT_GT(sliding, 200U);
  }
}

/// Two double integrators with u = −c v + G λ, G = g [1 −b; b 1]: the sliding variables s = v + c q obey ṡ = G λ by
/// themselves, a spiral into the intersection of both surfaces.
struct TwoSurfaces {
  static constexpr double c = 1.;
  static constexpr double g = 1.;
  static constexpr double b = 3.;
  static constexpr std::array<double, 2> start = {1., 0.6};

  explicit TwoSurfaces(double end) : model(0., end) {
    Matrix A(4, 4);
    Matrix C(2, 4);
    Matrix B(4, 2);
    setZero(A);
    setZero(C);
    setZero(B);
    for (const std::size_t i : {0U, 1U}) {
      A(2 * i, 2 * i + 1) = 1.;
      A(2 * i + 1, 2 * i + 1) = -c;
      C(i, 2 * i) = c;
      C(i, 2 * i + 1) = 1.;
      B(2 * i + 1, i) = g;
      B(2 * i + 1, 1 - i) = i == 0 ? -g * b : g * b;
    }
    system = std::make_shared<FirstOrderLinearTIDS>(makeVector({2., start[0] - 2. * c, -1., start[1] + c}), A);
    relays = std::make_shared<Interaction>(RelayNSL(2), FirstOrderLinearTIR(C, B));
    model.insert(system);
    model.link(relays, system);
  }
  double s(std::size_t i) const { return c * system->x()(2 * i) + system->x()(2 * i + 1); }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> relays;
};

TEST(SlidingMode, TwoSurfacesAreReachedTogetherAndKeptToRounding) {
  const ExactSpiral exact(TwoSurfaces::start, TwoSurfaces::g, TwoSurfaces::b);
  for (const double h : allSteps) {
    TwoSurfaces plant(3.);
    TimeStepping simulation(plant.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
    std::size_t reached = 0;
    double worst = 0.;
    simulation.run([&] {
      const Vector& lambda = plant.relays->lambda(0);
      const bool both = std::abs(lambda(0)) < 1. && std::abs(lambda(1)) < 1.;
      if (reached == 0 && both) reached = simulation.stepIndex();
      if (reached == 0) return;
      ASSERT_TRUE(both) << "t = " << simulation.time();
      const double tolerance = 64. * epsilon * (normInf(plant.system->x()) + h * TwoSurfaces::b);
      for (const std::size_t i : {0U, 1U}) {
        worst = std::max(worst, std::abs(plant.s(i)));
        ASSERT_LE(std::abs(plant.s(i)), tolerance) << "h = " << h << ", t = " << simulation.time();
      }
    });
    std::printf("  h = %.0e: reached at %.5f (exact %.5f), then max |s| = %.1e\n", h, static_cast<double>(reached) * h,
                exact.reachingTime(), worst);
    // Early by (b − 1) h a crossing at most, as below; the turns shrink by ½ each until they are of the size of a step.
    const double crossings = 2. + std::max(0., std::log2(1. / (h * TwoSurfaces::g * TwoSurfaces::b)));
    EXPECT_LE(static_cast<double>(reached) * h, exact.reachingTime() + h);
    EXPECT_GE(static_cast<double>(reached) * h, exact.reachingTime() - (TwoSurfaces::b - 1.) * h * crossings);
  }
}

/// Filippov's example with a run that compares it with the exact solution.
struct Spiral {
  static constexpr double g = 2.;

  Spiral(double h, double b, double end) : coupling(b), model(0., end) {
    system = std::make_shared<FirstOrderLinearTIDS>(makeVector({3., 3.}), makeMatrix({{0., 0.}, {0., 0.}}));
    relays = std::make_shared<Interaction>(
        RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{g, -g * b}, {g * b, g}})));
    model.insert(system);
    model.link(relays, system);
    simulation = std::make_unique<TimeStepping>(model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
  }
  ExactSpiral exact() const { return {{3., 3.}, g, coupling}; }
  double norm1() const { return std::abs(system->x()(0)) + std::abs(system->x()(1)); }
  bool rests() const { return std::abs(relays->lambda(0)(0)) < 1. && std::abs(relays->lambda(0)(1)) < 1.; }

  double coupling;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> relays;
  std::unique_ptr<TimeStepping> simulation;
};

// |x₁| + |x₂| falls at the rate 2g, and the scheme gets that right within a quadrant. In a step that would cross x₂ = 0
// from (x₁, η h g), exact at the end is x₁ + (η − 2) h g. For η < b − 1 the step takes the new quadrant's velocity and
// has x₁ − (2 + η) h g; for larger η it ends on the axis with λ₂ = b − η inside [−1, 1] and has x₁ − (1 + b λ₂) h g.
// Either way a crossing loses between 0 and 2 (b − 1) g h of |x₁| + |x₂|: the origin is reached early, by at most (b −
// 1) h a crossing.
TEST(SlidingMode, FilippovsSpiralIsEarlyByWhatItsCrossingsLose) {
  for (const double b : {3., 26.}) {
    for (const double h : {1e-3, 1e-4, 1e-5}) {
      Spiral spiral(h, b, 2.);
      const double exact = spiral.exact().reachingTime();
      double crossings = 0.;
      double reached = 0.;
      std::array<bool, 2> side = {true, true};
      spiral.simulation->run([&] {
        const double t = spiral.simulation->time();
        if (reached == 0. && spiral.rests()) reached = t;
        if (reached > 0.) {
          // At rest, to the rounding of a last step of h g b.
          ASSERT_TRUE(spiral.rests());
          ASSERT_LE(spiral.norm1(), 16. * epsilon * h * Spiral::g * b) << "t = " << t;
          return;
        }
        for (const std::size_t i : {0U, 1U}) {
          const double x = spiral.system->x()(i);
          if (x == 0. || (x > 0.) == side[i]) continue;
          side[i] = !side[i];
          crossings += 1.;
        }
        // One crossing more may be on its way, from an axis.
        const double lost = std::max(0., 6. - 2. * Spiral::g * t) - spiral.norm1();
        ASSERT_GE(lost, -1e-11) << "t = " << t;
        ASSERT_LE(lost, 2. * (b - 1.) * Spiral::g * h * (crossings + 1.) + 1e-11) << "t = " << t;
      });
      std::printf("  b = %2.0f, h = %.0e: reached at %.5f (exact %.5f) after %.0f crossings\n", b, h, reached, exact,
                  crossings);
      ASSERT_GT(reached, 0.);
      EXPECT_LE(reached, exact + h);
      EXPECT_GE(reached, exact - (b - 1.) * h * (crossings + 2.));
    }
  }
}

TEST(SlidingMode, FilippovsSpiralConvergesWithOrderOneOverAGivenNumberOfCrossings) {
  for (const double b : {3., 26.}) {
    std::vector<double> steps;
    std::vector<double> errors;
    for (double level = b < 4. ? 4e-3 : 4e-5; level > (b < 4. ? 1e-5 : 2e-6); level /= 4.) {
      double mean = 0.;
      const int samples = b < 4. ? 24 : 3;
      for (int sample = 0; sample < samples; ++sample) {
        const double h = level * (1. + 0.0137 * sample);
        Spiral spiral(h, b, 1.);
        const ExactSpiral exact = spiral.exact();
        spiral.simulation->run([&] {
          const std::array<double, 2> x = exact.at(spiral.simulation->time());
          mean += h * (std::abs(spiral.system->x()(0) - x[0]) + std::abs(spiral.system->x()(1) - x[1])) / samples;
        });
      }
      steps.push_back(level);
      errors.push_back(mean);
    }
    const std::string title = "Filippov's spiral, b = " + toText(b) + ", L1 error of the state up to 2/3 of the way";
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95);
  }
}

}  // namespace
