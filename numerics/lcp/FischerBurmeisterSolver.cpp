// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::string_view nameFor(const LinearComplementarityProblem*) {
  return "FischerBurmeisterSolver";
}

constexpr std::string_view nameFor(const MixedLinearComplementarityProblem*) {
  return "MlcpFischerBurmeisterSolver";
}

}  // namespace

template <class Problem>
FischerBurmeisterMethod<Problem>::FischerBurmeisterMethod(FischerBurmeisterOptions options)
    : FischerBurmeisterMethod::WithOptions(nameFor(static_cast<const Problem*>(nullptr)), options) {
}

template <class Problem>
std::string_view FischerBurmeisterMethod<Problem>::name() const {
  return nameFor(static_cast<const Problem*>(nullptr));
}

template <class Problem>
typename FischerBurmeisterMethod<Problem>::Outcome FischerBurmeisterMethod<Problem>::compute(const Problem& problem,
                                                                                             Vector& z) {
  const FischerBurmeisterOptions& options = this->options_;
  const BoxView view = box_.view(problem);
  finish_.reset();
  newton_.start(view, z);
  for (std::size_t iteration = 0; iteration <= options.maxIterations; ++iteration) {
    const double error = this->certifiedError(problem, z);
    this->observe(iteration, error);
    if (error <= options.tolerance) return {SolveStatus::converged, iteration, {}};
    if (finish_.propose(view, z) && this->certifiedError(problem, finish_.candidate()) <= options.tolerance) {
      assign(finish_.candidate(), z);
      return {SolveStatus::converged, iteration, {}};
    }
    if (this->timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!newton_.step(view, z)) {
      return {SolveStatus::numericalFailure, iteration, "a stationary point of the merit function"};
    }
  }
  return {SolveStatus::iterationLimit, options.maxIterations, "the step limit was reached"};
}

template class FischerBurmeisterMethod<LinearComplementarityProblem>;
template class FischerBurmeisterMethod<MixedLinearComplementarityProblem>;

}  // namespace delassus::numerics
