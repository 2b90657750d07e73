// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/GaussSeidelSolver.hpp>
#include <delassus/numerics/friction/ColouredGaussSeidelSolver.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>
#include <delassus/numerics/sets/ProblemOverSets.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

// Sweeps over all blocks; what leaves out some counts as a part of one.
constexpr double firstSweeps = 10.;  // plain, before acceleration is tried
constexpr double trialSweeps = 20.;
constexpr double usualSweeps = 80.;
// That a sweep counts at least, as part of one over all blocks: it costs more than its blocks.
constexpr double leastWork = 0.01;
// A change of this size is rounding: sweeps that go on change nothing.
constexpr double noChange = 4. * std::numeric_limits<double>::epsilon();

}  // namespace

OptionFields GaussSeidelOptions::fields() {
  return {
      {"tolerance", &tolerance, range::positive, "for the certificate"},
      {"maxIterations", &maxIterations, range::positive, "sweeps over all blocks"},
      {"relaxation", &relaxation, range::between(0., 2.), "factor of a change; 1 is Gauss-Seidel"},
      {"overSweeps", &overSweeps, range::notNegative, "over-relaxed sweeps of a cycle; 0: no cycles"},
      {"overRelaxation", &overRelaxation, range::between(0., 2.), "their factor of a change"},
      {"plainSweeps", &plainSweeps, range::positive, "other sweeps of a cycle"},
      {"errorInterval", &errorInterval, range::positive, "sweeps between two checks of the certificate"},
      {"accelerationMemory", &accelerationMemory, range::notNegative, "differences of Anderson acceleration; 0: none"},
      {"outlook", &outlook, range::notNegative, "sweeps between two decisions whether to give up; 0: never"}};
}

template <class Problem, class Options>
GaussSeidelSolver<Problem, Options>::GaussSeidelSolver(std::string_view owner, Options options)
    : GaussSeidelSolver::WithOptions(owner, options), acceleration_(options.accelerationMemory) {
}

// Acceleration gains much near a solution, and can lose as much before the blocks have found their status. So the
// variant in use is compared from time to time with the other one by the decrease of the changes, and the better one is
// used for a while.
template <class Problem, class Options>
bool GaussSeidelSolver<Problem, Options>::accelerationPays(std::size_t iteration, double change, double work) {
  if (this->options_.accelerationMemory == 0 || this->options_.overSweeps > 0) return false;
  if (iteration == 1) {
    way_ = {.accelerated = false, .sweeps = firstSweeps, .sweepsLeft = firstSweeps, .changeAtBegin = change};
    return false;
  }
  way_.sweepsLeft -= work;
  if (way_.sweepsLeft > 0.) return way_.accelerated;
  const double fall = std::log(way_.changeAtBegin / change);
  if (!way_.isTrial) {
    way_.fallOfOther = fall / way_.sweeps;
    way_.isTrial = true;
    way_.accelerated = !way_.accelerated;
    way_.sweeps = trialSweeps;
  } else {
    if (!(fall / way_.sweeps > way_.fallOfOther)) way_.accelerated = !way_.accelerated;
    way_.isTrial = false;
    way_.sweeps = usualSweeps;
  }
  if (way_.accelerated) acceleration_.begin(before_.size());
  way_.sweepsLeft = way_.sweeps;
  way_.changeAtBegin = change;
  return way_.accelerated;
}

template <class Problem, class Options>
bool GaussSeidelSolver<Problem, Options>::isHopeless(double sweeps, double change) {
  const Options& options = this->options_;
  const double since = sweeps - sweepsAtOutlook_;
  // In cycles changes go up and down.
  if (options.overSweeps > 0) change = std::min(bestError_, 1.);
  if (sweeps <= 1.) changeAtOutlook_ = change;
  if (options.outlook == 0 || since < static_cast<double>(options.outlook)) return false;
  const double fall = std::log(changeAtOutlook_ / change) / since;
  const double missing = std::log(change / options.tolerance);
  changeAtOutlook_ = change;
  sweepsAtOutlook_ = sweeps;
  return missing > fall * (static_cast<double>(options.maxIterations) - sweeps);
}

