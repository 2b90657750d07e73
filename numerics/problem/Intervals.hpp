// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <optional>
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

/// A problem over intervals with a dense M, as methods that work on bases see it:
///
///     w = M z + q,   l_i ≤ z_i ≤ u_i,   −w_i in the normal cone of [l_i, u_i] at z_i.
///
/// [0, ∞) is the complementarity 0 ≤ w_i ⟂ z_i ≥ 0, and (−∞, ∞) the equality w_i = 0. It owns nothing.
struct BoxView {
  const Matrix& M;      ///< n x n
  const Vector& q;      ///< w at z = 0
  const Vector& lower;  ///< l, −∞ allowed
  const Vector& upper;  ///< u, ∞ allowed
  /// Whether M and q are the data of the problem. Where they were rounded from its factors, what contradicts them
  /// proves nothing of the problem.
  bool isGiven = true;

  std::size_t size() const { return q.size(); }  ///< n
  /// Whether row i is an equality, with z_i free.
  bool isFree(std::size_t i) const;
  /// The factor that gives z_i the unit of w_i: M_ii where it is positive, else the largest entry of the row, so that a
  /// change of units changes nothing.
  double scale(std::size_t i) const;
  /// |q_i| + Σ_j |M_ij z_j|: the rounding of w_i is a few ε of it.
  double rowScale(std::size_t i, const Vector& z) const;
  /// Moves z to the nearest point of [l, u].
  void enterBox(Vector& z) const;
};

/// Makes the view of a problem, and holds what it refers to: a dense copy of the matrix, kept while the stamp of that
/// is unchanged, and the ends of the intervals.
class DenseBox {
 public:
  /// Nothing where Intervals takes no problem like this; Intervals::whyNotTaken then. The view refers to this object
  /// and to the problem.
  std::optional<BoxView> view(const ProblemOverSets& problem) {
    if (!intervals_.take(problem)) return std::nullopt;
    copyFrom_.renew(problem.stamp(), [&] { problem.matrix().toDense(M_); });
    return BoxView{M_, problem.q(), intervals_.lower(), intervals_.upper(), problem.factors() == nullptr};
  }
  /// The intervals of the last view.
  const Intervals& intervals() const { return intervals_; }

 private:
  Matrix M_;
  MadeFrom<std::uint64_t> copyFrom_;
  Intervals intervals_;
};

}  // namespace delassus::numerics
