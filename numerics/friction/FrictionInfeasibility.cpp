// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionInfeasibility.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/ProofSums.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <vector>

namespace delassus::numerics {
namespace {

constexpr std::size_t largestCorrected = 500;

// Wᵀ(λ, 0)
std::vector<ProofSum> combined(const BlockSparseMatrix& W, std::size_t d, const Vector& lambda) {
  std::vector<ProofSum> g(W.size());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    if (!(lambda(row) > 0.)) continue;
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      for (std::size_t j = 0; j < d; ++j) {
        g[d * W.column(k) + j].add(static_cast<long double>(lambda(row)) * W.block(k)[d * j]);
      }
    }
  }
  return g;
}

// H (λ, 0)
std::vector<ProofSum> combined(const SparseMatrix& H, std::size_t d, const Vector& lambda) {
  std::vector<ProofSum> g(H.size1());
  for (std::size_t contact = 0; contact < lambda.size(); ++contact) {
    if (!(lambda(contact) > 0.)) continue;
    for (std::size_t k = columnStart(H, d * contact); k < columnStart(H, d * contact + 1); ++k) {
      g[rowOf(H, k)].add(static_cast<long double>(lambda(contact)) * valueOf(H, k));
    }
  }
  return g;
}

// λᵀ q_N < 0, clearly so where it is to be a proof.
bool closes(const Vector& q, std::size_t d, const Vector& lambda, double rounding) {
  ProofSum sum;
  for (std::size_t contact = 0; contact < lambda.size(); ++contact) {
    sum.add(static_cast<long double>(q(d * contact)) * std::max(0., lambda(contact)));
  }
  return sum.isNegative(rounding < nearlyProof ? clearPart(rounding) : rounding);
}

bool holds(const FrictionContactProblem& problem, const BlockSparseMatrix& W, const Vector& lambda, double rounding) {
  const std::size_t d = problem.dimension();
  if (!closes(problem.q(), d, lambda, rounding)) return false;
  const std::vector<ProofSum> g = combined(W, d, lambda);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const ProofSum* const at = g.data() + d * contact;
    ProofSum squares;
    for (std::size_t i = 1; i < d; ++i) {
      squares.value += at[i].value * at[i].value;
      squares.size += at[i].size * at[i].size;
    }
    const double mu = problem.mu()(contact);
    const ProofSum sum{at[0].value + mu * std::sqrt(squares.value), at[0].size + mu * std::sqrt(squares.size)};
    if (!sum.isNotPositive(rounding)) return false;
  }
  return true;
}

bool holds(const GlobalFrictionContactProblem& problem, const Vector& lambda, double rounding) {
  if (!closes(problem.b(), problem.dimension(), lambda, rounding)) return false;
  const std::vector<ProofSum> g = combined(problem.H(), problem.dimension(), lambda);
  return std::all_of(g.begin(), g.end(), [&](const ProofSum& sum) { return sum.isZero(rounding); });
}

// `holds` to rounding for λ, or for λ as corrected by `correct`.
template <class Holds, class Correct>
bool provenBy(const Vector& lambda, std::size_t reactions, Holds&& holdsTo, Correct&& correct) {
  const double rounding = roundingOfProof(reactions);
  if (!allFinite(lambda)) return false;
  if (holdsTo(lambda, rounding)) return true;
  if (lambda.size() > largestCorrected || !holdsTo(lambda, nearlyProof)) return false;
  Vector weights = lambda;
  for (double& weight : weights.data()) weight = std::max(0., weight);
  return holdsTo(correct(weights), rounding);
}

}  // namespace

bool provesInfeasible(const FrictionContactProblem& problem, const Vector& lambda) {
  requireSize(lambda, problem.contacts(), "provesInfeasible: λ");
  const BlockSparseMatrix* const W = problem.W().matrix();
  if (W == nullptr) return false;
  const auto combine = [&](const Vector& weights) { return combined(*W, problem.dimension(), weights); };
  return provenBy(
      lambda, problem.size(),
      [&](const Vector& weights, double rounding) { return holds(problem, *W, weights, rounding); },
      [&](const Vector& weights) { return sharpened(weights, combine, false); });
}

bool provesInfeasible(const GlobalFrictionContactProblem& problem, const Vector& lambda) {
  requireSize(lambda, problem.contacts(), "provesInfeasible: λ");
  const auto combine = [&](const Vector& weights) { return combined(problem.H(), problem.dimension(), weights); };
  return provenBy(
      lambda, problem.contactSize(),
      [&](const Vector& weights, double rounding) { return holds(problem, weights, rounding); },
      [&](const Vector& weights) { return sharpened(weights, combine, false); });
}

}  // namespace delassus::numerics
