// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

// Two to three digits above rounding: the sign of anything smaller is not known.
constexpr double signTolerance = 1e-13;

// G W⁻¹ Gᵀ of an ill-conditioned W is symmetric only to ε κ(W). Cholesky reads one triangle; the certificate judges the
// answer by all of M.
constexpr double symmetryTolerance = 1e-8;

}  // namespace

BlockPivotingSolver::BlockPivotingSolver(BlockPivotingOptions options) : WithOptions("BlockPivotingSolver", options) {
}

// Where z_i = w_i = 0 the row counts as active: contacts that barely touch usually take part in an impact.
void BlockPivotingSolver::guessActiveSet(const LinearComplementarityProblem& problem, const Vector& z) {
  problem.M().multiply(data(z), data(w_));
  problem.M().diagonal(data(diagonal_));
  for (std::size_t i = 0; i < z.size(); ++i) {
    active_[i] = diagonal_(i) * z(i) >= w_(i) + problem.q()(i) ? 1 : 0;
  }
}

bool BlockPivotingSolver::solveActiveSet(const LinearComplementarityProblem& problem, Vector& z) {
  const bool regular = symmetric_ ? cholesky_.factor(problem.M(), active_) : lu_.factor(problem.M(), active_);
  if (!regular) return false;
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = -problem.q()(i);
  if (symmetric_) {
    cholesky_.solve(z);
  } else {
    lu_.solve(z);
  }
  return true;
}

void BlockPivotingSolver::findViolated(const LinearComplementarityProblem& problem, const Vector& z) {
  problem.M().multiply(data(z), data(w_));
  const double leastZ = -signTolerance * normInf(z);
  // w is a difference of q and products of the size of M_ii z_i.
  double scale = normInf(problem.q());
  for (std::size_t i = 0; i < z.size(); ++i) scale = std::max(scale, diagonal_(i) * std::abs(z(i)));
  const double leastW = -signTolerance * scale;
  violated_.clear();
  for (std::size_t i = 0; i < z.size(); ++i) {
    const bool wrong = active_[i] != 0 ? z(i) < leastZ : w_(i) + problem.q()(i) < leastW;
    if (wrong) violated_.push_back(i);
  }
}

BlockPivotingSolver::Outcome BlockPivotingSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (stamp_ != problem.stamp()) {
    symmetric_ = problem.M().isSymmetric(symmetryTolerance);
    stamp_ = problem.stamp();
  }
  if (!symmetric_ && options_.symmetricOnly) return {SolveStatus::unsupported, 0, "M is not symmetric"};
  active_.resize(n);
  if (w_.size() != n) {
    w_.resize(n, false);
    diagonal_.resize(n, false);
  }
  guessActiveSet(problem, z);

  std::size_t fewest = n + 1;
  std::size_t patience = options_.patience;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    if (!solveActiveSet(problem, z)) {
      setZero(z);
      return {SolveStatus::numericalFailure, iteration,
              symmetric_ ? "M is not positive definite on an active set" : "M is singular on an active set"};
    }
    findViolated(problem, z);
    if (violated_.empty()) {
      for (double& entry : z.data()) entry = std::max(0., entry);
      return {SolveStatus::converged, iteration, {}};
    }
    observe(iteration, static_cast<double>(violated_.size()));
    if (timeIsUp()) {
      for (double& entry : z.data()) entry = std::max(0., entry);
      return {SolveStatus::timeLimit, iteration, {}};
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
    for (const std::size_t i : violated_) active_[i] = active_[i] != 0 ? 0 : 1;
  }
  for (double& entry : z.data()) entry = std::max(0., entry);
  return {SolveStatus::iterationLimit, options_.maxIterations, "the exchange limit was reached"};
}

}  // namespace delassus::numerics
