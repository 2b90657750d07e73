// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// The equations for the multipliers λ_H of the rows H whose outputs are held at zero, factored. D_HH, of any rank, is
/// eliminated with complete pivoting. The rows with a pivot give λ by y = 0 as it stands (relative degree 0); the
/// others leave combinations N with N D_HH = 0, in which no multiplier is seen, so that they are differentiated once
/// (relative degree 1):
///
///     y_i = 0 (rows with a pivot),   N (C_H ẋ + ∂h_H/∂t) = 0,   matrix  S = [ D_iH ; N C_H B_H ].
///
/// N y_H = 0 is then a condition on the state alone. If S is singular, some combination must be differentiated again
/// (relative degree 2 or more), or depends on the others. What counts as zero is the rounding of the products, which
/// does not depend on units: 10⁻¹² of the terms that a number is the sum of.
class FlowFactors {
 public:
  /// False, leaving no usable factor, if S is singular; then singularRow() is a row to name.
  bool factor(const Matrix& C, const Matrix& D, const Matrix& B, const std::vector<std::size_t>& held);

  /// What factor() gave; false before it.
  bool isRegular() const { return regular_; }
  /// A row of the model to name where S is singular.
  std::size_t singularRow() const { return singularRow_; }
  /// H, by the numbers of the rows in the model.
  const std::vector<std::size_t>& held() const { return held_; }
  /// Places in held() of the rows with a pivot, one after the other; then come the combinations.
  const std::vector<std::size_t>& pivots() const { return pivots_; }
  /// N: combinations x held.
  const Matrix& combinations() const { return N_; }
  /// The row that a combination is named after.
  std::size_t rowOf(std::size_t combination) const { return held_[rest_[combination]]; }
  /// True if the row is differentiated, by itself or with others, or stands for what is.
  bool isDifferentiated(std::size_t row) const;

  /// v := S⁻¹ v
  void solve(Vector& v) const;

 private:
  void eliminate(const Matrix& D);
  void assemble(const Matrix& C, const Matrix& D, const Matrix& B);

  std::vector<std::size_t> held_, pivots_, rest_;
  Matrix N_, S_;
  Vector rowScales_, columnScales_;
  LUFactorization factor_;
  std::size_t singularRow_ = 0;
  bool regular_ = false;
};

}  // namespace delassus
