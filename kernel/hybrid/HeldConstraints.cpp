// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/HeldConstraints.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <utility>

namespace delassus {

void HeldConstraints::set(const MotionBlocks& blocks, ModeRows rows) {
  rows_ = std::move(rows);
  lost_ = nullptr;
  interactions_.clear();
  all_.clear();
  own_.clear();
  violations_.clear();
  anySlip_ = turns_ = creeps_ = false;
  fixed_ = true;
  assembled_ = false;
  for (const HeldRow& row : rows_.held) {
    if (interactions_.empty() || interactions_.back() != row.interaction) interactions_.push_back(row.interaction);
    anySlip_ = anySlip_ || row.slips;
    turns_ = turns_ || row.turning != HeldRow::Turning::none;
    creeps_ = creeps_ || row.turning == HeldRow::Turning::withForce;
    fixed_ = fixed_ && blocks.isFixed(row.interaction);
    own_.push_back(all_.size());
    for (std::size_t i = 0; i <= row.shares(); ++i) all_.push_back({row.interaction, row.row + i});
  }
  x_.assign(rows_.held.size(), 0.);
  free_.assign(all_.size(), 0.);
}

void HeldConstraints::begin(const MotionBlocks& blocks) {
  if (rows_.held.empty()) return;
  assemble(blocks);
  std::fill(x_.begin(), x_.end(), 0.);
  turn(blocks);
}

void HeldConstraints::assemble(const MotionBlocks& blocks) {
  if (fixed_ && assembled_) return;
  const std::size_t n = all_.size();
  full_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      full_[i + j * n] = full_[j + i * n] =
          blocks.delassus(all_[i].interaction, all_[i].row, all_[j].interaction, all_[j].row);
    }
  }
  const std::size_t m = own_.size();
  K_.resize(m * m);
  for (std::size_t b = 0; b < m; ++b) {
    for (std::size_t a = 0; a < m; ++a) K_[a + b * m] = full_[own_[a] + own_[b] * n];
  }
  if (!factor_.tryFactor(K_.data(), m)) {
    throw Error("EventDriven", "the matrix of the held constraints, of '" +
                                   blocks.interactions()[rows_.held.front().interaction].interaction->name() +
                                   "' and others, is not finite and semidefinite.");
  }
  if (anySlip_ && !turns_) assembleSlip();
  assembled_ = true;
}

// Entry (i, column of the multiplier b) of K with the friction that b brings along.
double HeldConstraints::slipEntry(std::size_t i, std::size_t b) const {
  const std::size_t n = all_.size();
  double sum = full_[i + own_[b] * n];
  for (std::size_t t = 0; t < rows_.held[b].shares(); ++t)
    sum += rows_.held[b].share(t) * full_[i + (own_[b] + 1 + t) * n];
  return sum;
}

void HeldConstraints::scatter(MotionBlocks& blocks, bool slip) const {
  blocks.clearMultipliers();
  for (std::size_t a = 0; a < x_.size(); ++a) {
    const HeldRow& held = rows_.held[a];
    double* const multiplier = blocks.multiplier(held.interaction) + held.row;
    multiplier[0] += x_[a];
    for (std::size_t t = 0; slip && t < held.shares(); ++t) multiplier[1 + t] += held.share(t) * x_[a];
  }
}

void HeldConstraints::addForces(MotionBlocks& blocks) const {
  for (const KnownForce& force : rows_.forces) blocks.multiplier(force.interaction)[force.row] += force.value;
}

void HeldConstraints::project(MotionBlocks& blocks, double t) {
  if (!rows_.held.empty()) projectRows(blocks, t);
  for (const KnownForce& force : rows_.forces) blocks.computeOutputs(force.interaction, t);
}

void HeldConstraints::projectRows(MotionBlocks& blocks, double t) {
  constexpr int mostCorrections = 5;
  // Corrections above this change G significantly; Newton's method removes them quadratically.
  constexpr double smallCorrection = 1e-13;
  for (int k = 0; k < mostCorrections; ++k) {
    for (const std::size_t interaction : interactions_) blocks.computeOutputs(interaction, t);
    if (k == 0) findViolations(blocks);
    assemble(blocks);
    const double largest = close(blocks);
    if (largest == 0.) break;
    if (largest < smallCorrection || fixed_) break;
  }
  stop(blocks);
}

void HeldConstraints::findViolations(const MotionBlocks& blocks) {
  violations_.clear();
  for (const HeldRow& held : rows_.held) {
    if (!held.position) continue;
    violations_.push_back({held.interaction, blocks.interactions()[held.interaction].y(held.row)});
  }
}

