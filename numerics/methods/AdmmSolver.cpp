// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/AdmmSolver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double measured = 100.;  // times the tolerance: residuals below which all steps are measured

}  // namespace

AdmmSolver::AdmmSolver(AdmmOptions options) : WithOptions("AdmmSolver", options) {
}

AdmmSolver::Outcome AdmmSolver::compute(const ProblemOverSets& problem, Vector& r) {
  if (!admm_.takes(problem)) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  // A good start is returned unchanged: a Newton loop around this solver passes the last answer back in each iteration,
  // and would otherwise keep seeing changes as large as the tolerance.
  if (certifiedError(problem, r) <= options_.tolerance) return {SolveStatus::converged, 0, {}};
  if (!admm_.begin(problem, options_.penalty, r)) {
    return {SolveStatus::numericalFailure, 0, "W plus the penalty is not positive definite"};
  }
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    // Far from the answer every fifth step is measured, where that costs as much as a step.
    const bool isFar = admm_.residual() > measured * options_.tolerance && iteration < options_.maxIterations;
    if (admm_.isProductDear() && isFar && iteration % 5 != 0) {
      admm_.stepUnmeasured(options_.relaxation);
    } else {
      admm_.step(options_.relaxation);
    }
    observe(iteration, admm_.residual());
    if (!std::isfinite(admm_.residual() + admm_.primalResidual() + admm_.dualResidual())) {
      return {SolveStatus::numericalFailure, iteration, "a system with W plus the penalty was not solved"};
    }
    const bool near =
        admm_.residual() <= options_.tolerance || (admm_.residual() <= 10. * options_.tolerance && iteration % 5 == 0);
    const bool last = timeIsUp(problem) || iteration == options_.maxIterations;
    if (near || last) assign(admm_.map().reaction(), r);
    if (near && certifiedError(problem, r) <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (last && iteration < options_.maxIterations) return {SolveStatus::timeLimit, iteration, {}};
    if (!admm_.balancePenalty(options_.balanceInterval)) {
      assign(admm_.map().reaction(), r);
      return {SolveStatus::numericalFailure, iteration, "W plus the penalty is not positive definite"};
    }
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

namespace {

// Starts of ε: nearly none for problems of full rank, more for those whose null space is blurred by rounding of the
// data.
constexpr std::array<double, 5> proximalStarts = {1e-7, 1e-3, 1e-10, 1e-2, 1e-5};
constexpr double leastProximal = 1e-10;
constexpr std::size_t newtonSteps = 25;  // in one phase
constexpr double slowStep = 0.7;         // ratio of residuals
constexpr std::size_t patience = 3;      // steps in a row that fail or are slow
constexpr double usualSteps = 5.;        // in a phase that succeeds
constexpr double firstPhaseCost = 60.;   // in alternating directions, before the first factorisation gives a measured
                                         // cost

// Ends what is good enough already, and does not get better. Of 890 problems of piles 488 were solved within 3000
// iterations; with such a halt it is half of them, in a sixth of the time.
class Halt {
 public:
  // Of residuals up to `enough`.
  explicit Halt(double enough) : enough_(enough) {}
  bool isDue(std::size_t iteration, double residual) {
    if (residual < 0.5 * best_) {
      best_ = residual;
      since_ = iteration;
    }
    return best_ <= enough_ && iteration >= since_ + window;
  }

 private:
  static constexpr std::size_t window = 150;  // iterations
  double enough_;
  double best_ = std::numeric_limits<double>::infinity();
  std::size_t since_ = 0;
};

}  // namespace

AdmmNewtonSolver::AdmmNewtonSolver(AdmmNewtonOptions options) : WithOptions("AdmmNewtonSolver", options) {
}

bool AdmmNewtonSolver::isSolved(const ProblemOverSets& problem) {
  if (admm_.residual() > 10. * options_.tolerance) return false;
  return certifiedError(problem, admm_.map().reaction()) <= options_.tolerance;
}

void AdmmNewtonSolver::fillSystem(const ProblemOverSets& problem, double proximal) {
  system_.begin(problem);
  for (std::size_t part = 0; part < problem.partCount(); ++part) fillPart(problem, part, proximal);
}

// E = (1 − ∂s/∂w) R (1 − D) + ε R D is what does not go through W.
void AdmmNewtonSolver::fillPart(const ProblemOverSets& problem, std::size_t part, double proximal) {
  const std::size_t m = problem.rows(part), first = problem.offset(part);
  const double* const R = admm_.map().penalties().data() + first;
  double *const D = system_.right(part), *const E = system_.local(part);
  admm_.map().projectionJacobian(part, first, admm_.point(), D);
  gradient_.resize(m);
  const bool hasShift = problem.set(part).shiftGradient(m, data(admm_.map().velocity()) + first, gradient_.data());
  for (std::size_t j = 0; j < m; ++j) {
    double along = 0.;
    for (std::size_t i = 0; i < m; ++i) {
      const double change = R[i] * ((i == j ? 1. : 0.) - D[i + m * j]);
      E[i + m * j] = change + proximal * R[i] * D[i + m * j];
      if (hasShift) along += gradient_[i] * change;
    }
    E[m * j] -= along;
  }
}

bool AdmmNewtonSolver::newtonDirection(const ProblemOverSets& problem, double proximal) {
  fillSystem(problem, proximal);
  if (!system_.factor()) return false;
  phaseCost_ = usualSteps * system_.work() / admm_.stepWork();
  assign(admm_.map().residual(), direction_);
  system_.solve(data(direction_));
  return allFinite(direction_);
}

// Moves along −direction_ from the present point; returns the step length, or 0 (without moving) if ‖F‖ does not fall.
double AdmmNewtonSolver::lineSearch() {
  assign(admm_.point(), origin_);
  const double before = admm_.residual();
  for (double step = 1.; step > 0.1; step *= 0.5) {
    assign(origin_, trial_);
    addScaled(-step, direction_, trial_);
    admm_.moveTo(trial_);
    if (admm_.residual() < (1. - 0.1 * step) * before) return step;
  }
  admm_.moveTo(origin_);
  return 0.;
}

AdmmNewtonSolver::Phase AdmmNewtonSolver::newtonPhase(const ProblemOverSets& problem, double proximal) {
  std::size_t failures = 0;
  for (std::size_t k = 0; k < newtonSteps && failures < patience && !timeIsUp(); ++k) {
    observe(++iterations_, admm_.residual());
    const double before = admm_.residual();
    const double step = newtonDirection(problem, proximal) ? lineSearch() : 0.;
    if (step == 0.) {
      ++failures;
      proximal = std::min(30. * proximal, 1.);
      continue;
    }
    if (isSolved(problem)) return Phase::converged;
    // Near a solution each step gains a digit or more.
    failures = admm_.residual() > slowStep * before ? failures + 1 : 0;
    if (admm_.residual() < 0.1 * before) {
      proximal = std::max(leastProximal, 0.03 * proximal);
    } else if (step == 1.) {
      proximal = std::max(leastProximal, 0.3 * proximal);
    }
  }
  return Phase::ended;
}

// True if alternating directions, at the rate of their last `steps`, need longer than a phase of Newton's method.
bool AdmmNewtonSolver::newtonPays(double residualBefore, std::size_t steps) const {
  const double fall = std::log(residualBefore / admm_.residual()) / static_cast<double>(steps);
  const double missing = std::log(admm_.residual() / options_.tolerance);
  // Where nothing is missing although the certificate does not hold, alternating directions have no more to give.
  return !(missing > 0.) || !(missing < phaseCost_ * fall);
}

AdmmNewtonSolver::Outcome AdmmNewtonSolver::compute(const ProblemOverSets& problem, Vector& r) {
  if (!problem.requireSystems() || !admm_.takes(problem)) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  // A good start is returned unchanged: a Newton loop around this solver would otherwise keep seeing changes.
  if (certifiedError(problem, r) <= options_.tolerance) return {SolveStatus::converged, 0, {}};
  if (!admm_.begin(problem, options_.penalty, r)) {
    return {SolveStatus::numericalFailure, 0, "W plus the penalty is not positive definite"};
  }
  iterations_ = 0;
  phaseCost_ = firstPhaseCost;
  std::size_t phases = 0;
  std::size_t interval = options_.firstPhase;
  const std::size_t rateSteps = std::min<std::size_t>(10, interval);
  double residualBefore = admm_.residual();
  std::size_t untilNewton = interval;
  SolveStatus status = SolveStatus::iterationLimit;
  Halt halt(leniency() > 1. ? goodEnough() : 0.);
  while (iterations_ < options_.maxIterations && !halt.isDue(iterations_, admm_.residual())) {
    if (isSolved(problem)) {
      status = SolveStatus::converged;
      break;
    }
    if (timeIsUp()) {
      status = SolveStatus::timeLimit;
      break;
    }
    if (untilNewton == rateSteps) residualBefore = admm_.residual();
    if (untilNewton == 0) {
      const bool pays = newtonPays(residualBefore, rateSteps);
      if (pays) interval *= 2;
      untilNewton = interval;
      if (pays && newtonPhase(problem, proximalStarts[phases++ % proximalStarts.size()]) == Phase::converged) continue;
    }
    admm_.step(options_.relaxation);
    --untilNewton;
    observe(++iterations_, admm_.residual());
    if (!admm_.balancePenalty(options_.balanceInterval)) {
      status = SolveStatus::numericalFailure;
      break;
    }
  }
  assign(admm_.map().reaction(), r);
  return {status, iterations_, {}};
}

}  // namespace delassus::numerics
