// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace delassus {

/// L Lᵀ of a symmetric positive definite matrix that grows and shrinks by one row and column at a time, as the free
/// set of an active-set method does: O(k²) for each change instead of O(k³).
/// (Gill, Golub, Murray, Saunders, Mathematics of Computation 28, 1974.)
class UpdatableCholesky {
 public:
  /// Empties the factor and makes room for `capacity` rows; allocates only beyond earlier capacities.
  void clear(std::size_t capacity);

  /// Rows that the factor has now.
  std::size_t size() const { return size_; }

  /// Appends the row (column, diagonal), `column` being its entries with the rows so far; false, changing nothing, if
  /// the pivot diagonal − columnᵀ A⁻¹ column is not above `leastPivot` (≥ 0).
  bool append(const double* column, double diagonal, double leastPivot);
  /// Removes row k; the rows after it move up.
  void remove(std::size_t k);

  /// x := A⁻¹ x
  void solve(double* x) const;

 private:
  double* row(std::size_t i) { return rows_.data() + i * capacity_; }
  const double* row(std::size_t i) const { return rows_.data() + i * capacity_; }
  void forward(double* x) const;

  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::vector<double> rows_;  // L row by row
};

}  // namespace delassus
