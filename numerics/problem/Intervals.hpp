// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <string_view>

namespace delassus::numerics {

/// The ends of the intervals in which the multipliers of a problem lie, row by row, where all of its sets are products
/// of intervals (ConvexSet::intervals) and its W is a matrix: LCP, mixed and relay problems, and mechanisms without
/// friction. For the methods that take these.
class Intervals {
 public:
  /// Takes those of a problem; false where there are none. Allocates only where the problem is larger than any before.
  bool take(const ProblemOverSets& problem);
  /// The reason that a method gives where take() is false.
  static constexpr std::string_view whyNotTaken =
      "the sets of the parts are not all intervals, with a matrix that is built";

  /// l, −∞ allowed, and u, ∞ allowed.
  ///@{
  const Vector& lower() const { return filled().lower_; }
  const Vector& upper() const { return filled().upper_; }
  ///@}
  /// Whether all are [0, ∞): the problem is an LCP.
  bool areHalfLines() const { return areHalfLines_; }
  /// Whether all are [0, ∞) or ℝ: the problem is a mixed one.
  bool areMixed() const { return areMixed_; }

 private:
  bool sort();
  const Intervals& filled() const {
    if (content_ == Content::none) fill();
    return *this;
  }
  void fill() const;

  enum class Content : char { none, halfLines, read };

  std::size_t size_ = 0;
  // Those of an LCP are mostly not asked for, and not filled before.
  mutable Vector lower_, upper_;
  mutable Content content_ = Content::read;  // of these
  bool areHalfLines_ = false;
  bool areMixed_ = false;
};

/// Whether a problem is an LCP: its multipliers all have [0, ∞), and its W is a matrix.
bool isComplementarity(const ProblemOverSets& problem);
/// The reason that methods for LCPs alone give where a problem is none.
inline constexpr std::string_view whyNoComplementarity =
    "the multipliers are not all bounded by 0 below and by nothing above, with a matrix that is built";

}  // namespace delassus::numerics
