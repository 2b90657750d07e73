// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/FlowMode.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr std::size_t keptModes = 256;
constexpr double nanosecond = 1e-9;  // for the size of a state at zero

}  // namespace

void FlowMode::forget() {
  kept_.clear();
  factors_ = &own_;
  constantsTaken_ = false;
  solved_ = false;
}

bool FlowMode::select(const Branches& branches, double t, const double* x, const Vector& lambda) {
  branches_ = branches;
  solved_ = false;
  t_ = t;
  guess_ = lambda;
  held_.clear();
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (branches_[i] == FlowBranch::held) held_.push_back(i);
    if (branches_[i] == FlowBranch::lower) guess_(i) = model_.lower()(i);
    if (branches_[i] == FlowBranch::upper) guess_(i) = model_.upper()(i);
    if (!std::isfinite(guess_(i))) guess_(i) = 0.;
  }
  x_.resize(model_.states(), false);
  std::copy_n(x, model_.states(), data(x_));
  wanted_.assign(model_.interactions(), 0);
  if (model_.isTimeInvariant()) {
    if (!constantsTaken_) {
      model_.rates(t, x_, guess_, xDot_);
      model_.linearise(t, x_, guess_);
      constantsTaken_ = true;
    }
    std::string key;
    for (const FlowBranch b : branches_) key += b == FlowBranch::held ? 'h' : '-';
    const auto found = kept_.find(key);
    if (found == kept_.end()) {
      if (kept_.size() >= keptModes) kept_.clear();
      FlowFactors& made = kept_[key];
      made.factor(model_.C(), model_.D(), model_.B(), held_);
      factors_ = &made;
    } else {
      factors_ = &found->second;
    }
  } else {
    lambda_ = guess_;
    model_.rates(t, x_, lambda_, xDot_);
    factorHere();
  }
  for (const std::size_t row : held_) {
    if (factors_->isDifferentiated(row)) wanted_[model_.interactionOf(row)] = 1;
  }
  return factors_->isRegular();
}

// After rates() at (x_, lambda_).
void FlowMode::factorHere() {
  model_.linearise(t_, x_, lambda_);
  own_.factor(model_.C(), model_.D(), model_.B(), held_);
  factors_ = &own_;
}

void FlowMode::solve(double t, const double* x) {
  const std::size_t n = model_.states();
  if (solved_ && t == t_ && std::equal(x, x + n, place_.begin())) return;
  solved_ = false;
  t_ = t;
  place_.resize(n, false);
  std::copy_n(x, n, data(place_));
  x_ = place_;
  lambda_ = guess_;
  assignZero(impulse_, branches_.size());
  if (model_.isTimeInvariant()) {
    solveOnce(t);
  } else {
    solveByNewton(t);
  }
  solved_ = true;
}

// With outputs at x_ in y_: moves x_ along B_H until N y_H = 0, to first order, and y_ with it.
void FlowMode::project() {
  const Matrix& N = factors_->combinations();
  const std::size_t h = held_.size();
  const std::size_t p = factors_->pivots().size();
  assignZero(change_, h);
  assignZero(mismatch_, N.size1());
  bool any = false;
  for (std::size_t c = 0; c < N.size1(); ++c) {
    for (std::size_t j = 0; j < h; ++j) mismatch_(c) += N(c, j) * y_(held_[j]);
    change_(p + c) = factors_->saysNothing(c) ? 0. : -mismatch_(c);
    any = any || mismatch_(c) != 0.;
  }
  if (!any) return;
  factors_->solve(change_);
  assignZero(shift_, x_.size());
  for (std::size_t j = 0; j < h; ++j) {
    impulse_(held_[j]) += change_(j);
    for (std::size_t i = 0; i < x_.size(); ++i) shift_(i) += model_.B()(i, held_[j]) * change_(j);
  }
  addScaled(1., shift_, x_);
  multiply(1., model_.C(), shift_, 1., y_);
}

