// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <vector>

namespace delassus::numerics {

/// Linear conditions on z: a point z in a box whose w has given signs,
///
///     w = M z + q,    l ≤ z ≤ u,    w_i = 0, w_i ≥ 0, w_i ≤ 0 or any.
///
/// Every complementarity problem has some that each solution fulfils, and each of its bases has more.
class LinearConditions {
 public:
  /// What is asked of a w_i.
  enum class Sign : char { any, zero, nonnegative, nonpositive };

  /// Refers to M (rows x columns) and q, which must outlive it. All z are free and all w any.
  LinearConditions(const Matrix& M, const Vector& q);

  /// Asks a sign of w_i.
  void require(std::size_t row, Sign sign) { signs_[row] = sign; }
  /// Asks l ≤ z_j ≤ u; either may be infinite.
  void bound(std::size_t column, double lower, double upper);

  /// True if y proves that no z fulfils them (Farkas): y_i ≥ 0 where w_i ≥ 0, y_i ≤ 0 where w_i ≤ 0, 0 where any, and
  ///
  ///     0 > qᵀ y + Σ_j max { (Mᵀ y)_j z_j : l_j ≤ z_j ≤ u_j },
  ///
  /// as yᵀ w would be nonnegative. It is checked in extended precision: the sum must be below −clearPart(δ) times that
  /// of the sizes of its terms, and an (Mᵀ y)_j whose z_j is not bounded counts as zero up to δ Σ_i |M_ij y_i| with δ =
  /// 100 rows ε, as it is a sum that is known no better. Components of y with the wrong sign count as zero. What is
  /// excluded is every z but those, if any, whose products with M are some 10⁴ times as large as q.
  bool areContradictedBy(const Vector& y) const;

  /// True if there is such a proof and it was found: y is the residual of the z that comes nearest, by least squares
  /// with bounds. Gives up where `stop` says so. Dense; for small systems, and for what is rarely needed. Allocates.
  bool areContradictory(const std::function<bool()>& stop = [] { return false; }) const;

 private:
  class Nearest;

  const Matrix& M_;
  const Vector& q_;
  std::vector<Sign> signs_;
  Vector lower_, upper_;
};

}  // namespace delassus::numerics
