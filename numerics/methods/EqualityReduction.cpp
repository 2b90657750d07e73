// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/EqualityReduction.hpp>

namespace delassus::numerics {

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