// One step of Newton's method for λ_H from y_ and xDot_, which follow to first order. The size of the step, relative.
double FlowMode::correct(double t) {
  const Matrix& N = factors_->combinations();
  const std::size_t h = held_.size();
  const std::size_t p = factors_->pivots().size();
  assignZero(change_, h);
  for (std::size_t i = 0; i < p; ++i) change_(i) = -y_(held_[factors_->pivots()[i]]);
  if (N.size1() > 0) {
    assignZero(yDot_, y_.size());
    if (model_.hasMovingOutputs()) model_.outputRates(t, x_, lambda_, wanted_, yDot_);
    for (std::size_t c = 0; c < N.size1(); ++c) {
      if (factors_->saysNothing(c)) change_(p + c) = -factors_->alongFree(c, lambda_);
      for (std::size_t j = 0; j < h && !factors_->saysNothing(c); ++j) {
        if (N(c, j) == 0.) continue;
        double rate = yDot_(held_[j]);
        for (std::size_t k = 0; k < x_.size(); ++k) rate += model_.C()(held_[j], k) * xDot_(k);
        change_(p + c) -= N(c, j) * rate;
      }
    }
  }
  factors_->solve(change_);
  double size = 0., largest = 0.;
  for (std::size_t j = 0; j < h; ++j) {
    const double d = change_(j);
    lambda_(held_[j]) += d;
    size = std::max(size, std::abs(lambda_(held_[j])));
    largest = std::max(largest, std::abs(d));
    for (std::size_t i = 0; i < y_.size(); ++i) y_(i) += model_.D()(i, held_[j]) * d;
    for (std::size_t i = 0; i < x_.size(); ++i) xDot_(i) += model_.B()(i, held_[j]) * d;
  }
  return largest == 0. ? 0. : largest / std::max(size, largest);
}

void FlowMode::solveOnce(double t) {
  model_.outputs(t, x_, lambda_, y_);
  if (factors_->combinations().size1() > 0) project();
  model_.rates(t, x_, lambda_, xDot_);
  if (!held_.empty()) correct(t);
}

void FlowMode::solveByNewton(double t) {
  Vector first;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 60; ++iteration) {
    model_.rates(t, x_, lambda_, xDot_);
    model_.outputs(t, x_, lambda_, y_);
    if (held_.empty()) return;
    factorHere();
    if (!factors_->isRegular()) {
      throw Error(
          model_.rowName(factors_->singularRow()),
          "the multipliers of the outputs that are held at zero are no longer determined at t = " + toText(t) + ".");
    }
    double moved = 0.;
    if (factors_->combinations().size1() > 0) {
      const Vector before = x_;
      project();
      if (iteration == 0) first = mismatch_;
      moved = normInf(Vector(x_ - before));
      if (moved > 0.) {
        moved /= std::max({normInf(before), nanosecond * normInf(xDot_), moved});
        model_.outputs(t, x_, lambda_, y_);
        model_.rates(t, x_, lambda_, xDot_);
      }
    }
    const double change = std::max(correct(t), moved);
    if (change <= 1e-14 || (change <= 1e-10 && change >= 0.5 * last)) {
      mismatch_ = first;
      return;
    }
    last = change;
  }
  throw Error(
      model_.rowName(held_.front()),
      "Newton's method has not found the multipliers of the outputs that are held at zero at t = " + toText(t) + ".");
}

void FlowMode::stateRates(Vector& rates) const {
  assignZero(rates, x_.size());
  for (std::size_t j = 0; j < branches_.size(); ++j) {
    double multiplier = std::max(std::abs(lambda_(j)), std::abs(guess_(j)));
    for (const double bound : {model_.lower()(j), model_.upper()(j)}) {
      if (std::isfinite(bound)) multiplier = std::max(multiplier, std::abs(bound));
    }
    for (std::size_t k = 0; k < x_.size(); ++k) rates(k) += std::abs(model_.B()(k, j)) * multiplier;
  }
  for (std::size_t k = 0; k < x_.size(); ++k) rates(k) += std::abs(xDot_(k));
}

double FlowMode::sizeOf(std::size_t state) const {
  return std::max(std::abs(x_(state)), model_.sizes()(state));
}

FlowMode::Mismatch FlowMode::mismatch() const {
  Mismatch worst;
  const Matrix& N = factors_->combinations();
  if (N.size1() == 0) return worst;
  const Matrix& C = model_.C();
  Vector rates, none;
  stateRates(rates);
  assignZero(none, x_.size());
  for (std::size_t c = 0; c < N.size1(); ++c) {
    double rate = 0., terms = 0., own = 0.;
    for (std::size_t j = 0; j < held_.size(); ++j) {
      const double weight = std::abs(N(c, j));
      if (weight == 0.) continue;
      if (yDot_.size() > 0) own += N(c, j) * yDot_(held_[j]);
      for (std::size_t k = 0; k < x_.size(); ++k) {
        rate += weight * std::abs(C(held_[j], k)) * rates(k);
      }
      terms += weight * termsOf(held_[j], none, 0., Sizes::ofRun);
      if (yDot_.size() > 0) rate += weight * std::abs(yDot_(held_[j]));
    }
    // What holds no state and moves by itself is zero at this instant alone.
    constexpr double rounding = 1e-9;
    if (factors_->saysNothing(c) && std::abs(own) > rounding * rate) {
      return {factors_->rowOf(c), mismatch_(c), std::numeric_limits<double>::infinity(), 1.};
    }
    const double off = std::abs(mismatch_(c));
    if (off == 0.) continue;
    const double time = rate > 0. ? off / rate : std::numeric_limits<double>::infinity();
    if (worst.output != 0. && time <= worst.time) continue;
    worst = {factors_->rowOf(c), mismatch_(c), time, off / std::max(terms, off)};
  }
  return worst;
}