double HeldConstraints::close(MotionBlocks& blocks) {
  double largest = 0.;
  for (std::size_t a = 0; a < x_.size(); ++a) {
    const HeldRow& held = rows_.held[a];
    x_[a] = held.position ? -blocks.interactions()[held.interaction].y(held.row) : 0.;
    largest = std::max(largest, std::abs(x_[a]));
  }
  if (largest == 0.) return 0.;
  factor_.solve(x_.data());
  scatter(blocks, false);
  blocks.addDisplacement();
  return largest;
}

void HeldConstraints::stop(MotionBlocks& blocks) {
  for (std::size_t a = 0; a < x_.size(); ++a)
    x_[a] = -blocks.interactions()[rows_.held[a].interaction].yDot(rows_.held[a].row);
  factor_.solve(x_.data());
  turn(blocks);
  scatter(blocks, false);
  blocks.addVelocity();
}

void HeldConstraints::hold(MotionBlocks& blocks, double t) {
  addForces(blocks);
  if (!rows_.forces.empty()) blocks.addAcceleration();
  if (rows_.held.empty()) return;
  for (const std::size_t interaction : interactions_) blocks.computeBias(interaction, t);
  for (std::size_t i = 0; i < all_.size(); ++i) free_[i] = blocks.acceleration(all_[i].interaction, all_[i].row);
  if (creeps_) {
    const auto solve = [this](std::vector<SlipDirection>& a) { return solveCreeping(a); };
    lost_ = creeping_.align(rows_.held, solve);
  } else {
    if (turns_) assembleSlip();
    solveRows();
  }
  scatter(blocks, true);
  blocks.addAcceleration();
  addForces(blocks);
}

void HeldConstraints::requireDirections(const MotionBlocks& blocks, double t) const {
  if (lost_ == nullptr) return;
  throw Error("EventDriven", "the contact '" + blocks.interactions()[lost_->interaction].interaction->name() +
                                 "' begins to slip at t = " + toText(t) +
                                 ", but no direction was found in which friction leaves it an acceleration.");
}

void HeldConstraints::solveRows() {
  if (anySlip_) {
    system_.solve(free_.data(), rows_.held, x_);
    balanced_ = system_.isBalanced();
    return;
  }
  for (std::size_t a = 0; a < x_.size(); ++a) x_[a] = -free_[own_[a]];
  factor_.solve(x_.data());
  balanced_ = factor_.rank() == x_.size();
}

// With the present directions; a_T of the rows that turn with the force.
double HeldConstraints::solveCreeping(std::vector<SlipDirection>& a) {
  assembleSlip();
  solveRows();
  double largest = 0.;
  std::size_t next = 0;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (rows_.held[k].turning != HeldRow::Turning::withForce) continue;
    for (std::size_t t = 0; t < 2; ++t) {
      const std::size_t row = own_[k] + 1 + t;
      a[next][t] = free_[row];
      double size = std::abs(free_[row]);
      for (std::size_t b = 0; b < x_.size(); ++b) {
        const double part = slipEntry(row, b) * x_[b];
        a[next][t] += part;
        size += std::abs(part);
      }
      largest = std::max(largest, size);
    }
    ++next;
  }
  return largest;
}

// Directions that follow u_T = ẏ_T + K x, with the corrections x of `stop`; against the heading they are mirrored.
void HeldConstraints::turn(const MotionBlocks& blocks) {
  if (!turns_) return;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    HeldRow& held = rows_.held[k];
    if (held.turning != HeldRow::Turning::withVelocity) continue;
    SlipDirection u;
    for (std::size_t t = 0; t < 2; ++t) {
      const std::size_t row = own_[k] + 1 + t;
      u[t] = blocks.interactions()[held.interaction].yDot(held.row + 1 + t);
      for (std::size_t b = 0; b < x_.size(); ++b) u[t] += full_[row + own_[b] * all_.size()] * x_[b];
    }
    const double along = u[0] * held.heading[0] + u[1] * held.heading[1];
    const double length = std::hypot(u[0], u[1]);
    held.direction = held.heading;
    if (length == 0.) continue;
    const double mirror = std::abs(along) - along;
    for (std::size_t t = 0; t < 2; ++t) held.direction[t] = (u[t] + mirror * held.heading[t]) / length;
  }
}

void HeldConstraints::balance(MotionBlocks& blocks) {
  if (balanced_ || rows_.held.empty()) return;
  if (!anySlip_) assembleSlip();
  system_.balance(rows_.held, x_);
  balanced_ = true;
  scatter(blocks, true);
  addForces(blocks);
}

}  // namespace delassus
