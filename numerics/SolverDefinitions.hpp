// SPDX-License-Identifier: Apache-2.0
#pragma once

// Definitions of the templates in Solver.hpp, for the sources that compile them for a class of problems.
#include <cassert>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Solver.hpp>
#include <string>

namespace delassus::numerics {

template <class Problem>
SolveReport CertifiedSolver<Problem>::solve(const Problem& problem, Vector& unknown, Vector& dual) {
  if (validated_.isCurrent(problem.stamp())) {
    problem.validateVectors();
  } else {
    problem.validate();
    validated_.take(problem.stamp());
  }
  const std::size_t n = problem.size();
  if (unknown.size() == 0) assignZero(unknown, n);
  if (unknown.size() != n) requireSize(unknown, n, std::string(name()) + ": the start");
  if (!allFinite(unknown)) requireFinite(unknown, std::string(name()) + ": the start");

  startClock();
  certifiedDual_ = nullptr;
  const Outcome outcome = n > 0 ? run(problem, unknown) : Outcome{SolveStatus::converged, 0, {}};
  StopRequest::throwIfOverdue();

  SolveReport report;
  report.solver = outcome.solver.empty() ? name() : outcome.solver;
  report.failedSolvers = outcome.failedSolvers;
  report.tolerance = outcome.tolerance > 0. ? outcome.tolerance : tolerance();
  report.iterations = outcome.iterations;
  report.reason = outcome.reason;
  if (certifiedDual_ != nullptr) {
    report.error = certificate_;
    assign(*certifiedDual_, dual);
    // A problem that was stated in another class may have been summed in another order.
    assert(report.error > report.tolerance ||
           errorOf(problem, measure_, unknown, dual_, report.tolerance) <= report.tolerance * (1. + 1e-6));
  } else {
    report.error = errorOf(problem, measure_, unknown, dual, report.tolerance);
  }
  if (report.error <= report.tolerance) {
    report.status = SolveStatus::converged;
    report.reason = {};
  } else {
    report.status = outcome.status == SolveStatus::converged ? SolveStatus::inaccurate : outcome.status;
  }
  return report;
}

template <class Problem>
double CertifiedSolver<Problem>::certifiedError(const Problem& problem, const Vector& unknown) {
  return lastError_ = errorOf(problem, measure_, unknown, dual_, tolerance());
}

template <class Problem>
void CertifiedSolver<Problem>::setTimeLimit(double seconds) {
  if (!(seconds > 0.))
    throw Error(std::string(name()), "the time limit must be positive, got " + toText(seconds) + " s.");
  timeLimit_ = seconds;
}

template <class Problem>
void CertifiedSolver<Problem>::setLeniency(double factor) {
  if (!(factor >= 1.)) throw Error(std::string(name()), "the leniency must be at least 1, got " + toText(factor) + ".");
  leniency_ = factor;
}

template <class Problem>
void CertifiedSolver<Problem>::startClock() {
  // Limits of more than a year would overflow the clock.
  hasDeadline_ = timeLimit_ < 3e7;
  if (!hasDeadline_) return;
  deadline_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                     std::chrono::duration<double>(timeLimit_));
}

template <class Problem>
double CertifiedSolver<Problem>::remainingTime() const {
  if (!hasDeadline_) return std::numeric_limits<double>::infinity();
  const std::chrono::duration<double> left = deadline_ - std::chrono::steady_clock::now();
  return left.count() > 1e-9 ? left.count() : 1e-9;
}

namespace detail {

// Ends what a stated problem has of another one.
template <class Problem>
struct Release {
  Problem& stated;
  ~Release() { stated.release(); }
};

}  // namespace detail

template <class Problem>
typename Solver<Problem>::Outcome Solver<Problem>::run(const RootOf<Problem>& problem, Vector& unknown) {
  if constexpr (!statesProblems) {
    return compute(problem, unknown);
  } else {
    if (&problem.traits() == &Problem::ofItsClass) return compute(static_cast<const Problem&>(problem), unknown);
    if (!stated_.problem) stated_.problem = std::make_unique<Problem>();
    const detail::Release<Problem> release{*stated_.problem};
    if (!stated_.problem->state(problem)) return {SolveStatus::unsupported, 0, Problem::whyNotStated};
    return compute(*stated_.problem, unknown);
  }
}

}  // namespace delassus::numerics
