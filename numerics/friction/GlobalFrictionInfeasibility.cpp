// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalFrictionInfeasibility.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/ProofSums.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <vector>

namespace delassus::numerics {
namespace {

constexpr std::size_t largestCorrected = 500;

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

bool holds(const GlobalFrictionContactProblem& problem, const Vector& lambda, double rounding) {
  if (!closes(problem.b(), problem.dimension(), lambda, rounding)) return false;
  const std::vector<ProofSum> g = combined(problem.H(), problem.dimension(), lambda);
  return std::all_of(g.begin(), g.end(), [&](const ProofSum& sum) { return sum.isZero(rounding); });
}

}  // namespace

bool provesInfeasible(const GlobalFrictionContactProblem& problem, const Vector& lambda) {
  requireSize(lambda, problem.contacts(), "provesInfeasible: λ");
  const double rounding = roundingOfProof(problem.contactSize());
  if (!allFinite(lambda)) return false;
  if (holds(problem, lambda, rounding)) return true;
  if (lambda.size() > largestCorrected || !holds(problem, lambda, nearlyProof)) return false;
  Vector weights = lambda;
  for (double& weight : weights.data()) weight = std::max(0., weight);
  const auto combine = [&](const Vector& x) { return combined(problem.H(), problem.dimension(), x); };
  return holds(problem, sharpened(weights, combine), rounding);
}

}  // namespace delassus::numerics
