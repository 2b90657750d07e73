// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpView.hpp>
#include <limits>

namespace delassus::numerics {

MlcpEnumerationSolver::MlcpEnumerationSolver(MlcpEnumerationOptions options)
    : WithOptions("MlcpEnumerationSolver", options) {
}

MlcpEnumerationSolver::Outcome MlcpEnumerationSolver::compute(const MixedLinearComplementarityProblem& problem,
                                                              Vector& z) {
  const std::size_t pairs = problem.complementarities();
  if (pairs > options_.maxPairs) {
    return {SolveStatus::unsupported, 0, "the problem has more pairs than the option maxPairs"};
  }
  const MixedView view = viewOf(problem);
  double bestError = std::numeric_limits<double>::infinity();
  assign(z, best_);
  const std::size_t bases = std::size_t{1} << pairs;
  for (std::size_t basis = 0; basis < bases; ++basis) {
    basis_.setActive(pairs, basis);
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
  bounds_.resize(pairs);
  const BoxView box = boxViewOf(problem, bounds_);
  if (provesUnsolvable(box, [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, bases, "no complementary basis gives a solution"};
  }
  return {SolveStatus::numericalFailure, bases, "no basis gives a solution, but it is not proved that there is none"};
}

}  // namespace delassus::numerics
