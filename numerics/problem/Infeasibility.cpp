// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/Infeasibility.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/ProofSums.hpp>
#include <delassus/numerics/problem/LinearConditions.hpp>
#include <delassus/numerics/problem/SparseFactors.hpp>
#include <string>
#include <vector>

namespace delassus::numerics {
namespace {

constexpr std::size_t largestCorrected = 500;
constexpr std::size_t mostSums = 5000;

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

// H y, which is what Wᵀ y comes from.
std::vector<ProofSum> impulsesOf(const SparseFactors& factors, const Vector& y) {
  std::vector<ProofSum> sums(factors.H.size1());
  for (std::size_t j = 0; j < y.size(); ++j) {
    if (y(j) == 0.) continue;
    for (std::size_t k = columnStart(factors.H, j); k < columnStart(factors.H, j + 1); ++k) {
      sums[rowOf(factors.H, k)].add(static_cast<long double>(y(j)) * valueOf(factors.H, k));
    }
  }
  return sums;
}

// Of a W that is kept by its factors: H y = 0, so that yᵀ w = bᵀ y, and that is negative.
bool holdsByFactors(const ProblemOverSets& problem, const Vector& y, double rounding, double clear) {
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const std::size_t first = problem.offset(part);
    if (!problem.set(part).implies(data(y) + first, problem.rows(part), problem.lowerOf(part), problem.upperOf(part))) {
      return false;
    }
  }
  const std::vector<ProofSum> impulses = impulsesOf(*problem.factors(), y);
  if (!std::all_of(impulses.begin(), impulses.end(), [&](const ProofSum& sum) { return sum.isZero(rounding); })) {
    return false;
  }
  // What is zero by rounding alone may be multiplied by velocities as large as those that f causes, so that these count
  // among the terms with which the sum is compared.
  ProofSum sum = product(problem.outputsAtRest(), y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum.size += std::abs(static_cast<long double>(problem.q()(i) - problem.outputsAtRest()(i)) * y(i));
  }
  return sum.isNegative(clear);
}

// With sums that are zero up to `rounding`, and the last one at least the part `clear` of its terms.
bool holds(const ProblemOverSets& problem, const Vector& y, double rounding, double clear) {
  if (problem.factors() != nullptr) return holdsByFactors(problem, y, rounding, clear);
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
  std::vector<double> least;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const std::size_t count = problem.rows(part);
    least.resize(2 * count);
    if (!problem.set(part).intervals(count, problem.lowerOf(part), problem.upperOf(part), least.data(),
                                     least.data() + count)) {
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) rows[problem.offset(part) + i] = std::isfinite(least[i]) ? 1 : 0;
  }
  return rows;
}

}  // namespace

bool provesInfeasible(const ProblemOverSets& stated, const Vector& y) {
  const ProblemOverSets& problem = stated.origin();
  if (y.size() != problem.size()) {
    requireSize(y, problem.size(), std::string(problem.traits().name) + ": y of provesInfeasible");
  }
  if (!problem.requireSystems() || !allFinite(y)) return false;
  const double rounding = roundingOfProof(y.size());
  const Vector weights = clipped(problem, y);
  if (holds(problem, weights, rounding, clearPart(rounding))) return true;
  const std::size_t sums = problem.factors() != nullptr ? problem.factors()->inverse->size() : y.size();
  if (y.size() > largestCorrected || sums > mostSums || !holds(problem, weights, nearlyProof, nearlyProof))
    return false;
  const auto combine = [&](const Vector& x) {
    return problem.factors() != nullptr ? impulsesOf(*problem.factors(), x) : transposedProduct(problem.matrix(), x);
  };
  const std::vector<char> mayBeNegative = problem.factors() != nullptr ? std::vector<char>() : negativeRows(problem);
  return holds(problem, clipped(problem, sharpened(weights, combine, mayBeNegative)), rounding, clearPart(rounding));
}

namespace {

// Rows up to which a proof is searched, and proofs times the fourth power of the rows.
constexpr std::size_t mostRows = 150;
constexpr double mostWork = 5e8;

using Sign = LinearConditions::Sign;

class Tree {
 public:
  Tree(const BoxView& problem, std::size_t maxProofs, const std::function<bool()>& stop)
      : problem_(problem), conditions_(problem.M, problem.q), left_(maxProofs), stop_(stop) {
    for (std::size_t i = 0; i < problem.size(); ++i) relax(i);
  }

  // With the rows before `row` decided.
  bool excludes(std::size_t row) {
    if (left_ == 0 || stop_()) return false;
    --left_;
    if (conditions_.areContradictory(stop_)) return true;
    while (row < problem_.size() && !hasChoice(row)) ++row;
    if (row == problem_.size()) return false;
    const bool excluded = excludesChoices(row);
    relax(row);
    return excluded;
  }

 private:
  // What holds in a row without one is always asked.
  bool hasChoice(std::size_t i) const { return !problem_.isFree(i) && problem_.lower(i) != problem_.upper(i); }

  void decide(std::size_t i, double lower, double upper, Sign sign) {
    conditions_.bound(i, lower, upper);
    conditions_.require(i, sign);
  }

  // What holds in the row in any case.
  void relax(std::size_t i) {
    const bool low = std::isfinite(problem_.lower(i)), high = std::isfinite(problem_.upper(i));
    const Sign sign = low ? (high ? Sign::any : Sign::nonnegative) : (high ? Sign::nonpositive : Sign::zero);
    decide(i, problem_.lower(i), problem_.upper(i), sign);
  }

  bool excludesChoices(std::size_t i) {
    const double lower = problem_.lower(i), upper = problem_.upper(i);
    decide(i, lower, upper, Sign::zero);
    if (!excludes(i + 1)) return false;
    if (std::isfinite(lower)) {
      decide(i, lower, lower, Sign::nonnegative);
      if (!excludes(i + 1)) return false;
    }
    if (!std::isfinite(upper)) return true;
    decide(i, upper, upper, Sign::nonpositive);
    return excludes(i + 1);
  }

  const BoxView& problem_;
  LinearConditions conditions_;
  std::size_t left_;
  const std::function<bool()>& stop_;
};

}  // namespace

bool provesUnsolvable(const BoxView& problem, const std::function<bool()>& stop, std::size_t maxProofs) {
  const std::size_t rows = problem.q.size();
  if (rows > mostRows || !problem.isGiven) return false;
  const double affordable = std::max(1., mostWork / std::pow(static_cast<double>(rows + 1), 4.));
  const auto proofs = affordable < static_cast<double>(maxProofs) ? static_cast<std::size_t>(affordable) : maxProofs;
  return Tree(problem, proofs, stop).excludes(0);
}

}  // namespace delassus::numerics
