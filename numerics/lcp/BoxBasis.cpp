// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>
#include <delassus/numerics/lcp/SignTolerance.hpp>

namespace delassus::numerics {
namespace {

using Side = BoxBasis::Side;

// A method that stops at a tolerance leaves ties this far from zero; the basis chosen with it is judged afterwards.
constexpr double tieTolerance = 1e-10;

// The bound that a pair is at, `isReached` judging the distance from it that z − w has, in the unit of w.
template <class IsReached>
Side sideOf(const BoxView& view, std::size_t pair, const Vector& z, const Vector& w, const IsReached& isReached) {
  const double lower = view.lower(pair);
  const double upper = view.upper(pair);
  if (lower == upper) return Side::lower;
  const double unit = view.scale(pair);
  const double x = z(view.pairColumns[pair]);
  const double dual = w(view.pairRows[pair]);
  if (isReached(unit * (x - lower) - dual)) return Side::lower;
  return isReached(unit * (upper - x) + dual) ? Side::upper : Side::free;
}

Side firstSide(const BoxView& view, std::size_t pair) {
  return std::isfinite(view.lower(pair)) ? Side::lower : Side::free;
}

double boundOn(const BoxView& view, std::size_t pair, Side side) {
  return side == Side::lower ? view.lower(pair) : view.upper(pair);
}

}  // namespace

void BoxBasis::reserve(std::size_t size) {
  sides_.reserve(size);
  rows_.reserve(size);
  columns_.reserve(size);
  freePairs_.reserve(size);
  held_.reserve(size);
  heldColumns_.reserve(size);
  system_.reserve(size);
}

void BoxBasis::guess(const BoxView& view, const Vector& z, const Vector& w, Ties ties) {
  sides_.resize(view.pairs());
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    const double tie = tieTolerance * view.rowScale(view.pairRows[k], z);
    sides_[k] =
        sideOf(view, k, z, w, [&](double distance) { return ties == Ties::held ? distance <= tie : distance < -tie; });
  }
}

bool BoxBasis::guess(const BoxView& view, const Vector& z) {
  assign(view.q, w_);
  multiply(1., view.M, z, 1., w_);
  bool changed = sides_.size() != view.pairs();
  sides_.resize(view.pairs());
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    const Side side = sideOf(view, k, z, w_, [](double distance) { return distance <= 0.; });
    changed = changed || side != sides_[k];
    sides_[k] = side;
  }
  return changed;
}

void BoxBasis::first(const BoxView& view) {
  sides_.resize(view.pairs());
  for (std::size_t k = 0; k < view.pairs(); ++k) sides_[k] = firstSide(view, k);
}

bool BoxBasis::next(const BoxView& view) {
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    if (sides_[k] == Side::lower && view.lower(k) < view.upper(k)) {
      sides_[k] = Side::free;
      return true;
    }
    if (sides_[k] == Side::free && std::isfinite(view.upper(k))) {
      sides_[k] = Side::upper;
      return true;
    }
    sides_[k] = firstSide(view, k);
  }
  return false;
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
  heldColumns_.clear();
  for (std::size_t k = 0; k < view.pairs(); ++k) {
    if (sides_[k] != Side::free) {
      held_.push_back({k, sides_[k]});
      heldColumns_.push_back(view.pairColumns[k]);
      continue;
    }
    freePairs_.push_back(k);
    rows_.push_back(view.pairRows[k]);
    columns_.push_back(view.pairColumns[k]);
  }
}

bool BoxBasis::hold(const BoxView& view, Vector& z) const {
  for (const Held& held : held_) {
    const double bound = boundOn(view, held.pair, held.side);
    if (!std::isfinite(bound)) return false;
    z(view.pairColumns[held.pair]) = bound;
  }
  return true;
}

bool BoxBasis::factor(const BoxView& view) {
  collect(view);
  if (!system_.factor(view.M, rows_, columns_)) return false;
  system_.invert();
  return true;
}

bool BoxBasis::apply(const BoxView& view, Vector& z) {
  if (!hold(view, z)) return false;
  system_.apply(view.M, view.q, heldColumns_, z);
  return true;
}

bool BoxBasis::solve(const BoxView& view, Vector& z) {
  collect(view);
  if (!system_.factor(view.M, rows_, columns_)) return false;
  if (z.size() != view.M.size2()) z.resize(view.M.size2(), false);
  hold(view, z);
  system_.solve(view.M, view.q, z);
  return true;
}

void BoxBasis::solveLeastNorm(const BoxView& view, Vector& z) {
  collect(view);
  if (z.size() != view.M.size2()) z.resize(view.M.size2(), false);
  hold(view, z);
  BasisSystem::solveLeastNorm(view.M, view.q, rows_, columns_, z);
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