void FlowMode::guards(double* g) const {
  for (std::size_t i = 0; i < branches_.size(); ++i, g += 2) {
    const double l = model_.lower()(i);
    const double u = model_.upper()(i);
    g[0] = g[1] = 1.;
    if (branches_[i] == FlowBranch::held) {
      if (std::isfinite(l)) g[0] = lambda_(i) - l;
      if (std::isfinite(u)) g[1] = u - lambda_(i);
    } else if (l < u) {
      g[0] = branches_[i] == FlowBranch::lower ? y_(i) : -y_(i);
    }
  }
}

// Σ |C x| + |D λ| and what else an output consists of; of x that moves for `time`. Outputs follow the multipliers from
// those with which the mode begins, whose rounding they keep.
double FlowMode::termsOf(std::size_t row, const Vector& rates, double time, Sizes sizes) const {
  const Matrix& C = model_.C();
  const Matrix& D = model_.D();
  double terms = 0., rest = y_(row);
  for (std::size_t k = 0; k < x_.size(); ++k) {
    terms += std::abs(C(row, k)) * ((sizes == Sizes::ofRun ? sizeOf(k) : std::abs(x_(k))) + time * rates(k));
    rest -= C(row, k) * x_(k);
  }
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    const double begin = sizes == Sizes::ofRun ? std::abs(guess_(k)) : 0.;
    terms += std::abs(D(row, k)) * std::max(std::abs(lambda_(k)), begin);
    rest -= D(row, k) * lambda_(k);
  }
  return terms + std::abs(rest);
}

void FlowMode::guardScales(double time, double* s, Sizes sizes) const {
  Vector rates;
  stateRates(rates);
  double multipliers = 0.;  // of the interaction, and their bounds
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (i == 0 || model_.interactionOf(i) != model_.interactionOf(i - 1)) {
      multipliers = 0.;
      for (std::size_t j = i; j < branches_.size() && model_.interactionOf(j) == model_.interactionOf(i); ++j) {
        multipliers = std::max(multipliers, std::abs(lambda_(j)));
      }
    }
    s[2 * i] = s[2 * i + 1] = multipliers;
    if (branches_[i] == FlowBranch::held) {
      for (const double bound : {model_.lower()(i), model_.upper()(i)}) {
        if (std::isfinite(bound)) s[2 * i] = s[2 * i + 1] = std::max(s[2 * i], std::abs(bound));
      }
      continue;
    }
    s[2 * i] = termsOf(i, rates, time, sizes);
    s[2 * i + 1] = 0.;
  }
  amplifyScales(s, sizes);
  spreadScales(s);
}

// A multiplier that is held is exact to the rounding of its scale alone, and so are the outputs of rows at a bound that
// it acts on, also where it is zero itself.
void FlowMode::spreadScales(double* s) const {
  const Matrix& D = model_.D();
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (branches_[i] == FlowBranch::held) continue;
    for (const std::size_t j : held_) s[2 * i] += std::abs(D(i, j)) * s[2 * j];
  }
}

// The multipliers of rows of degree 0 carry the rounding of outputs divided by a resistance, say.
void FlowMode::amplifyScales(double* s, Sizes sizes) const {
  const std::vector<std::size_t>& pivots = factors_->pivots();
  if (pivots.empty()) return;
  Vector terms(held_.size()), none(x_.size());
  setZero(terms);
  setZero(none);
  for (std::size_t i = 0; i < pivots.size(); ++i) terms(i) = termsOf(held_[pivots[i]], none, 0., sizes);
  factors_->amplify(terms);
  for (std::size_t j = 0; j < held_.size(); ++j) {
    for (std::size_t side = 0; side < 2; ++side) {
      s[2 * held_[j] + side] = std::max(s[2 * held_[j] + side], terms(j));
    }
  }
}

}  // namespace delassus
