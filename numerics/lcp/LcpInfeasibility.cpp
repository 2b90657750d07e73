// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/ProofSums.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/LcpInfeasibility.hpp>

namespace delassus::numerics {
namespace {

Vector positivePart(Vector y) {
  for (double& entry : y.data()) entry = std::max(0., entry);
  return y;
}

// With sums that are zero up to `rounding`, and qᵀ y at least the part `clear` of its terms; y ≥ 0.
bool holds(const LinearComplementarityProblem& problem, const Vector& y, double rounding, double clear) {
  if (!product(problem.q(), y).isNegative(clear)) return false;
  const std::vector<ProofSum> sums = transposedProduct(problem.M(), y);
  return std::all_of(sums.begin(), sums.end(), [&](const ProofSum& sum) { return sum.isNotPositive(rounding); });
}

}  // namespace

bool provesInfeasible(const LinearComplementarityProblem& problem, const Vector& y) {
  requireSize(y, problem.size(), "provesInfeasible: y");
  if (!allFinite(y)) return false;
  const double rounding = roundingOfProof(y.size());
  const Vector weights = positivePart(y);
  if (holds(problem, weights, rounding, clearPart(rounding))) return true;
  constexpr std::size_t largestSize = 500;
  if (y.size() > largestSize || !holds(problem, weights, nearlyProof, nearlyProof)) return false;
  const auto combine = [&](const Vector& x) { return transposedProduct(problem.M(), x); };
  return holds(problem, positivePart(sharpened(weights, combine, true)), rounding, clearPart(rounding));
}

}  // namespace delassus::numerics
