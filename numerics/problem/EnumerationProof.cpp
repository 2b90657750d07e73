// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/problem/EnumerationProof.hpp>
#include <delassus/numerics/problem/LinearConditions.hpp>

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
