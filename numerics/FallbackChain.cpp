// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/GlobalFrictionError.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MlcpError.hpp>
#include <delassus/numerics/nonlinear/VariationalInequality.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>
#include <delassus/numerics/sets/NaturalMapError.hpp>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

// Below this relative error a solution may exist that was missed only because of rounding.
constexpr double leastForAProof = 1e-6;

}  // namespace

template <class Problem>
FallbackChain<Problem>::FallbackChain(std::string_view name, double tolerance)
    : name_(name), tolerance_(tolerance), lastSolver_(name) {
  if (!(tolerance > 0. && std::isfinite(tolerance))) {
    throw Error(std::string(name), "the tolerance must be positive and finite, got " + toText(tolerance) + ".");
  }
}

template <class Problem>
void FallbackChain<Problem>::add(std::unique_ptr<AnySolver<Problem>> solver) {
  if (!solver) throw Error(std::string(name_), "expected a solver to add, got none.");
  solvers_.push_back(std::move(solver));
  observed_.push_back(0);
}

template <class Problem>
void FallbackChain<Problem>::plan(const Problem&, std::vector<std::size_t>& order) {
  for (std::size_t index = 0; index < solvers_.size(); ++index) order.push_back(index);
}

template <class Problem>
const Vector& FallbackChain<Problem>::startFor(std::size_t, const Vector& original, const Vector&) const {
  return original;
}

template <class Problem>
bool FallbackChain<Problem>::proves(std::size_t, const Problem&, const SolveReport&) {
  return false;
}

template <class Problem>
SolveReport FallbackChain<Problem>::attempt(std::size_t index, const Problem& problem) {
  AnySolver<Problem>& solver = *solvers_[index];
  solver.setMeasure(this->measure());
  solver.setTimeLimit(this->remainingTime());
  // Set again each time, since a chain may have been moved; the call goes through its own observer, so that nothing is
  // copied.
  if (this->observer()) {
    solver.setObserver([this](std::size_t iteration, double residual) { passOn(iteration, residual); });
    observed_[index] = 1;
  } else if (observed_[index] != 0) {
    solver.setObserver({});
    observed_[index] = 0;
  }
  const auto failed = [&](std::string_view reason) {
    if (observerFailed_) throw;
    SolveReport report;
    report.error = std::numeric_limits<double>::infinity();
    report.tolerance = solver.tolerance();
    report.solver = solver.name();
    report.reason = reason;
    return report;
  };
  observerFailed_ = false;
  try {
    return solver.solve(problem, trial_, dual_);
  } catch (const Error&) {
    return failed("a solver of the chain ended with an error");
  } catch (const std::bad_alloc&) {
    return failed("a solver of the chain ran out of memory");
  }
}

// Exceptions of the observer must propagate, unlike those of a member.
template <class Problem>
void FallbackChain<Problem>::passOn(std::size_t iteration, double residual) {
  observerFailed_ = true;
  this->observe(iteration, residual);
  observerFailed_ = false;
}

template <class Problem>
typename FallbackChain<Problem>::Outcome FallbackChain<Problem>::compute(const Problem& problem, Vector& unknown) {
  order_.clear();
  plan(problem, order_);
  assign(unknown, start_);
  lastSolver_ = name_;
  double bestError = std::numeric_limits<double>::infinity();
  Outcome best{SolveStatus::unsupported, 0, "no solver of the chain takes this problem"};
  for (const std::size_t index : order_) {
    if (index != order_.front() && this->timeIsUp()) {
      best.status = SolveStatus::timeLimit;
      best.reason = {};
      break;
    }
    assign(startFor(index, start_, unknown), trial_);
    const SolveReport report = attempt(index, problem);
    // An answer that the member certified by its own tolerance is judged by that of the chain.
    const bool better = report.error < bestError;
    const bool isProof = report.status == SolveStatus::infeasible &&
                         std::min(report.error, bestError) > leastForAProof && proves(index, problem, report);
    if (better || bestError == std::numeric_limits<double>::infinity()) {
      const bool unproved = report.status == SolveStatus::infeasible && !isProof;
      best = {unproved ? SolveStatus::numericalFailure : report.status, report.iterations, report.reason};
    }
    if (better) {
      bestError = report.error;
      lastSolver_ = solvers_[index]->name();
      unknown.swap(trial_);
      assign(dual_, bestDual_);
    }
    if (bestError <= tolerance_) {
      // Computed by the member for exactly this answer, in the same measure; of what the member misses solve()
      // certifies anew.
      if (report.converged() && report.tolerance <= tolerance_) this->adoptCertificate(bestError, bestDual_);
      return {SolveStatus::converged, best.iterations, {}};
    }
    if (isProof) return {SolveStatus::infeasible, report.iterations, report.reason};
  }
  return best;
}

template <class Problem>
void FallbackChain<Problem>::serializeState(StateArchive& archive) {
  for (const auto& solver : solvers_) solver->serializeState(archive);
}

template class FallbackChain<LinearComplementarityProblem>;
template class FallbackChain<MixedLinearComplementarityProblem>;
template class FallbackChain<RelayProblem>;
template class FallbackChain<FrictionContactProblem>;
template class FallbackChain<GlobalFrictionContactProblem>;
template class FallbackChain<ProblemOverSets>;
template class FallbackChain<VariationalInequality>;

}  // namespace delassus::numerics
