// SPDX-License-Identifier: Apache-2.0
//
// The choice between the explicit and the implicit method.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <utility>

namespace delassus {
namespace {

// q = cos t by an oscillator, and z = q after a relaxation of rate k.
class Follower final : public OdeEquations {
 public:
  explicit Follower(double rate) : k(rate) {}

  std::size_t size() const override { return 3; }
  void computeRates(double, const double* z, double* zDot) override {
    zDot[0] = z[1];
    zDot[1] = -z[0];
    zDot[2] = z[1] - k * (z[2] - z[0]);
  }

  double k;
};

std::unique_ptr<OdeSolver> make(Follower& follower, OdeMethod method, double tolerance = 1e-10) {
  OdeOptions options;
  options.method = method;
  options.relativeTolerance = tolerance;
  options.absoluteTolerance = 0.01 * tolerance;
  auto solver = OdeSolver::make(follower, options, false);
  solver->restart(0., makeVector({1., 0., 1.}));
  return solver;
}

void advance(OdeSolver& solver, double end) {
  while (solver.step(end) != OdeSolver::Outcome::end) {
  }
}

// A rate of 1e6 holds the explicit method to steps of some 5e-6, a million evaluations.
TEST(AutomaticOdeSolver, IntegratesStiffEquationsByTheImplicitMethod) {
  for (const double k : {1e4, 1e6, 1e9}) {
    Follower follower(k);
    const auto solver = make(follower, OdeMethod::automatic);
    advance(*solver, 3.);
    EXPECT_LT(solver->evaluations(), 15000U) << k;
    // Of order 5, the errors of the steps add up to hundreds of tolerances.
    EXPECT_NEAR(solver->state()(0), std::cos(3.), 1e-7) << k;
    EXPECT_NEAR(solver->state()(2), std::cos(3.), 1e-7) << k;
  }
}

TEST(AutomaticOdeSolver, IntegratesWhatIsNotStiffAsTheExplicitMethodDoesToTheBit) {
  // Loose tolerances allow steps that are as long as stability does.
  for (const auto& [k, tolerance] : {std::pair{0., 1e-10}, {1., 1e-10}, {20., 1e-10}, {1., 1e-6}, {1., 1e-3}}) {
    Follower follower(k);
    const auto solver = make(follower, OdeMethod::automatic, tolerance);
    const auto other = make(follower, OdeMethod::rungeKutta, tolerance);
    advance(*solver, 300.);  // hundreds of steps towards one end
    advance(*other, 300.);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(solver->state()(i), other->state()(i)) << k;
    EXPECT_EQ(solver->steps(), other->steps());
    // A look at stiffness costs 11 evaluations, after 50 steps of 13.
    EXPECT_LT(static_cast<double>(solver->evaluations()), 1.02 * static_cast<double>(other->evaluations()));
  }
}

TEST(AutomaticOdeSolver, ChoosesAnewAfterARestart) {
  Follower follower(1e6);
  const auto solver = make(follower, OdeMethod::automatic);
  advance(*solver, 3.);
  const std::size_t stiff = solver->evaluations();
  // Stiff once more: it takes fewer explicit steps to see that.
  solver->restart(0., makeVector({1., 0., 1.}));
  advance(*solver, 3.);
  EXPECT_LT(solver->evaluations() - stiff, stiff);
  // No longer: the error is that of the explicit method.
  follower.k = 1.;
  solver->restart(0., makeVector({1., 0., 1.}));
  advance(*solver, 3.);
  EXPECT_NEAR(solver->state()(2), std::cos(3.), 1e-9);
}

TEST(AutomaticOdeSolver, GoesOnFromASavedStateToTheSameBits) {
  for (const double k : {1., 1e6}) {
    Follower follower(k);
    const auto solver = make(follower, OdeMethod::automatic);
    advance(*solver, 1.);
    if (k > 1.) {
      EXPECT_LT(solver->evaluations(), 15000U);  // it is implicit
    }
    MemoryArchive saved;
    solver->serializeState(saved);
    advance(*solver, 2.);
    const auto other = make(follower, OdeMethod::automatic);
    MemoryArchive restored(saved.bytes());
    other->serializeState(restored);
    other->resume();
    EXPECT_EQ(other->time(), 1.);
    advance(*other, 2.);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(other->state()(i), solver->state()(i)) << k;
  }
}

}  // namespace
}  // namespace delassus
