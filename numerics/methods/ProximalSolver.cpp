// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/ProximalSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr std::size_t stepsToAProof = 3;  // before them, solvable problems are far from their answers, too
constexpr double leastForAProof = 1e-6;   // an error below may be rounding

// The steps of the method tend to the element of least size in the closure of the values of W λ + q + N_C(λ). Where
// that is not zero there is no solution, and it is a proof. `to` stays; `from` becomes the step, of largest entry 1.
bool movesOff(const ProblemOverSets& problem, Vector& from, const Vector& to) {
  double largest = 0.;
  for (std::size_t i = 0; i < to.size(); ++i) {
    from(i) = to(i) - from(i);
    largest = std::max(largest, std::abs(from(i)));
  }
  if (!(largest > 0. && std::isfinite(largest))) return false;
  for (double& entry : from.data()) entry /= largest;
  return provesInfeasible(problem, from);
}

}  // namespace

ProximalSolver::ProximalSolver(std::unique_ptr<AnySolver<ProblemOverSets>> inner, ProximalOptions options)
    : WithOptions("ProximalSolver", options), inner_(std::move(inner)) {
  if (inner_ == nullptr) throw Error("ProximalSolver", "expected an inner solver, got none.");
}

// The sets and bounds of the problem; W is the shifted one of the last time.
bool ProximalSolver::state(const ProblemOverSets& problem) {
  if (!shifted_.state(problem)) return false;
  shifted_.W();
  if (problem.lower().size() > 0) return true;
  for (auto [bound, value] : {std::pair{&shifted_.lower(), -endless}, std::pair{&shifted_.upper(), endless}}) {
    assign(problem.q(), *bound);
    std::fill(bound->begin(), bound->end(), value);
  }
  return true;
}

// W + δ D and δ D for the weight δ.
void ProximalSolver::shift(const ProblemOverSets& problem, double weight) {
  if (shiftedFrom_.isCurrent(problem.stamp(), weight)) return;
  shiftedFrom_.forget();
  BlockSparseMatrix& W = shifted_.W();
  copyWithDiagonal(problem.matrix(), W);
  assignZero(shift_, problem.size());
  problem.matrix().diagonal(data(shift_));
  for (double& entry : shift_.data()) entry = weight * (entry > 0. ? entry : 1.);
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t m = W.blockSize(row);
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      if (W.column(k) != row) continue;
      for (std::size_t i = 0; i < m; ++i) W.block(k)[i * (m + 1)] += shift_(W.offset(row) + i);
    }
  }
  W.touch();
  shiftedFrom_.take(problem.stamp(), weight);
}

// The proximal step from `lambda` into next_.
SolveReport ProximalSolver::proximalStep(const ProblemOverSets& problem, double weight, const Vector& lambda) {
  shift(problem, weight);
  for (std::size_t i = 0; i < lambda.size(); ++i) shifted_.q()(i) = problem.q()(i) - shift_(i) * lambda(i);
  assign(lambda, next_);
  inner_->setMeasure(measure());
  inner_->setTimeLimit(remainingTime());
  return inner_->solve(shifted_, next_, innerW_);
}

ProximalSolver::Outcome ProximalSolver::compute(const ProblemOverSets& problem, Vector& lambda) {
  constexpr double largest = 1.;
  constexpr double goodRate = 0.2;
  if (!state(problem)) return {SolveStatus::unsupported, 0, ProblemOverSets::whyNoMatrix};
  constexpr double smallest = 1e-9;
  constexpr double trust = 0.3;  // that a lower weight will do, after each step that was solved
  constexpr std::size_t mostFailures = 4;
  std::size_t failures = 0;
  double least = smallest;
  double weight = options_.weight;
  double previous = certifiedError(problem, lambda);
  for (std::size_t step = 0; step < options_.maxIterations; ++step) {
    observe(step, previous);
    if (previous <= options_.tolerance) return {SolveStatus::converged, step, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, step, {}};
    const SolveReport report = proximalStep(problem, weight, lambda);
    if (report.status == SolveStatus::unsupported) return {report.status, step, report.reason};
    if (!report.converged()) {
      // The inner method does not get there: increase the weight for some steps, or for good, since it may have spent
      // its whole chain on each of these steps.
      if (weight >= largest) {
        return {SolveStatus::numericalFailure, step, "a step is not solved, as where W is not positive semidefinite"};
      }
      ++failures;
      weight = std::min(largest, 10. * weight);
      least = weight;
      continue;
    }
    lambda.swap(next_);
    if (failures <= mostFailures) least = std::max(smallest, trust * least);
    const double error = certifiedError(problem, lambda);
    const bool isSlow = error > goodRate * previous;
    if (isSlow) weight = std::max(least, 0.1 * weight);
    previous = error;
    if (isSlow && error > leastForAProof && step + 1 >= stepsToAProof && movesOff(problem, next_, lambda)) {
      return {SolveStatus::infeasible, step + 1, "the multipliers grow in a direction that excludes a solution"};
    }
  }
  const bool solved = previous <= options_.tolerance;
  return {solved ? SolveStatus::converged : SolveStatus::iterationLimit, options_.maxIterations,
          "the step limit was reached"};
}

}  // namespace delassus::numerics
