// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/SmallProducts.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>

namespace delassus::numerics {
namespace {

constexpr double signTolerance = 1e-13;
constexpr std::size_t inverseSize = 16;
// A method that stops at a tolerance leaves ties this far from zero; the basis chosen with it is judged afterwards.
constexpr double tieTolerance = 1e-10;

// The factor that gives z the unit of w: the diagonal entry of the pair where it is positive, else the largest of its
// row.
double unitOf(const BoxView& view, std::size_t pair) {
  const std::size_t row = view.pairRows[pair];
  const double diagonal = view.M(row, view.pairColumns[pair]);
  if (diagonal > 0.) return diagonal;
  double largest = 0.;
  for (std::size_t j = 0; j < view.M.size2(); ++j) largest = std::max(largest, std::abs(view.M(row, j)));
  return largest > 0. ? largest : 1.;
}

}  // namespace

void BoxBasis::reserve(std::size_t size) {
  sides_.reserve(size);
  rows_.reserve(size);
  columns_.reserve(size);
  freePairs_.reserve(size);
  held_.reserve(size);
  submatrix_.data().reserve(size * size);
  factor_.reserve(size);
  rhs_.reserve(size);
  solution_.reserve(size);
  inverse_.reserve(std::min(size, inverseSize) * std::min(size, inverseSize));
}

BoxBasis::Side BoxBasis::sideOf(const BoxView& view, std::size_t pair, const Vector& z, const Vector& w,
                                Ties ties) const {
  const double lower = view.lower(pair);
  const double upper = view.upper(pair);
  if (lower == upper) return Side::lower;
  const double unit = unitOf(view, pair);
  const std::size_t row = view.pairRows[pair];
  const double x = z(view.pairColumns[pair]);
  const double tie = tieTolerance * view.rowScale(row, z);
  const auto isReached = [&](double distance) { return ties == Ties::held ? distance <= tie : distance < -tie; };
  if (isReached(unit * (x - lower) - w(row))) return Side::lower;
  return isReached(unit * (upper - x) + w(row)) ? Side::upper : Side::free;
}

void BoxBasis::guess(const BoxView& view, const Vector& z, const Vector& w, Ties ties) {
  sides_.resize(view.pairs());
  for (std::size_t k = 0; k < view.pairs(); ++k) sides_[k] = sideOf(view, k, z, w, ties);
}

void BoxBasis::serializeState(StateArchive& archive) {
  std::vector<char> numbers;
  for (const Side side : sides_) numbers.push_back(static_cast<char>(side));
  archive.value("sides", numbers);
  sides_.clear();
  for (const char number : numbers) sides_.push_back(static_cast<Side>(number));
}

void BoxBasis::collect(const BoxView& view) {
  rows_ = view.equalityRows;
  columns_ = view.freeColumns;
  freePairs_.clear();
  held_.clear();
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    if (sides_[k] != Side::free) {
      held_.push_back({k, sides_[k]});
      continue;
    }
    freePairs_.push_back(k);
    rows_.push_back(view.pairRows[k]);
    columns_.push_back(view.pairColumns[k]);
  }
}

bool BoxBasis::factor(const BoxView& view) {
  collect(view);
  if (rows_.size() != columns_.size()) return false;
  submatrix_.resize(rows_.size(), columns_.size(), false);
  rhs_.resize(rows_.size());
  solution_.resize(rows_.size());
  double* target = data(submatrix_);
  for (const std::size_t j : columns_) {
    const double* const source = data(view.M) + j * view.M.size1();
    for (const std::size_t i : rows_) *target++ = source[i];
  }
  if (!factor_.tryFactor(submatrix_)) return false;
  if (rows_.size() <= inverseSize) invert();
  return true;
}

void BoxBasis::invert() {
  const std::size_t count = rows_.size();
  inverse_.assign(count * count, 0.);
  for (std::size_t k = 0; k < count; ++k) inverse_[k * (count + 1)] = 1.;
  factor_.solve(inverse_.data(), count);
}

bool BoxBasis::apply(const BoxView& view, Vector& z) {
  const std::size_t count = rows_.size();
  const double* const q = data(view.q);
  for (std::size_t k = 0; k < count; ++k) rhs_[k] = -q[rows_[k]];
  for (const Held& held : held_) {
    const double value = held.side == Side::lower ? view.lower(held.pair) : view.upper(held.pair);
    const std::size_t column = view.pairColumns[held.pair];
    z(column) = value;
    if (value == 0.) continue;
    if (!std::isfinite(value)) return false;
    const double* const entries = data(view.M) + column * view.M.size1();
    for (std::size_t k = 0; k < count; ++k) rhs_[k] -= entries[rows_[k]] * value;
  }
  if (count <= inverseSize) {
    detail::multiplySmall(1., inverse_.data(), count, count, rhs_.data(), false, solution_.data());
  } else {
    solution_ = rhs_;
    factor_.solve(solution_.data());
  }
  for (std::size_t k = 0; k < count; ++k) z(columns_[k]) = solution_[k];
  return true;
}

void BoxBasis::refine(const Vector& w, Vector& z) {
  if (rows_.empty()) return;
  for (std::size_t k = 0; k < rows_.size(); ++k) rhs_[k] = -w(rows_[k]);
  factor_.solve(rhs_.data());
  for (std::size_t k = 0; k < rows_.size(); ++k) z(columns_[k]) += rhs_[k];
}

bool BoxBasis::enterBox(const BoxView& view, Vector& z) const {
  double farthest = 0.;
  for (const std::size_t k : freePairs_) {
    double& x = z(view.pairColumns[k]);
    const double inside = std::clamp(x, view.lower(k), view.upper(k));
    if (inside == x) continue;
    farthest = std::max(farthest, std::abs(x - inside));
    x = inside;
  }
  return farthest == 0. || farthest <= signTolerance * normInf(z);
}

bool BoxBasis::signsHold(const BoxView& view, const Vector& z, const Vector& w) const {
  for (const Held& held : held_) {
    const std::size_t row = view.pairRows[held.pair];
    const double outward = held.side == Side::lower ? w(row) : -w(row);
    if (outward >= 0. || view.lower(held.pair) == view.upper(held.pair)) continue;
    if (!(outward >= -signTolerance * view.rowScale(row, z))) return false;
  }
  return true;
}

}  // namespace delassus::numerics
