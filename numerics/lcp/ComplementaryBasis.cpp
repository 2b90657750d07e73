// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/ComplementaryBasis.hpp>

namespace delassus::numerics {

bool ComplementaryBasis::guess(const MixedView& view, const Vector& z) {
  assign(view.q, w_);
  multiply(1., view.M, z, 1., w_);
  bool changed = active_.size() != view.pairs();
  active_.resize(view.pairs());
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    const char active = view.scale(k) * z(view.pairColumns[k]) > w_(view.pairRows[k]) ? 1 : 0;
    changed = changed || active != active_[k];
    active_[k] = active;
  }
  return changed;
}

void ComplementaryBasis::setActive(std::size_t pairs, std::size_t bits) {
  active_.resize(pairs);
  for (std::size_t k = 0; k < pairs; ++k) active_[k] = static_cast<char>((bits >> k) & 1U);
}

void ComplementaryBasis::collect(const MixedView& view) {
  rows_ = view.equalityRows;
  columns_ = view.freeColumns;
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    if (active_[k] == 0) continue;
    rows_.push_back(view.pairRows[k]);
    columns_.push_back(view.pairColumns[k]);
  }
}

bool ComplementaryBasis::factor(const MixedView& view) {
  collect(view);
  return system_.factor(view.M, rows_, columns_);
}

void ComplementaryBasis::apply(const MixedView& view, Vector& z) {
  assignZero(z, view.M.size2());
  system_.solve(view.M, view.q, z);
}

bool ComplementaryBasis::solve(const MixedView& view, Vector& z) {
  if (!factor(view)) return false;
  apply(view, z);
  return true;
}

void ComplementaryBasis::solveLeastNorm(const MixedView& view, Vector& z) {
  collect(view);
  assignZero(z, view.M.size2());
  BasisSystem::solveLeastNorm(view.M, view.q, rows_, columns_, z);
}

void cutNegative(const MixedView& view, Vector& z) {
  for (const std::size_t j : view.pairColumns) z(j) = std::max(0., z(j));
}

}  // namespace delassus::numerics
