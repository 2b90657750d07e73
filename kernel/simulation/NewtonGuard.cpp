// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/NewtonGuard.hpp>

#include <algorithm>
#include <sstream>

namespace delassus {
namespace {

constexpr double fall = 0.5;         // of the residual, that counts as progress
constexpr std::size_t patience = 4;  // passes without

}  // namespace

void NewtonGuard::begin(std::size_t interactions) {
  interactions_ = interactions;
  stalls_ = 0;
  passesWithoutFall_ = 0;
  best_ = smallest_ = infinity;
}

numerics::SolveReport NewtonGuard::solveStalled(OneStepNSProblem& problem, OneStepBlocks& step) {
  const numerics::SolveReport kept = problem.certify(step);
  if (kept.converged()) return problem.take({kept, 0});
  save(step, before_);
  restore(start_, step);
  const OneStepNSProblem::Attempt fromStart = problem.attempt(step);
  if (fromStart.report.converged()) return problem.take(fromStart);
  restore(before_, step);
  return problem.solve(step);
}

void NewtonGuard::observe(double tested, const StepResidual& residual, OneStepBlocks& step) {
  last_ = tested;
  residual_ = residual;
  smallest_ = std::min(smallest_, tested);
  if (tested < fall * best_) {
    best_ = tested;
    passesWithoutFall_ = 0;
  } else if (++passesWithoutFall_ == patience) {
    stall(step);
  }
}

void NewtonGuard::stall(OneStepBlocks& step) {
  ++stalls_;
  passesWithoutFall_ = 0;
  best_ = infinity;
  save(step, start_);
  if (stalls_ % 2 == 0) return;
  for (Vector& multiplier : start_) setZero(multiplier);
}

void NewtonGuard::save(OneStepBlocks& step, std::vector<Vector>& multipliers) const {
  multipliers.resize(interactions_);
  for (std::size_t k = 0; k < interactions_; ++k) assign(step.multiplier(k), multipliers[k]);
}

void NewtonGuard::restore(const std::vector<Vector>& multipliers, OneStepBlocks& step) const {
  for (std::size_t k = 0; k < interactions_; ++k) assign(multipliers[k], step.multiplier(k));
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
         << ", also with the solver started from the same multipliers in each pass, so more iterations do not help. "
            "See whether Jacobians are right (checkJacobians); take a scheme without this loop (in mechanics "
            "MoreauJeanOSI::semiExplicit()), or a newtonTolerance above that.";
  }
  return text.str();
}

}  // namespace delassus
