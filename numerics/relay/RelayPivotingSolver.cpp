// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>

namespace delassus::numerics {
namespace {

// Two to three digits above rounding: the sign of anything smaller is not known.
constexpr double signTolerance = 1e-13;
// As in BlockPivotingSolver: M may be symmetric to ε κ only.
constexpr double symmetryTolerance = 1e-8;

void clampToBox(const RelayProblem& problem, Vector& z) {
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = std::clamp(z(i), problem.lower()(i), problem.upper()(i));
}

}  // namespace

RelayPivotingSolver::RelayPivotingSolver(RelayPivotingOptions options) : WithOptions("RelayPivotingSolver", options) {
}

// By the natural map at z: components that it projects to a bound start there.
void RelayPivotingSolver::guess(const RelayProblem& problem, Vector& z) {
  clampToBox(problem, z);
  problem.M().multiply(data(z), data(w_));
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double d = diagonal_(i) > 0. ? diagonal_(i) : 1.;
    const double target = d * z(i) - w_(i) - problem.q()(i);
    state_[i] = State::free;
    if (target < d * problem.lower()(i)) state_[i] = State::lower;
    if (target > d * problem.upper()(i)) state_[i] = State::upper;
    if (problem.lower()(i) == problem.upper()(i)) state_[i] = State::lower;
  }
}

bool RelayPivotingSolver::factorFree(const RelayProblem& problem) {
  usesCholesky_ = symmetric_ && cholesky_.factor(problem.M(), isFree_);
  if (usesCholesky_) return true;
  if (problem.size() > options_.denseSize && PrincipalLU::isNearlyFull(problem.M())) return false;
  return lu_.factor(problem.M(), isFree_);
}

// w_F := −M_FF⁻¹ (M z + q)_F
void RelayPivotingSolver::solveResidual(const RelayProblem& problem, const Vector& z) {
  problem.M().multiply(data(z), data(w_));
  for (std::size_t i = 0; i < z.size(); ++i) w_(i) = -w_(i) - problem.q()(i);
  if (usesCholesky_) {
    cholesky_.solve(w_);
  } else {
    lu_.solve(w_);
  }
}

bool RelayPivotingSolver::solveFree(const RelayProblem& problem, Vector& z) {
  free_.clear();
  for (std::size_t i = 0; i < z.size(); ++i) {
    isFree_[i] = state_[i] == State::free ? 1 : 0;
    z(i) = state_[i] == State::lower ? problem.lower()(i) : problem.upper()(i);
    if (isFree_[i] == 0) continue;
    free_.push_back(i);
    z(i) = 0.;
  }
  if (free_.empty()) return true;
  if (!factorFree(problem)) return false;
  solveResidual(problem, z);
  for (const std::size_t i : free_) z(i) = w_(i);
  return true;
}

void RelayPivotingSolver::findViolated(const RelayProblem& problem, const Vector& z) {
  problem.M().multiply(data(z), data(w_));
  const double marginZ = signTolerance * normInf(z);
  double scale = normInf(problem.q());
  for (std::size_t i = 0; i < z.size(); ++i) {
    scale = std::max(scale, std::abs(diagonal_(i) * z(i)));
    w_(i) += problem.q()(i);
  }
  const double marginW = signTolerance * scale;
  violated_.clear();
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (problem.lower()(i) == problem.upper()(i)) continue;
    const bool outside = z(i) < problem.lower()(i) - marginZ || z(i) > problem.upper()(i) + marginZ;
    const bool wrong = state_[i] == State::free    ? outside
                       : state_[i] == State::lower ? w_(i) < -marginW
                                                   : w_(i) > marginW;
    if (wrong) violated_.push_back(i);
  }
}

RelayPivotingSolver::State RelayPivotingSolver::exchanged(const RelayProblem& problem, const Vector& z,
                                                          std::size_t i) const {
  if (state_[i] != State::free) return State::free;
  return z(i) < problem.lower()(i) ? State::lower : State::upper;
}

// One step of iterative refinement on the free components if rounding misses the tolerance; more steps do not pay.
void RelayPivotingSolver::refine(const RelayProblem& problem, Vector& z) {
  const double error = certifiedError(problem, z);
  if (error <= options_.tolerance || free_.empty()) return;
  assign(z, refined_);
  solveResidual(problem, z);
  for (const std::size_t i : free_) refined_(i) += w_(i);
  clampToBox(problem, refined_);
  if (certifiedError(problem, refined_) < error) z.swap(refined_);
}

RelayPivotingSolver::Outcome RelayPivotingSolver::compute(const RelayProblem& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (stamp_ != problem.stamp()) {
    symmetric_ = problem.M().isSymmetric(symmetryTolerance);
    stamp_ = problem.stamp();
  }
  state_.resize(n);
  isFree_.resize(n);
  assignZero(w_, n);
  assignZero(diagonal_, n);
  problem.M().diagonal(data(diagonal_));
  guess(problem, z);

  std::size_t fewest = n + 1;
  std::size_t patience = options_.patience;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    if (!solveFree(problem, z)) {
      clampToBox(problem, z);
      if (n > options_.denseSize && PrincipalLU::isNearlyFull(problem.M())) {
        return {SolveStatus::unsupported, iteration,
                "M is full, not symmetric definite and larger than the option denseSize"};
      }
      return {SolveStatus::numericalFailure, iteration, "M is singular on the free components"};
    }
    findViolated(problem, z);
    observe(iteration, static_cast<double>(violated_.size()));
    if (violated_.empty() || timeIsUp()) {
      clampToBox(problem, z);
      if (violated_.empty()) refine(problem, z);
      return {violated_.empty() ? SolveStatus::converged : SolveStatus::timeLimit, iteration, {}};
    }
    if (violated_.size() < fewest) {
      fewest = violated_.size();
      patience = options_.patience;
    } else if (patience > 0) {
      --patience;
    } else {
      violated_.front() = violated_.back();
      violated_.resize(1);
    }
    for (const std::size_t i : violated_) state_[i] = exchanged(problem, z, i);
  }
  clampToBox(problem, z);
  return {SolveStatus::iterationLimit, options_.maxIterations, "the exchange limit was reached"};
}

}  // namespace delassus::numerics
