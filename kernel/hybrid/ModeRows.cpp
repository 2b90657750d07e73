// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/ModeRows.hpp>

namespace delassus {
namespace {

constexpr double pi = 3.14159265358979323846;

bool isRound(const HeldRow& row) {
  return row.tangents == 2 && !row.slips;
}

// |λ_T| ≤ μ λ_N from row k on.
void addCone(const HeldRow& row, std::size_t k, const std::vector<double>& scales, const Vector& xi,
             std::vector<MultiplierBalance::Margin>& margins) {
  constexpr int planes = 8;
  if (!isRound(row)) {
    for (const double side : {-1., 1.}) margins.push_back({{k, k + 1}, {row.mu * scales[k] / scales[k + 1], side}, 0.});
    return;
  }
  const double unit = scales[k + 2];
  const double nearest = std::atan2(scales[k + 2] * xi(k + 2), scales[k + 1] * xi(k + 1));
  for (int plane = 0; plane < planes; ++plane) {
    const double angle = nearest + 2. * pi * plane / planes;
    margins.push_back({{k, k + 1, k + 2},
                       {row.mu * scales[k] / unit, -std::cos(angle) * scales[k + 1] / unit, -std::sin(angle)},
                       0.});
  }
}

std::vector<MultiplierBalance::Margin> marginsOf(const std::vector<HeldRow>& rows, const std::vector<double>& scales,
                                                 const Vector& xi) {
  std::vector<MultiplierBalance::Margin> margins;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const HeldRow& row = rows[k];
    if (std::isfinite(row.lower)) margins.push_back({{k}, {1.}, -row.lower / scales[k]});
    if (std::isfinite(row.upper)) margins.push_back({{k}, {-1.}, row.upper / scales[k]});
    if (!row.slips && row.tangents > 0) addCone(row, k, scales, xi, margins);
  }
  return margins;
}

// The part of a across the direction.
double across(const SlipDirection& d, const SlipDirection& a) {
  return d[0] * a[1] - d[1] * a[0];
}

}  // namespace

void balanceRows(MultiplierBalance& balance, const Matrix& A, double rankTolerance, const std::vector<HeldRow>& rows,
                 const std::vector<double>& scales, Vector& xi) {
  const int times = std::any_of(rows.begin(), rows.end(), isRound) ? 4 : 1;
  for (int k = 0; k < times; ++k) balance.apply(A, rankTolerance, marginsOf(rows, scales, xi), xi);
}

void CreepingDirections::align(std::vector<HeldRow>& rows, const Solver& solve) {
  constexpr int mostSteps = 12;
  constexpr double enough = 4e-15;
  constexpr double increment = 1e-7;
  constexpr double longest = 0.5;
  creeping_.clear();
  angles_.clear();
  for (HeldRow& row : rows) {
    if (row.turning != HeldRow::Turning::withForce) continue;
    creeping_.push_back(&row);
    angles_.push_back(std::atan2(row.heading[1], row.heading[0]));
  }
  const std::size_t n = creeping_.size();
  a_.resize(n);
  jacobian_.resize(n * n);
  shifted_.resize(n);
  const auto evaluate = [&](std::vector<double>& residuals) {
    for (std::size_t k = 0; k < n; ++k) creeping_[k]->direction = {std::cos(angles_[k]), std::sin(angles_[k])};
    solve(a_);
    residuals.resize(n);
    for (std::size_t k = 0; k < n; ++k) residuals[k] = across(creeping_[k]->direction, a_[k]);
  };
  evaluate(residuals_);
  for (int step = 0; step < mostSteps; ++step) {
    for (std::size_t j = 0; j < n; ++j) {
      const double angle = angles_[j];
      angles_[j] += increment;
      evaluate(shifted_);
      for (std::size_t i = 0; i < n; ++i) jacobian_[i + j * n] = (shifted_[i] - residuals_[i]) / increment;
      angles_[j] = angle;
    }
    factor_.factor(jacobian_.data(), n);
    factor_.solve(residuals_.data());
    double largest = 0.;
    for (std::size_t k = 0; k < n; ++k) {
      angles_[k] -= std::clamp(residuals_[k], -longest, longest);
      largest = std::max(largest, std::abs(residuals_[k]));
    }
    evaluate(residuals_);
    if (largest <= enough) return;
  }
}

}  // namespace delassus
