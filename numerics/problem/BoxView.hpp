// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <optional>

namespace delassus::numerics {

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
