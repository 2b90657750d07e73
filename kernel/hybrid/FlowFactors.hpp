// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// The equations for the multipliers λ_H of the rows H whose outputs are held at zero, factored. D_HH, of any rank, is
/// eliminated with complete pivoting. The rows with a pivot give λ directly by y = 0 (relative degree 0); the others
/// leave combinations N with N D_HH = 0, which contain no multiplier and are therefore differentiated once (relative
/// degree 1):
///
///     y_i = 0 (rows with a pivot),   N (C_H ẋ + ∂h_H/∂t) = 0,   matrix  S = [ D_iH ; N C_H B_H ].
///
/// N y_H = 0 is then a condition on the state alone. A combination with N C_H = 0 holds neither a multiplier nor a
/// state: its outputs say the same (the currents of open switches in series, the voltages of closed ones in parallel),
/// and leave multipliers free in one direction (how the switches share a voltage, or a current). If no state feels it,
/// they have no part along that direction: of the multipliers that fit, those with the least sum of squares are taken.
/// If S is singular otherwise, some combination must be differentiated again (relative degree 2 or more). Numbers count
/// as zero within the rounding of the products, independently of units: 10⁻¹² of their terms.
class FlowFactors {
 public:
  /// Returns false, without usable factors, if S is singular; singularRow() then gives a row for messages.
  bool factor(const Matrix& C, const Matrix& D, const Matrix& B, const std::vector<std::size_t>& held);

  /// The result of factor(); false before it.
  bool isRegular() const { return regular_; }
  /// A row of the model for messages if S is singular.
  std::size_t singularRow() const { return singularRow_; }
  /// H, by the numbers of the rows in the model.
  const std::vector<std::size_t>& held() const { return held_; }
  /// Places in held() of the rows with a pivot; the combinations follow them.
  const std::vector<std::size_t>& pivots() const { return pivots_; }
  /// N: combinations x held.
  const Matrix& combinations() const { return N_; }
  /// The row that a combination is named after.
  std::size_t rowOf(std::size_t combination) const { return held_[rest_[combination]]; }
  /// True if neither states nor multipliers are in the combination.
  bool saysNothing(std::size_t combination) const { return saysNothing_[combination] != 0; }
  /// The part of the multipliers along the direction that such a combination leaves free, not normalised; 0 of others.
  double alongFree(std::size_t combination, const Vector& lambda) const;
  /// True if the row is differentiated, alone or in a combination, or names such a combination.
  bool isDifferentiated(std::size_t row) const;

  /// v := S⁻¹ v
  void solve(Vector& v) const;
  /// v := |S⁻¹| v, what terms of the equations that are rounded mean for the multipliers.
  void amplify(Vector& v) const;

 private:
  void eliminate(const Matrix& D);
  void separateStates(const Matrix& C);
  void assemble(const Matrix& C, const Matrix& D, const Matrix& B);
  void freeMultipliers();
  bool actsOnStates(std::size_t row, const Matrix& B) const;

  std::vector<std::size_t> held_, pivots_, rest_;
  std::vector<char> saysNothing_;  // of combinations
  Matrix N_, S_;
  Matrix free_;  // directions in which multipliers are free, of combinations
  Vector rowScales_, columnScales_;
  LUFactorization factor_;
  mutable Matrix magnitudes_;  // |S⁻¹|, empty until it is asked for
  std::size_t singularRow_ = 0;
  bool regular_ = false;
};

}  // namespace delassus
