// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/EnumerationSolver.hpp>

#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <limits>

namespace delassus::numerics {
EnumerationSolver::EnumerationSolver(EnumerationOptions options) : WithOptions("EnumerationSolver", options) {
}

EnumerationSolver::Outcome EnumerationSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (n > options_.maxSize) {
    return {SolveStatus::unsupported, 0, "the problem is larger than the option maxSize"};
  }
  const MixedView view = dense_.view(problem);
  double bestError = std::numeric_limits<double>::infinity();
  assign(z, best_);
  const std::size_t bases = std::size_t{1} << n;
  for (std::size_t basis = 0; basis < bases; ++basis) {
    basis_.setActive(n, basis);
    if (!basis_.solve(view, z)) basis_.solveLeastNorm(view, z);
    cutNegative(view, z);
    const double error = certifiedError(problem, z);
    observe(basis + 1, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, basis + 1, {}};
    if (error < bestError) {
      bestError = error;
      assign(z, best_);
    }
    if (timeIsUp()) {
      assign(best_, z);
      return {SolveStatus::timeLimit, basis + 1, {}};
    }
  }
  assign(best_, z);
  bounds_.resize(n);
  const BoxView box = box_.view(problem.M(), problem.q(), bounds_.lower(), bounds_.upper());
  if (provesUnsolvable(box, [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, bases, "no complementary basis gives a solution"};
  }
  return {SolveStatus::numericalFailure, bases, "no basis gives a solution, but it is not proved that there is none"};
}

}  // namespace delassus::numerics
