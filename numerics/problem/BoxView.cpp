// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/problem/BoxView.hpp>

namespace delassus::numerics {

bool BoxView::isFree(std::size_t i) const {
  return !std::isfinite(lower(i)) && !std::isfinite(upper(i));
}

double BoxView::scale(std::size_t i) const {
  const double diagonal = M(i, i);
  if (diagonal > 0.) return diagonal;
  double largest = 0.;
  for (std::size_t j = 0; j < M.size2(); ++j) largest = std::max(largest, std::abs(M(i, j)));
  return largest > 0. ? largest : 1.;
}

double BoxView::rowScale(std::size_t i, const Vector& z) const {
  double sum = std::abs(q(i));
  for (std::size_t j = 0; j < z.size(); ++j) sum += std::abs(M(i, j) * z(j));
  return sum;
}

void BoxView::enterBox(Vector& z) const {
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = std::clamp(z(i), lower(i), upper(i));
}

}  // namespace delassus::numerics
