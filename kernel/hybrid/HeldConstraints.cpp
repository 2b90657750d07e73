// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/HeldConstraints.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <utility>

namespace delassus {
namespace {

constexpr double rankTolerance = 1e-11;  // that of the factors

}  // namespace

void HeldConstraints::set(const MotionBlocks& blocks, std::vector<Row> rows, std::vector<Force> forces) {
  rows_ = std::move(rows);
  forces_ = std::move(forces);
  interactions_.clear();
  anySlip_ = false;
  fixed_ = true;
  assembled_ = false;
  for (const Row& row : rows_) {
    if (interactions_.empty() || interactions_.back() != row.interaction) interactions_.push_back(row.interaction);
    anySlip_ = anySlip_ || row.slipRow != none;
    fixed_ = fixed_ && blocks.isFixed(row.interaction);
  }
  x_.assign(rows_.size(), 0.);
}

void HeldConstraints::begin(const MotionBlocks& blocks) {
  if (!rows_.empty()) assemble(blocks);
}

void HeldConstraints::assemble(const MotionBlocks& blocks) {
  if (fixed_ && assembled_) return;
  const std::size_t m = rows_.size();
  K_.resize(m * m);
  if (anySlip_) Kslip_.resize(m * m);
  for (std::size_t b = 0; b < m; ++b) {
    for (std::size_t a = 0; a < m; ++a) {
      // The same sum on both sides of the diagonal.
      const Row& one = rows_[std::min(a, b)];
      const Row& two = rows_[std::max(a, b)];
      K_[a + b * m] = blocks.delassus(one.interaction, one.row, two.interaction, two.row);
      if (!anySlip_) continue;
      Kslip_[a + b * m] = K_[a + b * m];
      if (rows_[b].slipRow == none) continue;
      Kslip_[a + b * m] += rows_[b].slipFactor *
                           blocks.delassus(rows_[a].interaction, rows_[a].row, rows_[b].interaction, rows_[b].slipRow);
    }
  }
  if (!factor_.tryFactor(K_.data(), m)) {
    throw Error("EventDriven", "the matrix of the held constraints, of '" +
                                   blocks.interactions()[rows_.front().interaction].interaction->name() +
                                   "' and others, is not finite and semidefinite.");
  }
  if (anySlip_) slipFactor_.factor(Kslip_.data(), m);
  assembled_ = true;
}

void HeldConstraints::scatter(MotionBlocks& blocks, bool slip) const {
  blocks.clearMultipliers();
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    double* const multiplier = blocks.multiplier(rows_[a].interaction);
    multiplier[rows_[a].row] += x_[a];
    if (slip && rows_[a].slipRow != none) multiplier[rows_[a].slipRow] += rows_[a].slipFactor * x_[a];
  }
}

void HeldConstraints::addForces(MotionBlocks& blocks) const {
  for (const Force& force : forces_) blocks.multiplier(force.interaction)[force.row] += force.value;
}

void HeldConstraints::project(MotionBlocks& blocks, double t) {
  if (!rows_.empty()) projectRows(blocks, t);
  for (const Force& force : forces_) blocks.computeOutputs(force.interaction, t);
}

void HeldConstraints::projectRows(MotionBlocks& blocks, double t) {
  constexpr int mostCorrections = 5;
  // Corrections above this change G significantly; Newton's method removes them quadratically.
  constexpr double smallCorrection = 1e-13;
  for (int k = 0; k < mostCorrections; ++k) {
    for (const std::size_t interaction : interactions_) blocks.computeOutputs(interaction, t);
    assemble(blocks);
    const double largest = close(blocks);
    if (largest == 0.) break;
    if (largest < smallCorrection || fixed_) break;
  }
  stop(blocks);
}

double HeldConstraints::close(MotionBlocks& blocks) {
  double largest = 0.;
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    x_[a] = rows_[a].position ? -blocks.interactions()[rows_[a].interaction].y(rows_[a].row) : 0.;
    largest = std::max(largest, std::abs(x_[a]));
  }
  if (largest == 0.) return 0.;
  factor_.solve(x_.data());
  scatter(blocks, false);
  blocks.addDisplacement();
  return largest;
}

void HeldConstraints::stop(MotionBlocks& blocks) {
  for (std::size_t a = 0; a < rows_.size(); ++a)
    x_[a] = -blocks.interactions()[rows_[a].interaction].yDot(rows_[a].row);
  factor_.solve(x_.data());
  scatter(blocks, false);
  blocks.addVelocity();
}

void HeldConstraints::hold(MotionBlocks& blocks, double t) {
  addForces(blocks);
  if (!forces_.empty()) blocks.addAcceleration();
  if (rows_.empty()) return;
  for (const std::size_t interaction : interactions_) blocks.computeBias(interaction, t);
  for (std::size_t a = 0; a < rows_.size(); ++a) x_[a] = -blocks.acceleration(rows_[a].interaction, rows_[a].row);
  if (anySlip_) {
    slipFactor_.solve(x_.data());
  } else {
    factor_.solve(x_.data());
  }
  balanced_ = false;
  scatter(blocks, true);
  blocks.addAcceleration();
  addForces(blocks);
}

bool HeldConstraints::isRedundant() const {
  if (rows_.empty()) return false;
  return anySlip_ ? slipFactor_.rank() < rows_.size() : factor_.rank() < rows_.size();
}

void HeldConstraints::balance(MotionBlocks& blocks) {
  if (balanced_ || !isRedundant()) return;
  const std::size_t m = rows_.size();
  const std::vector<double>& K = anySlip_ ? Kslip_ : K_;
  std::vector<double> scales(m, 1.);  // λ = scale · unknown
  for (std::size_t a = 0; a < m; ++a) {
    if (K_[a + a * m] > 0.) scales[a] = 1. / std::sqrt(K_[a + a * m]);
  }
  Matrix A(m, m);
  Vector xi(m);
  std::vector<MultiplierBalance::Margin> margins;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) A(a, b) = scales[a] * K[a + b * m] * scales[b];
    xi(a) = x_[a] / scales[a];
    const Row& row = rows_[a];
    if (std::isfinite(row.lower)) margins.push_back({{a, a}, {1., 0.}, -row.lower / scales[a]});
    if (std::isfinite(row.upper)) margins.push_back({{a, a}, {-1., 0.}, row.upper / scales[a]});
    if (row.mu == 0.) continue;
    for (const double side : {-1., 1.}) margins.push_back({{a - 1, a}, {row.mu * scales[a - 1] / scales[a], side}, 0.});
  }
  balance_.apply(A, rankTolerance, margins, xi);
  for (std::size_t a = 0; a < m; ++a) x_[a] = scales[a] * xi(a);
  balanced_ = true;
  scatter(blocks, true);
  addForces(blocks);
}

}  // namespace delassus