template <class Problem, class Options>
bool GaussSeidelSolver<Problem, Options>::isToBeChecked(std::size_t iteration, std::size_t blocks,
                                                        double change) const {
  if (isOver_) return false;
  return change <= std::max(promisingChange_, noChange) || (iteration == 1 && blocks == 1) ||
         iteration % this->options_.errorInterval == 0;
}

template <class Problem, class Options>
typename GaussSeidelSolver<Problem, Options>::Outcome GaussSeidelSolver<Problem, Options>::compute(
    const Problem& problem, Vector& unknown) {
  bestError_ = std::numeric_limits<double>::infinity();
  const Outcome outcome = search(problem, unknown);
  const bool isKnown = bestError_ < std::numeric_limits<double>::infinity();
  if (outcome.status != SolveStatus::converged && isKnown && bestError_ < this->certifiedError(problem, unknown)) {
    assign(best_, unknown);
  }
  return outcome;
}

template <class Problem, class Options>
typename GaussSeidelSolver<Problem, Options>::Outcome GaussSeidelSolver<Problem, Options>::search(
    const Problem& problem, Vector& unknown) {
  const Options& options = this->options_;
  const Start start = begin(problem, unknown);
  if (!start.refusal.empty()) return {SolveStatus::unsupported, 0, start.refusal};
  if (options.accelerationMemory > 0) acceleration_.begin(unknown.size());
  const double squaresOfData = start.squares > 0. ? start.squares : 1.;
  promisingChange_ = options.tolerance;
  sweepsAtOutlook_ = 0.;
  double sweeps = 0.;
  for (std::size_t iteration = 1;; ++iteration) {
    const auto cycle = static_cast<double>(options.plainSweeps + options.overSweeps);
    isOver_ = options.overSweeps > 0 && std::fmod(sweeps, cycle) >= static_cast<double>(options.plainSweeps);
    if (options.accelerationMemory > 0) assign(unknown, before_);
    const Sweep done = sweep(problem, unknown);
    const double change = std::sqrt(done.squares / squaresOfData);
    sweeps += std::max(done.work, leastWork);
    const auto counted = static_cast<std::size_t>(std::ceil(sweeps));
    const bool isLast = sweeps >= static_cast<double>(options.maxIterations);
    this->observe(iteration, change);
    if (isToBeChecked(iteration, start.blocks, change) || isLast || !done.failure.empty()) {
      const double error = this->certifiedError(problem, unknown);
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
    if (!done.failure.empty()) return {SolveStatus::numericalFailure, counted, done.failure};
    if (!std::isfinite(change)) return {SolveStatus::numericalFailure, counted, "the sweeps diverge"};
    if (change <= noChange) return {SolveStatus::inaccurate, counted, "no block moves any more"};
    if (isHopeless(sweeps, change)) {
      return {SolveStatus::iterationLimit, counted, "at this rate it will not converge within the sweep limit"};
    }
    if (this->timeIsUp()) return {SolveStatus::timeLimit, counted, {}};
    // At the limit the answer is the end of a sweep.
    if (isLast) return {SolveStatus::iterationLimit, counted, "the sweep limit was reached"};
    if (accelerationPays(iteration, change, done.work) && acceleration_.accelerate(before_, unknown)) restart(unknown);
  }
}

template class GaussSeidelSolver<LinearComplementarityProblem>;
template class GaussSeidelSolver<MixedLinearComplementarityProblem>;
template class GaussSeidelSolver<RelayProblem>;
template class GaussSeidelSolver<ProblemOverSets>;
template class GaussSeidelSolver<FrictionContactProblem>;
template class GaussSeidelSolver<FrictionContactProblem, ColouredGaussSeidelOptions>;

}  // namespace delassus::numerics
