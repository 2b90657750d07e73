// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <limits>

namespace delassus::numerics {

bool hasFewBases(const Intervals& intervals, std::size_t size) {
  constexpr double logarithmOf3 = 1.5849625007211562;
  double logarithm = 0.;
  const double most = static_cast<double>(size);
  for (std::size_t i = 0; i < intervals.lower().size() && logarithm <= most; ++i) {
    const double lower = intervals.lower()(i), upper = intervals.upper()(i);
    if (lower == upper) continue;
    const bool hasLower = std::isfinite(lower), hasUpper = std::isfinite(upper);
    logarithm += hasLower && hasUpper ? logarithmOf3 : hasLower || hasUpper ? 1. : 0.;
  }
  return logarithm <= most;
}

EnumerationSolver::Outcome EnumerationSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  if (!hasFewBases(box_.intervals(), options_.maxSize)) {
    return {SolveStatus::unsupported, 0, "the problem has more bases than the options allow"};
  }
  double bestError = std::numeric_limits<double>::infinity();
  assign(z, best_);
  std::size_t tried = 0;
  basis_.first(*view);
  do {
    if (!basis_.solve(*view, z)) basis_.solveLeastNorm(*view, z);
    view->enterBox(z);
    const double error = certifiedError(problem, z);
    observe(++tried, error);
    if (error <= tolerance()) return {SolveStatus::converged, tried, {}};
    if (error < bestError) {
      bestError = error;
      assign(z, best_);
    }
    if (timeIsUp()) {
      assign(best_, z);
      return {SolveStatus::timeLimit, tried, {}};
    }
  } while (basis_.next(*view));
  assign(best_, z);
  return withoutFit(*view, tried);
}

EnumerationSolver::Outcome EnumerationSolver::withoutFit(const BoxView& view, std::size_t tried) const {
  if (provesUnsolvable(view, [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, tried, "no basis gives a solution"};
  }
  return {SolveStatus::numericalFailure, tried, "no basis gives a solution, but it is not proved that there is none"};
}

}  // namespace delassus::numerics
