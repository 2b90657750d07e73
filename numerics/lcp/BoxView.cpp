// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <limits>
#include <numeric>

namespace delassus::numerics {

double BoxView::scale(std::size_t pair) const {
  const double diagonal = M(pairRows[pair], pairColumns[pair]);
  if (diagonal > 0.) return diagonal;
  double largest = 0.;
  for (std::size_t j = 0; j < M.size2(); ++j) largest = std::max(largest, std::abs(M(pairRows[pair], j)));
  return largest > 0. ? largest : 1.;
}

double BoxView::rowScale(std::size_t row, const Vector& z) const {
  double sum = std::abs(q(row));
  for (std::size_t j = 0; j < z.size(); ++j) sum += std::abs(M(row, j) * z(j));
  return sum;
}

void BoxView::enterBox(Vector& z) const {
  for (std::size_t k = 0; k < pairs(); ++k) z(pairColumns[k]) = std::clamp(z(pairColumns[k]), lower(k), upper(k));
}

void DenseBox::copyAnew(const BlockSparseMatrix& M) {
  M.toDense(M_);
  indices_.resize(M.size());
  std::iota(indices_.begin(), indices_.end(), std::size_t{0});
}

void DenseBox::resizeHalfLines(std::size_t pairs) {
  assignZero(zeros_, pairs);
  infinities_.resize(pairs, false);
  for (double& bound : infinities_.data()) bound = std::numeric_limits<double>::infinity();
}

}  // namespace delassus::numerics
