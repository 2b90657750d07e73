// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/TableSolver.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
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

}  // namespace

template <class Problem>
FallbackChain<Problem>::FallbackChain(std::string_view name, double tolerance) : name_(name), tolerance_(tolerance) {
  if (!(tolerance > 0. && std::isfinite(tolerance))) {
    throw Error(std::string(name), "the tolerance must be positive and finite, got " + toText(tolerance) + ".");
  }
}

template <class Problem>
typename FallbackChain<Problem>::Made* FallbackChain<Problem>::found(std::string_view solver) {
  for (Made& each : made_) {
    if (each.name == solver) return &each;
  }
  return nullptr;
}

template <class Problem>
typename FallbackChain<Problem>::Made* FallbackChain<Problem>::made(std::string_view solver) {
  if (Made* const member = found(solver)) return member;
  Made next = make(solver);
  return next.solver ? &made_.emplace_back(std::move(next)) : nullptr;
}

template <class Problem>
void FallbackChain<Problem>::attempt(std::string_view solver, const Problem& problem, const SolveReport& best,
                                     SolveReport& report) {
  report.solver = name_;
  observerFailed_ = false;
  const auto failed = [&](std::string_view reason) {
    // The other processes are still with this member.
    if (observerFailed_ || isPart(problem)) throw;
    report.reason = reason;
  };
  try {
    Made& member = *made(solver);
    member.solver->setMeasure(this->measure());
    member.solver->setLeniency(thrift_ == Thrift::none ? 1. : this->leniency());
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
    if (report.error <= tolerance_) {
      member.pause.end();
    } else if (isGoodEnough(best.error)) {
      member.pause.lengthen();
    }
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

// Whether it is not worth much to make an error smaller.
template <class Problem>
bool FallbackChain<Problem>::isGoodEnough(double error) const {
  return thrift_ != Thrift::none && error <= this->goodEnough();
}

// Whether the caller is content with this error, so that no solver of such cost is tried.
template <class Problem>
bool FallbackChain<Problem>::isGoodFor(Cost cost, double error) const {
  const Cost from = thrift_ == Thrift::full ? Cost::high : Cost::extreme;
  if (thrift_ == Thrift::none || cost < from) return false;
  return cost == from ? isGoodEnough(error) : error <= this->leniency() * tolerance_;
}

// Whether a solver that has failed in the last solves is left out of this one.
template <class Problem>
bool FallbackChain<Problem>::pauses(std::string_view solver, const SolveReport& best) {
  Made* const member = isGoodEnough(best.error) ? found(solver) : nullptr;
  if (member == nullptr || !member->pause.isOn()) return false;
  member->pause.pass();
  return true;
}

template <class Problem>
typename FallbackChain<Problem>::Outcome FallbackChain<Problem>::compute(const Problem& problem, Vector& unknown) {
  using Verdict = Trials::Verdict;
  const std::size_t lines = countLines(problem);
  assign(unknown, start_);
  bool isTried = false;
  bool isLate = false;
  bool isProved = false;
  Outcome proof;
  const auto next = [&](std::size_t line, const SolveReport& best, SolveReport& report) {
    if (isGoodFor(costOf(line), best.error) || !isFor(line, problem)) return Verdict::goOn;
    isLate = isTried && this->timeIsUp(problem);
    if (isLate) return Verdict::ended;
    if (pauses(solverOf(line), best)) return Verdict::goOn;
    isTried = true;
    assign(startOf(line) == Start::best ? unknown : start_, trials_.unknown());
    attempt(solverOf(line), problem, best, report);
    if (report.error <= tolerance_) return Verdict::accepted;
    if (report.status != SolveStatus::infeasible) return Verdict::goOn;
    isProved = Trials::isProof(report, best);
    if (isProved) {
      proof = {SolveStatus::infeasible, report.iterations, report.reason, report.solver};
      return Verdict::ended;
    }
    report.status = SolveStatus::numericalFailure;
    return Verdict::goOn;
  };
  const SolveReport best = trials_.inTurn(lines, unknown, next);
  if (best.error <= tolerance_) {
    // Computed by the member for exactly this answer, in the same measure; of what the member misses, or certified by
    // a larger tolerance of its own, solve() certifies anew.
    if (best.converged() && best.tolerance <= tolerance_) this->adoptCertificate(best.error, trials_.bestDual());
    return {SolveStatus::converged, best.iterations, {}, best.solver};
  }
  if (isProved) return proof;
  if (!isTried) return {SolveStatus::unsupported, 0, "no solver of the chain takes this problem"};
  if (isLate) return {SolveStatus::timeLimit, best.iterations, {}, best.solver};
  return {best.status, best.iterations, best.reason, best.solver};
}

template <class Problem>
void FallbackChain<Problem>::serializeState(StateArchive& archive) {
  const std::size_t count = archive.count("solvers made", made_.size());
  if (archive.restores()) made_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    std::string solver(archive.restores() ? std::string_view() : made_[k].name);
    archive.value("solver", solver);
    Made* const member = made(solver);
    if (member == nullptr) archive.refuse(std::string(name_) + " has no solver '" + solver + "'.");
    member->solver->serializeState(archive);
    member->pause.serializeState(archive);
  }
}

template class FallbackChain<FrictionContactProblem>;
template class FallbackChain<ProblemOverSets>;
template class FallbackChain<VariationalInequality>;

}  // namespace delassus::numerics
