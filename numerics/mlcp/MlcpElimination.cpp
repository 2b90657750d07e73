// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/mlcp/MlcpElimination.hpp>

namespace delassus::numerics {
namespace {

// Rounding errors in equilibrated entries are well below this, pivots of reasonable problems above.
constexpr double pivotTolerance = 1e-10;
// Least 1/‖block⁻¹‖ of the equilibrated block, well above the tolerance of pivots.
constexpr double plainCondition = 1e-7;

}  // namespace

void MlcpElimination::equilibrate(const BoxView& view) {
  const std::size_t rows = view.M.size1();
  const std::size_t columns = view.M.size2();
  T_.resize(rows, columns, false);
  T_.data() = view.M.data();
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

MlcpElimination::Place MlcpElimination::largest(const std::vector<std::size_t>& rows,
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
void MlcpElimination::pivot(std::size_t row, std::size_t column) {
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

// The pair that best couples a remaining equality row to a remaining free column.
bool MlcpElimination::couple(const BoxView& view) {
  double best = pivotTolerance * pivotTolerance;
  std::size_t row = 0, column = 0, chosen = view.pairs();
  for (const std::size_t k : kept_) {
    const Place inRow = largest(leftRows_, {view.pairColumns[k]});
    const Place inColumn = largest({view.pairRows[k]}, leftColumns_);
    if (std::min(inRow.magnitude, inColumn.magnitude) <= pivotTolerance) continue;
    if (inRow.magnitude * inColumn.magnitude <= best) continue;
    best = inRow.magnitude * inColumn.magnitude;
    row = inRow.row;
    column = inColumn.column;
    chosen = k;
  }
  if (chosen == view.pairs()) return false;
  pivot(row, view.pairColumns[chosen]);
  pivot(view.pairRows[chosen], column);
  swapped_.push_back(chosen);
  std::erase(kept_, chosen);
  return true;
}

void MlcpElimination::resolve(const BoxView& view) {
  while (!leftColumns_.empty()) {
    std::vector<std::size_t> pairRows;
    for (const std::size_t k : kept_) pairRows.push_back(view.pairRows[k]);
    const Place place = largest(pairRows, leftColumns_);
    if (place.magnitude <= pivotTolerance) return;
    std::erase_if(kept_, [&](std::size_t k) { return view.pairRows[k] == place.row; });
    pivot(place.row, place.column);
  }
}

// Without a search for pivots, which costs more than the factors.
bool MlcpElimination::findPlain(const BoxView& view) {
  const std::size_t size = leftRows_.size();
  if (size != leftColumns_.size()) return false;
  block_.resize(size, size, false);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) block_(i, j) = T_(leftRows_[i], leftColumns_[j]);
  }
  // 1/‖block⁻¹‖: a block of rounding alone may well have a good condition.
  if (size > 0 && !(factor_.tryFactor(block_) && factor_.reciprocalCondition() * norm1(block_) > plainCondition)) {
    return false;
  }
  rows_ = view.equalityRows;
  columns_ = view.freeColumns;
  return true;
}

bool MlcpElimination::find(const BoxView& view) {
  rows_.clear();
  columns_.clear();
  swapped_.clear();
  redundant_.clear();
  leftRows_ = view.equalityRows;
  leftColumns_ = view.freeColumns;
  kept_.resize(view.pairs());
  for (std::size_t k = 0; k < view.pairs(); ++k) kept_[k] = k;
  equilibrate(view);
  if (findPlain(view)) return true;

  for (;;) {
    const Place place = largest(leftRows_, leftColumns_);
    if (place.magnitude <= pivotTolerance) break;
    pivot(place.row, place.column);
  }
  while (!leftRows_.empty() && !leftColumns_.empty() && couple(view)) {
  }
  if (largest(leftRows_, view.pairColumns).magnitude > pivotTolerance) return false;
  redundant_ = leftRows_;
  resolve(view);
  std::sort(swapped_.begin(), swapped_.end());
  return true;
}

}  // namespace delassus::numerics
