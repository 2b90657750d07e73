// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/methods/FallbackChain.hpp>
#include <delassus/numerics/nonlinear/VariationalInequality.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

template <class Problem>
bool isPart(const Problem& problem) {
  if constexpr (requires { problem.isPart(); }) {
    return problem.isPart();
  } else {
    return false;
  }
}

// Below this relative error a solution may exist that was missed only because of rounding.
constexpr double leastOfChains = 1e-6;

}  // namespace

template <class Problem>
FallbackChain<Problem>::FallbackChain(std::string_view name, double tolerance)
    : name_(name), tolerance_(tolerance), lastSolver_(name) {
  if (!(tolerance > 0. && std::isfinite(tolerance))) {
    throw Error(std::string(name), "the tolerance must be positive and finite, got " + toText(tolerance) + ".");
  }
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
typename FallbackChain<Problem>::Made* FallbackChain<Problem>::made(std::size_t number) {
  for (Made& known : made_) {
    if (known.number == number) return &known;
  }
  Member solver = make(number);
  return solver ? &made_.emplace_back(Made{number, std::move(solver)}) : nullptr;
}

template <class Problem>
void FallbackChain<Problem>::attempt(std::size_t number, const Problem& problem, SolveReport& report) {
  report.solver = name_;
  observerFailed_ = false;
  const auto failed = [&](std::string_view reason) {
    // The other processes are still with this member.
    if (observerFailed_ || isPart(problem)) throw;
    report.reason = reason;
  };
  try {
    Made& member = *made(number);
    member.solver->setMeasure(this->measure());
    member.solver->setTimeLimit(this->remainingTime());
    // Set again each time, since a chain may have been moved; the call goes through its own observer, so that nothing
    // is copied.
    if (this->observer()) {
      member.solver->setObserver([this](std::size_t iteration, double residual) { passOn(iteration, residual); });
    } else if (member.isObserved) {
      member.solver->setObserver({});
    }
    member.isObserved = static_cast<bool>(this->observer());
    report = member.solver->solve(problem, trials_.unknown(), trials_.dual());
  } catch (const Error&) {
    failed("a solver of the chain ended with an error");
  } catch (const std::bad_alloc&) {
    failed("a solver of the chain ran out of memory");
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
  using Verdict = Trials::Verdict;
  order_.clear();
  plan(problem, order_);
  assign(unknown, start_);
  bool isLate = false;
  bool isProved = false;
  Outcome proof;
  const auto next = [&](std::size_t k, const SolveReport& best, SolveReport& report) {
    isLate = k > 0 && this->timeIsUp(problem);
    if (isLate) return Verdict::ended;
    const std::size_t number = order_[k];
    assign(startFor(number, start_, unknown), trials_.unknown());
    attempt(number, problem, report);
    if (report.error <= tolerance_) return Verdict::accepted;
    if (report.status != SolveStatus::infeasible) return Verdict::goOn;
    isProved = std::min(report.error, best.error) > leastOfChains && proves(number, problem, report);
    if (isProved) {
      proof = {SolveStatus::infeasible, report.iterations, report.reason};
      return Verdict::ended;
    }
    report.status = SolveStatus::numericalFailure;
    return Verdict::goOn;
  };
  const SolveReport best = trials_.inTurn(order_.size(), unknown, next);
  lastSolver_ = best.error < std::numeric_limits<double>::infinity() ? best.solver : name_;
  if (best.error <= tolerance_) {
    // Computed by the member for exactly this answer, in the same measure; of what the member misses, or certified by
    // a larger tolerance of its own, solve() certifies anew.
    if (best.converged() && best.tolerance <= tolerance_) this->adoptCertificate(best.error, trials_.bestDual());
    return {SolveStatus::converged, best.iterations, {}};
  }
  if (isProved) return proof;
  if (order_.empty()) return {SolveStatus::unsupported, 0, "no solver of the chain takes this problem"};
  if (isLate) return {SolveStatus::timeLimit, best.iterations, {}};
  return {best.status, best.iterations, best.reason};
}

template <class Problem>
void FallbackChain<Problem>::serializeState(StateArchive& archive) {
  const std::size_t count = archive.count("solvers made", made_.size());
  if (archive.restores()) made_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t number = archive.restores() ? 0 : made_[k].number;
    archive.value("number", number);
    const Made* const member = made(static_cast<std::size_t>(number));
    if (member == nullptr) archive.refuse(std::string(name_) + " has no solver " + std::to_string(number) + '.');
    member->solver->serializeState(archive);
  }
}

template class FallbackChain<FrictionContactProblem>;
template class FallbackChain<ProblemOverSets>;
template class FallbackChain<VariationalInequality>;

}  // namespace delassus::numerics
