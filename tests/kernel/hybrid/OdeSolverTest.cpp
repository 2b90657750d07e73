// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/numerics/Error.hpp>
#include <numbers>
#include <string>

namespace delassus {
namespace {

// A forced oscillator q̈ = −ω² q + a cos(Ω t), and the root functions q and t − 0.3.
class Oscillator final : public OdeEquations {
 public:
  std::size_t size() const override { return 2; }
  std::size_t roots() const override { return 2; }
  int rootDirection(std::size_t i) const override { return i == 0 ? -1 : 0; }
  void computeRates(double t, const double* z, double* zDot) override {
    if (t > failsAt) throw Error("Oscillator", "it is broken.");
    zDot[0] = z[1];
    zDot[1] = -omega * omega * z[0] + a * std::cos(Omega * t);
  }
  void computeRoots(double t, const double* z, double* g) override {
    g[0] = z[0];
    g[1] = t - 0.3;
  }
  // From q = 1, v = 0 at t = 0.
  double exact(double t) const {
    const double b = a / (omega * omega - Omega * Omega);
    return (1. - b) * std::cos(omega * t) + b * std::cos(Omega * t);
  }

  double omega = 7.;
  double a = 30.;
  double Omega = 2.;
  double failsAt = 1e300;
};

double errorAtOne(OdeMethod method, double tolerance, std::size_t* evaluations = nullptr) {
  Oscillator oscillator;
  OdeOptions options;
  options.method = method;
  options.relativeTolerance = tolerance;
  options.absoluteTolerance = tolerance;
  const auto solver = OdeSolver::make(oscillator, options, false);
  solver->restart(0., makeVector({1., 0.}));
  while (solver->step(1.) != OdeSolver::Outcome::end) {
  }
  EXPECT_EQ(solver->time(), 1.);
  if (evaluations != nullptr) *evaluations = solver->evaluations();
  return std::abs(solver->state()(0) - oscillator.exact(1.));
}

// Errors of the steps add up, at a rate of the order of one over the time of a step.
TEST(OdeSolverTest, theErrorFollowsTheTolerance) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    EXPECT_LT(errorAtOne(OdeMethod::rungeKutta, tolerance), 10. * tolerance) << tolerance;
  }
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    EXPECT_LT(errorAtOne(OdeMethod::bdf, tolerance), 300. * tolerance) << tolerance;
  }
}

// The local error is of order 9, and its estimate of order 8: four more digits take 10^(4/8) = 3.2 times the steps. A
// table with a wrong coefficient has a lower order and needs many more.
TEST(OdeSolverTest, rungeKuttaIsOfHighOrder) {
  std::size_t coarse = 0;
  std::size_t fine = 0;
  errorAtOne(OdeMethod::rungeKutta, 1e-7, &coarse);
  errorAtOne(OdeMethod::rungeKutta, 1e-11, &fine);
  EXPECT_LT(static_cast<double>(fine), 4. * static_cast<double>(coarse));
  EXPECT_LT(fine, 1000u);
}

TEST(OdeSolverTest, rootsAreFoundInTheirDirectionOnly) {
  for (const OdeMethod method : {OdeMethod::automatic, OdeMethod::rungeKutta, OdeMethod::bdf}) {
    Oscillator oscillator;
    oscillator.a = 0.;
    OdeOptions options;
    options.method = method;
    const auto solver = OdeSolver::make(oscillator, options, true);
    solver->restart(0., makeVector({1., 0.}));
    std::vector<double> falls;
    std::vector<double> instants;
    for (OdeSolver::Outcome outcome{}; outcome != OdeSolver::Outcome::end;) {
      outcome = solver->step(2.);
      if (outcome != OdeSolver::Outcome::root) continue;
      if (solver->foundRoots()[0] != 0) falls.push_back(solver->time());
      if (solver->foundRoots()[1] != 0) instants.push_back(solver->time());
      EXPECT_GE(solver->stepEnd(), solver->time());
    }
    // cos(7 t) falls through zero at (1/2 + 2k) π / 7; as exact as the interpolation in a step.
    ASSERT_EQ(falls.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(falls[k], (0.5 + 2. * static_cast<double>(k)) * std::numbers::pi / 7., 1e-4);
    }
    ASSERT_EQ(instants.size(), 1u);
    EXPECT_NEAR(instants[0], 0.3, 1e-12);
  }
}

TEST(OdeSolverTest, aRestartKeepsTheStepLength) {
  Oscillator oscillator;
  OdeOptions options;
  const auto solver = OdeSolver::make(oscillator, options, false);
  solver->restart(0., makeVector({1., 0.}));
  while (solver->step(10.) != OdeSolver::Outcome::end) {
  }
  const double stepsPerSecond = static_cast<double>(solver->steps()) / 10.;
  const std::size_t before = solver->steps();
  for (int k = 0; k < 10; ++k) {
    solver->restart(10. + k, makeVector({1., 0.}));
    while (solver->step(11. + k) != OdeSolver::Outcome::end) {
    }
  }
  EXPECT_LT(static_cast<double>(solver->steps() - before) / 10., stepsPerSecond + 2.);
}

TEST(OdeSolverTest, exceptionsOfTheEquationsComeThrough) {
  for (const OdeMethod method : {OdeMethod::automatic, OdeMethod::rungeKutta, OdeMethod::bdf}) {
    Oscillator oscillator;
    oscillator.failsAt = 0.5;
    OdeOptions options;
    options.method = method;
    const auto solver = OdeSolver::make(oscillator, options, false);
    solver->restart(0., makeVector({1., 0.}));
    try {
      while (solver->step(1.) != OdeSolver::Outcome::end) {
      }
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("it is broken"), std::string::npos);
    }
  }
}

TEST(OdeSolverTest, stepsBelowTheMinimalOneAreAnError) {
  Oscillator oscillator;
  OdeOptions options;
  options.relativeTolerance = 1e-13;
  options.absoluteTolerance = 1e-13;
  options.minimalStep = 0.2;
  const auto solver = OdeSolver::make(oscillator, options, false);
  solver->restart(0., makeVector({1., 0.}));
  EXPECT_THROW(
      {
        while (solver->step(1.) != OdeSolver::Outcome::end) {
        }
      },
      Error);
}

TEST(OdeSolverTest, optionsThatMakeNoSenseAreRefused) {
  Oscillator oscillator;
  const auto refuses = [&](auto change) {
    OdeOptions options;
    change(options);
    EXPECT_THROW(OdeSolver::make(oscillator, options, false), Error);
  };
  refuses([](OdeOptions& o) { o.relativeTolerance = 0.; });
  refuses([](OdeOptions& o) { o.relativeTolerance = std::nan(""); });
  refuses([](OdeOptions& o) { o.absoluteTolerance = -1.; });
  refuses([](OdeOptions& o) { o.maximalStep = 0.; });
  refuses([](OdeOptions& o) {
    o.minimalStep = 1.;
    o.maximalStep = 0.5;
  });
}

}  // namespace
}  // namespace delassus
