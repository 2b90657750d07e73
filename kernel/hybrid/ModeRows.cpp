// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/ModeRows.hpp>

namespace delassus {
namespace {

bool isRound(const HeldRow& row) {
  return row.tangents == 2 && !row.slips;
}

// A contact that sticks: in the plane its cone is two half-spaces.
void addCone(const HeldRow& row, std::size_t k, const std::vector<double>& scales,
             std::vector<MultiplierBalance::Margin>& margins, std::vector<MultiplierBalance::Cone>& cones) {
  const double unit = scales[k + row.tangents];
  if (isRound(row)) {
    cones.push_back({k, {row.mu * scales[k] / unit, scales[k + 1] / unit, 1.}});
  } else {
    for (const double side : {-1., 1.}) margins.push_back({{k, k + 1}, {row.mu * scales[k] / unit, side}, 0.});
  }
}

// The part of a across the direction.
double across(const SlipDirection& d, const SlipDirection& a) {
  return d[0] * a[1] - d[1] * a[0];
}

double lengthOf(const std::vector<double>& residuals) {
  double sum = 0.;
  for (const double residual : residuals) sum += residual * residual;
  return std::sqrt(sum);
}

}  // namespace

void balanceRows(MultiplierBalance& balance, const std::vector<Vector>& nullSpace, const std::vector<HeldRow>& rows,
                 const std::vector<double>& scales, bool shortest, Vector& xi) {
  std::vector<MultiplierBalance::Margin> margins;
  std::vector<MultiplierBalance::Cone> cones;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const HeldRow& row = rows[k];
    if (std::isfinite(row.lower)) margins.push_back({{k}, {1.}, -row.lower / scales[k]});
    if (std::isfinite(row.upper)) margins.push_back({{k}, {-1.}, row.upper / scales[k]});
    if (!row.slips && row.tangents > 0) addCone(row, k, scales, margins, cones);
  }
  balance.apply(nullSpace, margins, cones, shortest, xi);
}

void CreepingDirections::collect(std::vector<HeldRow>& rows) {
  creeping_.clear();
  angles_.clear();
  for (HeldRow& row : rows) {
    if (row.turning != HeldRow::Turning::withForce) continue;
    creeping_.push_back(&row);
    angles_.push_back(std::atan2(row.heading[1], row.heading[0]));
  }
  a_.resize(creeping_.size());
}

void CreepingDirections::evaluate(const Solver& solve, std::vector<double>& residuals) {
  for (std::size_t k = 0; k < angles_.size(); ++k)
    creeping_[k]->direction = {std::cos(angles_[k]), std::sin(angles_[k])};
  size_ = solve(a_);
  residuals.resize(angles_.size());
  for (std::size_t k = 0; k < angles_.size(); ++k) residuals[k] = across(creeping_[k]->direction, a_[k]);
}

void CreepingDirections::differentiate(const Solver& solve) {
  constexpr double increment = 1e-7;
  const std::size_t n = angles_.size();
  jacobian_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    const double angle = angles_[j];
    angles_[j] += increment;
    evaluate(solve, shifted_);
    for (std::size_t i = 0; i < n; ++i) jacobian_[i + j * n] = (shifted_[i] - residuals_[i]) / increment;
    angles_[j] = angle;
  }
}

// Goes along the step of Newton's method, whose largest angle is given, to where residuals are smaller; false if they
// are nowhere.
bool CreepingDirections::descend(const Solver& solve, double largest) {
  constexpr double longest = 0.5;
  constexpr double shortest = 1e-3;
  const double before = lengthOf(residuals_);
  start_ = angles_;
  for (double part = std::min(1., longest / largest);; part *= 0.5) {
    for (std::size_t k = 0; k < angles_.size(); ++k) angles_[k] = start_[k] - part * newton_[k];
    evaluate(solve, residuals_);
    if (lengthOf(residuals_) < before) return true;
    if (part * largest < shortest) return false;
  }
}

const HeldRow* CreepingDirections::align(std::vector<HeldRow>& rows, const Solver& solve) {
  constexpr int mostSteps = 40;
  constexpr double enough = 4e-15;  // of an angle
  // The part of the terms of the accelerations that counts as none: at the onset nothing is accelerated, and angles are
  // not determined.
  constexpr double least = 1e-15;
  constexpr double rounding = 1e-10;  // where residuals no longer become smaller
  collect(rows);
  evaluate(solve, residuals_);
  for (int step = 0; step < mostSteps; ++step) {
    if (lengthOf(residuals_) <= least * size_) return nullptr;
    differentiate(solve);
    factor_.factor(jacobian_.data(), angles_.size());
    newton_ = residuals_;
    factor_.solve(newton_.data());
    double largest = 0.;
    for (const double angle : newton_) largest = std::max(largest, std::abs(angle));
    const bool descends = descend(solve, largest);
    if (largest <= enough || (!descends && lengthOf(residuals_) <= rounding * size_)) return nullptr;
    if (!descends) break;
  }
  const auto size = [](double one, double other) { return std::abs(one) < std::abs(other); };
  return creeping_[static_cast<std::size_t>(std::max_element(residuals_.begin(), residuals_.end(), size) -
                                            residuals_.begin())];
}

}  // namespace delassus
