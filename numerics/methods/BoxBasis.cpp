// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/BoxBasis.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

using Side = BoxBasis::Side;

// A method that stops at a tolerance leaves ties this far from zero; the basis chosen with it is judged afterwards.
constexpr double tieTolerance = 1e-10;

// The bound that row i is at, `isReached` judging the distance from it that z − w has, in the unit of w.
template <class IsReached>
Side sideOf(const BoxView& view, std::size_t i, const Vector& z, const Vector& w, const IsReached& isReached) {
  const double lower = view.lower(i);
  const double upper = view.upper(i);
  if (lower == upper) return Side::lower;
  if (view.isFree(i)) return Side::free;
  const double unit = view.scale(i);
  if (isReached(unit * (z(i) - lower) - w(i))) return Side::lower;
  return isReached(unit * (upper - z(i)) + w(i)) ? Side::upper : Side::free;
}

Side firstSide(const BoxView& view, std::size_t i) {
  return std::isfinite(view.lower(i)) ? Side::lower : Side::free;
}

}  // namespace

void BoxBasis::reserve(std::size_t size) {
  sides_.reserve(size);
  free_.reserve(size);
  held_.reserve(size);
  system_.reserve(size);
}

void BoxBasis::guess(const BoxView& view, const Vector& z, const Vector& w, Ties ties) {
  sides_.resize(view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    sides_[i] = sideOf(view, i, z, w, [&](double distance) {
      const double tie = tieTolerance * view.rowScale(i, z);
      return ties == Ties::held ? distance <= tie : distance < -tie;
    });
  }
}

bool BoxBasis::guess(const BoxView& view, const Vector& z) {
  assign(view.q, w_);
  multiply(1., view.M, z, 1., w_);
  bool changed = sides_.size() != view.size();
  sides_.resize(view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    const Side side = sideOf(view, i, z, w_, [](double distance) { return distance <= 0.; });
    changed = changed || side != sides_[i];
    sides_[i] = side;
  }
  return changed;
}

bool BoxBasis::holdAll(const BoxView& view) {
  bool changed = sides_.size() != view.size();
  sides_.resize(view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    const Side side = view.isFree(i) ? Side::free : std::isfinite(view.lower(i)) ? Side::lower : Side::upper;
    changed = changed || side != sides_[i];
    sides_[i] = side;
  }
  return changed;
}

void BoxBasis::first(const BoxView& view) {
  sides_.resize(view.size());
  for (std::size_t i = 0; i < view.size(); ++i) sides_[i] = firstSide(view, i);
}

bool BoxBasis::next(const BoxView& view) {
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (sides_[i] == Side::lower && view.lower(i) < view.upper(i)) {
      sides_[i] = Side::free;
      return true;
    }
    if (sides_[i] == Side::free && std::isfinite(view.upper(i))) {
      sides_[i] = Side::upper;
      return true;
    }
    sides_[i] = firstSide(view, i);
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

void BoxBasis::collect() {
  free_.clear();
  held_.clear();
  for (std::size_t i = 0; i < sides_.size(); ++i) (sides_[i] == Side::free ? free_ : held_).push_back(i);
}

bool BoxBasis::hold(const BoxView& view, Vector& z) const {
  for (const std::size_t i : held_) {
    const double bound = sides_[i] == Side::lower ? view.lower(i) : view.upper(i);
    if (!std::isfinite(bound)) return false;
    z(i) = bound;
  }
  return true;
}

bool BoxBasis::factor(const BoxView& view) {
  collect();
  if (!system_.factor(view.M, free_)) return false;
  system_.invert();
  return true;
}

bool BoxBasis::apply(const BoxView& view, Vector& z) {
  if (!hold(view, z)) return false;
  system_.apply(view.M, view.q, held_, z);
  return true;
}

bool BoxBasis::solve(const BoxView& view, Vector& z) {
  collect();
  if (!system_.factor(view.M, free_)) return false;
  if (z.size() != view.size()) z.resize(view.size(), false);
  hold(view, z);
  system_.solve(view.M, view.q, z);
  return true;
}

void BoxBasis::solveLeastNorm(const BoxView& view, Vector& z) {
  collect();
  if (z.size() != view.size()) z.resize(view.size(), false);
  hold(view, z);
  BasisSystem::solveLeastNorm(view.M, view.q, free_, free_, z);
}

bool BoxBasis::enterBox(const BoxView& view, Vector& z) const {
  double farthest = 0.;
  for (const std::size_t i : free_) {
    const double inside = std::clamp(z(i), view.lower(i), view.upper(i));
    if (inside == z(i)) continue;
    farthest = std::max(farthest, std::abs(z(i) - inside));
    z(i) = inside;
  }
  return farthest == 0. || farthest <= signTolerance * normInf(z);
}

bool BoxBasis::signsHold(const BoxView& view, const Vector& z, const Vector& w) const {
  for (const std::size_t i : held_) {
    const double outward = sides_[i] == Side::lower ? w(i) : -w(i);
    if (outward >= 0. || view.lower(i) == view.upper(i)) continue;
    if (!(outward >= -signTolerance * view.rowScale(i, z))) return false;
  }
  return true;
}

void BasisFinish::reset() {
  tried_.clear();
}

bool BasisFinish::propose(const BoxView& view, const Vector& z) {
  const bool changed = basis_.guess(view, z);
  if (changed || basis_.sides() == tried_) return false;
  tried_ = basis_.sides();
  assign(z, candidate_);
  if (!basis_.solve(view, candidate_)) return false;
  view.enterBox(candidate_);
  return true;
}

}  // namespace delassus::numerics
