// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/NewtonGuard.hpp>

#include <algorithm>
#include <sstream>

namespace delassus {
namespace {

constexpr double fall = 0.5;         // of the residual, that counts as progress
constexpr std::size_t patience = 4;  // passes without

}  // namespace

void NewtonGuard::begin() {
  relaxed_ = 0.;
  stalls_ = 0;
  passesWithoutFall_ = 0;
  best_ = smallest_ = last_ = infinity;
}

numerics::SolveReport NewtonGuard::solveFromMultipliers(OneStepNSProblem& problem, StepEquations& equations) {
  const numerics::SolveReport kept = problem.certify(equations);
  const bool isKept = kept.converged() || kept.error <= relaxed_;
  const numerics::SolveReport report = isKept         ? problem.take(kept)
                                       : stalls_ == 0 ? problem.solve(equations)
                                                      : solveStalled(problem, equations);
  remember(problem, report);
  return report;
}

// The error of multipliers that were accepted at a relaxed tolerance may double, or is one with which a chain spares
// itself dear methods.
void NewtonGuard::remember(const OneStepNSProblem& problem, const numerics::SolveReport& report) {
  constexpr double share = 0.001;
  const bool isOfDefault = problem.relaxed() && problem.relaxation() > 1.;  // a policy is asked about each pass
  const double largest = isOfDefault ? report.tolerance : 0.;
  relaxed_ = std::min(std::max(share * largest, 2. * report.error), largest);
}

numerics::SolveReport NewtonGuard::solveStalled(OneStepNSProblem& problem, StepEquations& equations) {
  before_ = equations.multipliers();
  equations.multipliers() = start_;
  const numerics::SolveReport fromStart = problem.attempt(equations);
  if (fromStart.converged()) return problem.take(fromStart);
  equations.multipliers() = before_;
  return problem.solve(equations);
}

void NewtonGuard::observe(double tested, const StepResidual& residual, StepEquations& equations) {
  last_ = tested;
  residual_ = residual;
  smallest_ = std::min(smallest_, tested);
  if (tested < fall * best_) {
    best_ = tested;
    passesWithoutFall_ = 0;
  } else if (++passesWithoutFall_ == patience) {
    stall(equations);
  }
}

void NewtonGuard::stall(StepEquations& equations) {
  ++stalls_;
  passesWithoutFall_ = 0;
  best_ = infinity;
  start_ = equations.multipliers();
  if (stalls_ % 2 != 0) std::fill(start_.begin(), start_.end(), 0.);
}

std::string NewtonGuard::describe(std::size_t passes, double tolerance) const {
  std::ostringstream text;
  text << "Newton's loop stopped after " << passes << " iterations with residual " << last_ << " (tolerance "
       << tolerance << "), "
       << (residual_.equations < last_ ? "the last change of the velocities" : "that of equations") << " of '"
       << residual_.where << "'. ";
  if (stalls_ == 0) {
    text
        << "It had not stalled: allow more iterations (newtonMaxIterations) or take a smaller step. Jacobians that are "
           "not quite right also make it slow (checkJacobians).";
  } else {
    text << "It goes round without falling below " << smallest_
         << ", also with the solver started from the same multipliers in each pass, so more iterations do not help. ";
    if (residual_.equations < last_) {
      text << "The residual of the equations is " << residual_.equations
           << ": newtonTest = NewtonTest::residual compares that alone, and takes contacts and joints where the pass "
              "before has them. Else ";
    }
    text << "take a scheme without this loop (in mechanics MoreauJeanOSI::semiExplicit()), a smaller step, or a "
            "newtonTolerance above that; see whether Jacobians are right (checkJacobians).";
  }
  return text.str();
}

}  // namespace delassus
