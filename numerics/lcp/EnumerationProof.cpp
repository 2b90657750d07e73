// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <delassus/numerics/lcp/LinearInfeasibility.hpp>

namespace delassus::numerics {
namespace {

// Rows up to which a proof is searched, and proofs times the fourth power of the rows.
constexpr std::size_t mostRows = 150;
constexpr double mostWork = 5e8;

using Sign = LinearConditions::Sign;

class Tree {
 public:
  Tree(const BoxView& problem, std::size_t maxProofs, const std::function<bool()>& stop)
      : problem_(problem), conditions_(problem.M, problem.q), left_(maxProofs), stop_(stop) {
    for (const std::size_t row : problem.equalityRows) conditions_.require(row, Sign::zero);
    for (std::size_t k = 0; k < problem.pairs(); ++k) relax(k);
  }

  // With the pairs before `pair` decided.
  bool excludes(std::size_t pair) {
    if (left_ == 0 || stop_()) return false;
    --left_;
    if (conditions_.areContradictory(stop_)) return true;
    if (pair == problem_.pairs()) return false;
    const bool excluded = excludesChoices(pair);
    relax(pair);
    return excluded;
  }

 private:
  void decide(std::size_t k, double lower, double upper, Sign sign) {
    conditions_.bound(problem_.pairColumns[k], lower, upper);
    conditions_.require(problem_.pairRows[k], sign);
  }

  // What holds of the pair in any case.
  void relax(std::size_t k) {
    const bool low = std::isfinite(problem_.lower(k)), high = std::isfinite(problem_.upper(k));
    const Sign sign = low ? (high ? Sign::any : Sign::nonnegative) : (high ? Sign::nonpositive : Sign::zero);
    decide(k, problem_.lower(k), problem_.upper(k), sign);
  }

  bool excludesChoices(std::size_t k) {
    const double lower = problem_.lower(k), upper = problem_.upper(k);
    if (lower == upper) return excludes(k + 1);
    decide(k, lower, upper, Sign::zero);
    if (!excludes(k + 1)) return false;
    if (std::isfinite(lower)) {
      decide(k, lower, lower, Sign::nonnegative);
      if (!excludes(k + 1)) return false;
    }
    if (!std::isfinite(upper)) return true;
    decide(k, upper, upper, Sign::nonpositive);
    return excludes(k + 1);
  }

  const BoxView& problem_;
  LinearConditions conditions_;
  std::size_t left_;
  const std::function<bool()>& stop_;
};

}  // namespace

bool provesUnsolvable(const BoxView& problem, const std::function<bool()>& stop, std::size_t maxProofs) {
  const std::size_t rows = problem.q.size();
  if (rows > mostRows) return false;
  const double affordable = std::max(1., mostWork / std::pow(static_cast<double>(rows + 1), 4.));
  const auto proofs = affordable < static_cast<double>(maxProofs) ? static_cast<std::size_t>(affordable) : maxProofs;
  return Tree(problem, proofs, stop).excludes(0);
}

}  // namespace delassus::numerics
