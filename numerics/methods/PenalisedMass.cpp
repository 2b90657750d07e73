// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/PenalisedMass.hpp>

#include <algorithm>

namespace delassus::numerics {

void PenalisedMass::analyse() {
  const SparseMatrix &M = W_->inverse->matrix(), &H = W_->H, &rows = W_->transposedH;
  column_.assign(M.size1(), 0.);
  std::vector<Triplet> entries;
  std::vector<std::size_t> seenIn(M.size1(), M.size1());
  for (std::size_t j = 0; j < M.size2(); ++j) {
    const auto add = [&](std::size_t row) {
      if (row < j || seenIn[row] == j) return;
      seenIn[row] = j;
      entries.push_back({row, j, 0.});
    };
    add(j);
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) add(rowOf(M, k));
    for (std::size_t k = columnStart(rows, j); k < columnStart(rows, j + 1); ++k) {
      const std::size_t column = rowOf(rows, k);
      for (std::size_t l = columnStart(H, column); l < columnStart(H, column + 1); ++l) add(rowOf(H, l));
    }
  }
  lower_ = sparseFromTriplets(M.size1(), M.size2(), std::move(entries));
  factorFrom_.forget();
}

bool PenalisedMass::factor(const std::vector<double>& penalties) {
  patternFrom_.renew(W_->stamp, [&] { analyse(); });
  if (factorFrom_.isCurrent(W_->stamp, penalties)) return true;
  factorFrom_.forget();
  inverse_.resize(penalties.size());
  for (std::size_t i = 0; i < penalties.size(); ++i) inverse_[i] = 1. / penalties[i];
  outputs_.resize(penalties.size());
  impulses_.resize(column_.size());
  const SparseMatrix &M = W_->inverse->matrix(), &H = W_->H, &rows = W_->transposedH;
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) column_[rowOf(M, k)] += valueOf(M, k);
    for (std::size_t k = columnStart(rows, j); k < columnStart(rows, j + 1); ++k) {
      const std::size_t column = rowOf(rows, k);
      const double weight = inverse_[column] * valueOf(rows, k);
      for (std::size_t l = columnStart(H, column); l < columnStart(H, column + 1); ++l)
        column_[rowOf(H, l)] += weight * valueOf(H, l);
    }
    for (std::size_t k = columnStart(lower_, j); k < columnStart(lower_, j + 1); ++k)
      lower_.value_data()[k] = column_[rowOf(lower_, k)];
    // The whole column again, since entries above the diagonal were added too.
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) column_[rowOf(M, k)] = 0.;
    for (std::size_t k = columnStart(rows, j); k < columnStart(rows, j + 1); ++k) {
      const std::size_t column = rowOf(rows, k);
      for (std::size_t l = columnStart(H, column); l < columnStart(H, column + 1); ++l) column_[rowOf(H, l)] = 0.;
    }
  }
  if (!factor_.tryFactor(lower_)) return false;
  factorFrom_.take(W_->stamp, penalties);
  return true;
}

void PenalisedMass::solve(double* x) {
  for (std::size_t i = 0; i < inverse_.size(); ++i) x[i] *= inverse_[i];
  delassus::multiply(1., W_->H, x, 0., impulses_.data());
  factor_.solve(impulses_.data());
  delassus::multiplyTransposed(1., W_->H, impulses_.data(), 0., outputs_.data());
  for (std::size_t j = 0; j < inverse_.size(); ++j) x[j] -= inverse_[j] * outputs_[j];
}

double PenalisedMass::work() const {
  return 4. * (2. * static_cast<double>(factor_.entries()) + 2. * static_cast<double>(entryCount(W_->H)));
}

}  // namespace delassus::numerics
