// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/EqualityReduction.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

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

bool EqualityReduction::factor(const MixedView& view) {
  if (!elimination_.find(view)) return false;
  const auto& rows = elimination_.rows();
  const auto& columns = elimination_.columns();
  block_.resize(rows.size(), columns.size(), false);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) block_(i, j) = view.M(rows[i], columns[j]);
  }
  if (!factor_.tryFactor(block_)) return false;
  respond(view);
  fillSums(view);
  fillMatrix();
  return true;
}

// response_ := G
void EqualityReduction::respond(const MixedView& view) {
  const auto& rows = elimination_.rows();
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  const auto& swapped = elimination_.swapped();
  assignZero(response_, rows.size(), kept.size() + swapped.size());
  for (std::size_t p = 0; p < kept.size(); ++p) {
    for (std::size_t i = 0; i < rows.size(); ++i) response_(i, p) = -view.M(rows[i], kept[p]);
  }
  swappedPosition_.resize(swapped.size());
  for (std::size_t p = 0; p < swapped.size(); ++p) {
    const auto row = std::find(rows.begin(), rows.end(), swapped[p]);
    response_(static_cast<std::size_t>(row - rows.begin()), kept.size() + p) = 1.;
    const auto column = std::find(columns.begin(), columns.end(), swapped[p]);
    swappedPosition_[p] = static_cast<std::size_t>(column - columns.begin());
  }
  if (!rows.empty()) factor_.solve(response_);
}

// sums_ := M_KK + M_KX G in the kept rows K.
void EqualityReduction::fillSums(const MixedView& view) {
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  assignZero(sums_, kept.size(), response_.size2());
  assignZero(rowBlock_, kept.size(), columns.size());
  const auto take = [&](std::size_t column, double* to) {
    for (const std::size_t row : kept) *to++ = view.M(row, column);
  };
  for (std::size_t p = 0; p < kept.size(); ++p) take(kept[p], data(sums_) + p * kept.size());
  for (std::size_t x = 0; x < columns.size(); ++x) take(columns[x], data(rowBlock_) + x * kept.size());
  product_.add(1., rowBlock_, response_, sums_);
}

void EqualityReduction::fillMatrix() {
  const std::size_t kept = elimination_.kept().size();
  const std::size_t size = response_.size2();
  BlockSparseMatrix& S = lcp_.M();
  S.clear();
  S.beginRow(size);
  S.addBlock(0);
  S.finish();
  double* const entries = S.block(0);
  for (std::size_t p = 0; p < size; ++p) {
    std::copy_n(data(sums_) + p * kept, kept, entries + p * size);
    for (std::size_t i = 0; i < swappedPosition_.size(); ++i) {
      entries[p * size + kept + i] = response_(swappedPosition_[i], p);
    }
  }
  S.touch();
  if (lcp_.q().size() != size) lcp_.q().resize(size, false);
}

void EqualityReduction::takeVector(const MixedView& view) {
  const auto& rows = elimination_.rows();
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  if (constant_.size() != rows.size()) constant_.resize(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) constant_(i) = -view.q(rows[i]);
  if (!rows.empty()) factor_.solve(constant_);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    double sum = view.q(kept[i]);
    double magnitude = std::abs(sum);
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const double term = view.M(kept[i], columns[x]) * constant_(x);
      sum += term;
      magnitude += std::abs(term);
    }
    lcp_.q()(i) = std::abs(sum) <= roundingOfSums(columns.size()) * magnitude ? 0. : sum;
  }
  for (std::size_t i = 0; i < swappedPosition_.size(); ++i) lcp_.q()(kept.size() + i) = constant_(swappedPosition_[i]);
}

void EqualityReduction::start(const Vector& x, Vector& v) const {
  const auto& kept = elimination_.kept();
  assignZero(v, lcp_.q().size());
  for (std::size_t i = 0; i < kept.size(); ++i) v(i) = std::max(0., x(kept[i]));
}

void EqualityReduction::expand(const Vector& v, Vector& x) {
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  setZero(x);
  for (std::size_t i = 0; i < kept.size(); ++i) x(kept[i]) = v(i);
  if (columns.empty()) return;
  multiply(1., response_, v, 1., constant_);
  for (std::size_t k = 0; k < columns.size(); ++k) x(columns[k]) = constant_(k);
}

}  // namespace delassus::numerics
