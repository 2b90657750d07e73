// SPDX-License-Identifier: Apache-2.0
#include "PiecewiseLinear.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus::test {

namespace {

constexpr int levels = 56;  // scan / 2^55 is far below the rounding of any instant

Matrix plainProduct(const Matrix& a, const Matrix& b) {
  Matrix c(a.size1(), b.size2());
  for (std::size_t j = 0; j < b.size2(); ++j) {
    for (std::size_t k = 0; k < a.size2(); ++k) {
      for (std::size_t i = 0; i < a.size1(); ++i) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

double maxNorm(const Matrix& a) {
  double norm = 0.;
  for (const double entry : a.data()) norm = std::max(norm, std::abs(entry));
  return norm;
}

// exp(a) by its series, scaled so that it converges at once, and squared.
Matrix exponential(Matrix a) {
  const double size = static_cast<double>(a.size1()) * maxNorm(a);
  int squarings = 0;
  while (std::ldexp(size, -squarings) > 0.5) ++squarings;
  for (double& entry : a.data()) entry = std::ldexp(entry, -squarings);
  Matrix term = identityMatrix(a.size1());
  Matrix sum = term;
  for (int k = 1; k <= 20; ++k) {
    term = plainProduct(term, a);
    for (double& entry : term.data()) entry /= k;
    sum += term;
  }
  for (int k = 0; k < squarings; ++k) sum = plainProduct(sum, sum);
  return sum;
}

// The flow of (x, 1) over the time dt.
Matrix flow(const PiecewiseLinear::Mode& mode, double dt) {
  const std::size_t n = mode.b.size();
  Matrix generator(n + 1, n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) generator(i, j) = dt * mode.A(i, j);
    generator(i, n) = dt * mode.b(i);
  }
  return exponential(std::move(generator));
}

void apply(const Matrix& flow, const Vector& x, Vector& result) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) result(i) = flow(i, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) result(i) += flow(i, j) * x(j);
  }
}

}  // namespace

PiecewiseLinear::PiecewiseLinear(std::vector<Mode> modes, double scan, const Vector& x0, std::size_t mode)
    : modes_(std::move(modes)), scan_(scan), x_(x0), trial_(x0), mode_(mode) {
  if (!(scan > 0.)) throw Error("PiecewiseLinear: scan must be positive");
  if (mode >= modes_.size()) throw Error("PiecewiseLinear: there is no such first mode");
  for (const Mode& m : modes_) {
    requireSize(m.A, x0.size(), x0.size(), "PiecewiseLinear: A");
    requireSize(m.b, x0.size(), "PiecewiseLinear: b");
    for (const Guard& guard : m.guards) {
      requireSize(guard.normal, x0.size(), "PiecewiseLinear: the normal of a guard");
      if (guard.target >= modes_.size()) throw Error("PiecewiseLinear: a guard leads to a mode that does not exist");
    }
    std::vector<Matrix>& flows = flows_.emplace_back();
    for (int k = 0; k < levels; ++k) flows.push_back(flow(m, std::ldexp(scan, -k)));
  }
}

void PiecewiseLinear::advanceTo(double t) {
  double remaining = t - time_;
  std::size_t immediate = 0;
  while (remaining > 0.) {
    const std::size_t before = switchings_;
    const double done = advanceInMode(remaining);
    remaining -= done;
    if (switchings_ == before) break;
    immediate = done > std::ldexp(scan_, -levels / 2) ? 0 : immediate + 1;
    if (immediate > 1000) throw Error("PiecewiseLinear: modes follow each other without end");
  }
  time_ = t;
}

// The time that passed: all of `duration`, or up to a switching, which is done. A step that would leave the mode is not
// taken but halved, so that the sum of halves is the bisection for the instant. The trial that failed last is beyond
// the instant by no more than the smallest step.
double PiecewiseLinear::advanceInMode(double duration) {
  const std::vector<Matrix>& flows = flows_[mode_];
  double remaining = duration;
  const Guard* guard = nullptr;
  const auto take = [&](std::size_t k, double dt) {
    if (dt > remaining) return false;
    apply(flows[k], x_, trial_);
    const Guard* const crossed = violated(trial_);
    if (crossed != nullptr) {
      guard = crossed;
      beyond_ = trial_;
      return false;
    }
    std::swap(x_, trial_);
    remaining -= dt;
    return true;
  };
  while (take(0, scan_)) {
  }
  for (int k = 1; k < levels; ++k) take(static_cast<std::size_t>(k), std::ldexp(scan_, -k));
  if (guard == nullptr) return duration;
  x_ = beyond_;
  if (!guard->jump.empty()) x_ += guard->jump;
  mode_ = guard->target;
  ++switchings_;
  return duration - remaining;
}

const PiecewiseLinear::Guard* PiecewiseLinear::violated(const Vector& x) const {
  for (const Guard& guard : modes_[mode_].guards) {
    double value = guard.offset;
    for (std::size_t i = 0; i < x.size(); ++i) value += guard.normal(i) * x(i);
    if (value < 0.) return &guard;
  }
  return nullptr;
}

}  // namespace delassus::test
