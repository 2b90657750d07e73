// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/GaussSeidelSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <limits>
#include <string>

namespace delassus::numerics {
namespace {

// That a sweep counts at least, as part of one over all blocks: it costs more than its blocks.
constexpr double leastWork = 0.01;
// A change of this size is rounding: sweeps that go on change nothing.
constexpr double noMove = 4. * std::numeric_limits<double>::epsilon();

}  // namespace

template <class Problem>
GaussSeidelSolver<Problem>::GaussSeidelSolver(std::string_view owner, GaussSeidelOptions options)
    : GaussSeidelSolver::WithOptions(owner, options) {
  if (options.momentum && options.relaxation != 1.) {
    throw Error(std::string(owner), "momentum needs a relaxation of 1; it is " + toText(options.relaxation) + ".");
  }
}

template <class Problem>
bool GaussSeidelSolver<Problem>::isHopeless(double sweeps, double change) {
  const GaussSeidelOptions& options = this->options_;
  const double since = sweeps - sweepsAtOutlook_;
  // With momentum changes go up and down.
  if (options.momentum) change = std::min(bestError_, 1.);
  if (sweeps <= 1.) changeAtOutlook_ = change;
  if (options.outlook == 0 || since < static_cast<double>(options.outlook)) return false;
  const double fall = std::log(changeAtOutlook_ / change) / since;
  const double missing = std::log(change / options.tolerance);
  changeAtOutlook_ = change;
  sweepsAtOutlook_ = sweeps;
  return missing > fall * (static_cast<double>(options.maxIterations) - sweeps);
}

template <class Problem>
bool GaussSeidelSolver<Problem>::isToBeChecked(std::size_t iteration, std::size_t blocks, double change) const {
  return change <= std::max(promisingChange_, noMove) || (iteration == 1 && blocks == 1) ||
         iteration % this->options_.errorInterval == 0;
}

template <class Problem>
typename GaussSeidelSolver<Problem>::Outcome GaussSeidelSolver<Problem>::compute(const Problem& problem,
                                                                                 Vector& unknown) {
  bestError_ = std::numeric_limits<double>::infinity();
  isChecked_ = false;
  const Outcome outcome = search(problem, unknown);
  const bool isKnown = bestError_ < std::numeric_limits<double>::infinity();
  if (outcome.status == SolveStatus::converged || !isKnown) return outcome;
  const double error = isChecked_ ? this->lastCertifiedError() : this->certifiedError(problem, unknown);
  if (bestError_ < error) {
    assign(best_, unknown);
  } else {
    this->adoptCertificate();
  }
  return outcome;
}

template <class Problem>
typename GaussSeidelSolver<Problem>::Outcome GaussSeidelSolver<Problem>::search(const Problem& problem,
                                                                                Vector& unknown) {
  const GaussSeidelOptions& options = this->options_;
  const Start start = begin(problem, unknown);
  if (!start.refusal.empty()) return {SolveStatus::unsupported, 0, start.refusal};
  momentum_.restart();
  if (options.momentum) assign(unknown, before_);
  const double squaresOfData = start.squares > 0. ? start.squares : 1.;
  promisingChange_ = options.tolerance;
  sweepsAtOutlook_ = 0.;
  double sweeps = 0.;
  for (std::size_t iteration = 1;; ++iteration) {
    const Sweep done = sweep(problem, unknown);
    isChecked_ = false;
    const double change = std::sqrt(done.squares / squaresOfData);
    sweeps += std::max(done.work, leastWork);
    const auto counted = static_cast<std::size_t>(std::ceil(sweeps));
    const bool isLast = sweeps >= static_cast<double>(options.maxIterations);
    this->observe(iteration, change);
    if (isToBeChecked(iteration, start.blocks, change) || isLast || !done.failure.empty()) {
      read(unknown);
      const double error = this->certifiedError(problem, unknown);
      isChecked_ = true;
      if (error <= options.tolerance) {
        this->adoptCertificate();
        return {SolveStatus::converged, counted, {}};
      }
      promisingChange_ = change * options.tolerance / error;
      if (error < bestError_) {
        bestError_ = error;
        assign(unknown, best_);
      }
    }
    const auto ended = [&](SolveStatus status, std::string_view reason) {
      read(unknown);
      return Outcome{status, counted, reason};
    };
    if (!done.failure.empty()) return ended(SolveStatus::numericalFailure, done.failure);
    if (!std::isfinite(change)) return ended(SolveStatus::numericalFailure, "the sweeps diverge");
    if (change <= noMove) return ended(SolveStatus::inaccurate, "no block moves any more");
    if (isHopeless(sweeps, change)) {
      return ended(SolveStatus::iterationLimit, "at this rate it will not converge within the sweep limit");
    }
    if (this->timeIsUp(problem)) return ended(SolveStatus::timeLimit, {});
    // At the limit the answer is the end of a sweep.
    if (isLast) return ended(SolveStatus::iterationLimit, "the sweep limit was reached");
    if (options.momentum) extrapolate(change, unknown);
  }
}

template <class Problem>
void GaussSeidelSolver<Problem>::extrapolate(double change, Vector& unknown) {
  const double factor = momentum_.next(change);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const double reached = unknown(i);
    unknown(i) += factor * (reached - before_(i));
    before_(i) = reached;
  }
}

template class GaussSeidelSolver<ProblemOverSets>;
template class GaussSeidelSolver<FrictionContactProblem>;

}  // namespace delassus::numerics
