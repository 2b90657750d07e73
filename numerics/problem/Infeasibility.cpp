// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/Infeasibility.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/ProofSums.hpp>
#include <string>
#include <vector>

namespace delassus::numerics {
namespace {

constexpr std::size_t largestCorrected = 500;

// Without entries that rounding has made negative where no set implies that.
Vector clipped(const ProblemOverSets& problem, Vector y) {
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    const std::size_t signedRows = set.isOrthant() ? problem.rows(part) : set.isContact() ? 1 : 0;
    for (std::size_t i = 0; i < signedRows; ++i) {
      double& entry = y(problem.offset(part) + i);
      entry = std::max(0., entry);
    }
  }
  return y;
}

// With sums that are zero up to `rounding`, and the last one at least the part `clear` of its terms.
bool holds(const ProblemOverSets& problem, const Vector& y, double rounding, double clear) {
  ProofSum sum = product(problem.q(), y);
  const std::vector<ProofSum> g = transposedProduct(problem.matrix(), y);
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    const std::size_t rows = problem.rows(part), first = problem.offset(part);
    const double *const lower = problem.lowerOf(part), *const upper = problem.upperOf(part);
    if (!set.implies(data(y) + first, rows, lower, upper) ||
        !set.addLargest(g.data() + first, rows, lower, upper, rounding, sum)) {
      return false;
    }
  }
  return sum.isNegative(clear);
}

// Rows in which g may be negative.
std::vector<char> negativeRows(const ProblemOverSets& problem) {
  std::vector<char> rows(problem.size(), 0);
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    for (std::size_t i = 0; i < problem.rows(part); ++i) {
      const bool hasLower = set.isOrthant() || (set.isBox() && std::isfinite(problem.lowerOf(part)[i]));
      rows[problem.offset(part) + i] = hasLower ? 1 : 0;
    }
  }
  return rows;
}

}  // namespace

bool provesInfeasible(const ProblemOverSets& problem, const Vector& y) {
  if (y.size() != problem.size()) {
    requireSize(y, problem.size(), std::string(problem.traits().name) + ": y of provesInfeasible");
  }
  if (!problem.requireMatrix() || !allFinite(y)) return false;
  const double rounding = roundingOfProof(y.size());
  const Vector weights = clipped(problem, y);
  if (holds(problem, weights, rounding, clearPart(rounding))) return true;
  if (y.size() > largestCorrected || !holds(problem, weights, nearlyProof, nearlyProof)) return false;
  const auto combine = [&](const Vector& x) { return transposedProduct(problem.matrix(), x); };
  return holds(problem, clipped(problem, sharpened(weights, combine, negativeRows(problem))), rounding,
               clearPart(rounding));
}

}  // namespace delassus::numerics
