// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/MixedElimination.hpp>

namespace delassus::numerics {
namespace {

// Rounding errors in equilibrated entries are well below this, pivots of reasonable problems above.
constexpr double pivotTolerance = 1e-10;
// Least 1/‖block⁻¹‖ of the equilibrated block, well above the tolerance of pivots.
constexpr double plainCondition = 1e-7;

}  // namespace

void MixedElimination::equilibrate(const Matrix& M) {
  const std::size_t rows = M.size1();
  const std::size_t columns = M.size2();
  T_.resize(rows, columns, false);
  T_.data() = M.data();
  for (std::size_t i = 0; i < rows; ++i) {
    double largest = 0.;
    for (std::size_t j = 0; j < columns; ++j) largest = std::max(largest, std::abs(T_(i, j)));
    for (std::size_t j = 0; j < columns && largest > 0.; ++j) T_(i, j) /= largest;
  }
  for (std::size_t j = 0; j < columns; ++j) {
    double largest = 0.;
    for (std::size_t i = 0; i < rows; ++i) largest = std::max(largest, std::abs(T_(i, j)));
    for (std::size_t i = 0; i < rows && largest > 0.; ++i) T_(i, j) /= largest;
  }
}

MixedElimination::Place MixedElimination::largest(const std::vector<std::size_t>& rows,
                                                  const std::vector<std::size_t>& columns) const {
  Place place;
  for (const std::size_t j : columns) {
    for (const std::size_t i : rows) {
      if (std::abs(T_(i, j)) > place.magnitude) place = {i, j, std::abs(T_(i, j))};
    }
  }
  return place;
}

// Leaves the Schur complement in the other rows and columns, and zeros in these.
void MixedElimination::pivot(std::size_t row, std::size_t column) {
  const double entry = T_(row, column);
  for (std::size_t j = 0; j < T_.size2(); ++j) {
    if (j == column || T_(row, j) == 0.) continue;
    const double factor = T_(row, j) / entry;
    for (std::size_t i = 0; i < T_.size1(); ++i) T_(i, j) -= factor * T_(i, column);
    T_(row, j) = 0.;
  }
  for (std::size_t i = 0; i < T_.size1(); ++i) T_(i, column) = 0.;
  rows_.push_back(row);
  columns_.push_back(column);
  std::erase(leftRows_, row);
  std::erase(leftColumns_, column);
}

// The bounded row that best couples a remaining equality row to a remaining free column.
bool MixedElimination::couple() {
  double best = pivotTolerance * pivotTolerance;
  Place row, column;
  for (const std::size_t k : kept_) {
    const Place inRow = largest(leftRows_, {k});
    const Place inColumn = largest({k}, leftColumns_);
    if (std::min(inRow.magnitude, inColumn.magnitude) <= pivotTolerance) continue;
    if (inRow.magnitude * inColumn.magnitude <= best) continue;
    best = inRow.magnitude * inColumn.magnitude;
    row = inRow;
    column = inColumn;
  }
  if (row.magnitude == 0.) return false;
  const std::size_t chosen = row.column;
  pivot(row.row, chosen);
  pivot(chosen, column.column);
  swapped_.push_back(chosen);
  std::erase(kept_, chosen);
  return true;
}

void MixedElimination::resolve() {
  while (!leftColumns_.empty()) {
    const Place place = largest(kept_, leftColumns_);
    if (place.magnitude <= pivotTolerance) return;
    std::erase(kept_, place.row);
    pivot(place.row, place.column);
  }
}

// Without a search for pivots, which costs more than the factors.
bool MixedElimination::findPlain(const MixedView& view) {
  const std::size_t size = view.free.size();
  block_.resize(size, size, false);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) block_(i, j) = T_(view.free[i], view.free[j]);
  }
  // 1/‖block⁻¹‖: a block of rounding alone may well have a good condition.
  if (size > 0 && !(factor_.tryFactor(block_) && factor_.reciprocalCondition() * norm1(block_) > plainCondition)) {
    return false;
  }
  rows_ = columns_ = view.free;
  return true;
}

bool MixedElimination::find(const MixedView& view) {
  rows_.clear();
  columns_.clear();
  swapped_.clear();
  redundant_.clear();
  kept_ = view.bounded;
  equilibrate(view.M);
  if (findPlain(view)) return true;

  leftRows_ = leftColumns_ = view.free;
  for (;;) {
    const Place place = largest(leftRows_, leftColumns_);
    if (place.magnitude <= pivotTolerance) break;
    pivot(place.row, place.column);
  }
  while (!leftRows_.empty() && !leftColumns_.empty() && couple()) {
  }
  if (largest(leftRows_, view.bounded).magnitude > pivotTolerance) return false;
  redundant_ = leftRows_;
  resolve();
  std::sort(swapped_.begin(), swapped_.end());
  return true;
}

}  // namespace delassus::numerics
