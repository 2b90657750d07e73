// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <limits>

namespace delassus::numerics {

RelayEnumerationSolver::RelayEnumerationSolver(RelayEnumerationOptions options)
    : WithOptions("RelayEnumerationSolver", options) {
}

// The next number of digits with finite bounds; false after the last.
bool RelayEnumerationSolver::next(const RelayProblem& problem) {
  for (std::size_t i = 0; i < digits_.size(); ++i) {
    if (digits_[i] == 0 && std::isfinite(problem.lower()(i))) {
      digits_[i] = 1;
      return true;
    }
    if (digits_[i] <= 1 && std::isfinite(problem.upper()(i))) {
      digits_[i] = 2;
      return true;
    }
    digits_[i] = 0;
  }
  return false;
}

void RelayEnumerationSolver::solveBasis(const RelayProblem& problem, Vector& z) {
  free_.clear();
  for (std::size_t i = 0; i < digits_.size(); ++i) {
    z(i) = digits_[i] == 0 ? 0. : (digits_[i] == 1 ? problem.lower()(i) : problem.upper()(i));
    if (digits_[i] == 0) free_.push_back(i);
  }
  if (free_.empty()) return;
  if (system_.factor(dense_, free_, free_)) {
    system_.solve(dense_, problem.q(), z);
  } else {
    BasisSystem::solveLeastNorm(dense_, problem.q(), free_, free_, z);
  }
  for (const std::size_t i : free_) z(i) = std::clamp(z(i), problem.lower()(i), problem.upper()(i));
}

RelayEnumerationSolver::Outcome RelayEnumerationSolver::compute(const RelayProblem& problem, Vector& z) {
  if (problem.size() > options_.maxSize) {
    return {SolveStatus::unsupported, 0, "the problem is larger than the option maxSize"};
  }
  problem.M().toDense(dense_);
  digits_.assign(problem.size(), 0);
  double bestError = std::numeric_limits<double>::infinity();
  assign(z, best_);
  std::size_t tried = 0;
  do {
    solveBasis(problem, z);
    const double error = certifiedError(problem, z);
    observe(++tried, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, tried, {}};
    if (error < bestError) {
      bestError = error;
      assign(z, best_);
    }
    if (timeIsUp()) {
      assign(best_, z);
      return {SolveStatus::timeLimit, tried, {}};
    }
  } while (next(problem));
  assign(best_, z);
  const BoxView box = box_.view(problem.M(), problem.q(), problem.lower(), problem.upper());
  if (provesUnsolvable(box, [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, tried, "no basis gives a solution"};
  }
  return {SolveStatus::numericalFailure, tried, "no basis gives a solution, but it is not proved that there is none"};
}

}  // namespace delassus::numerics
