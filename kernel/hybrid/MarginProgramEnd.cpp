// SPDX-License-Identifier: Apache-2.0
//
// The part of MarginProgram that solves the optimality conditions: with f = t − ½ ε |x|² and the margins c of the
// active pieces, ∇f + Σ y ∇c = 0 and c = 0.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/MarginProgram.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

// What the central path has left, and the root of it, between margins and multipliers that vanish.
constexpr double pathError = 1e-8, between = 1e-4;
// Of numbers of size one.
constexpr double rounding = 1e-12, marginRounding = 1e-10;

}  // namespace

// An apex that only looks like one has forces that cannot vanish: then the cones are round there too.
bool MarginProgram::finish(double epsilon) {
  constexpr double nearApex = 1e-5;
  if (finishWith(nearApex, epsilon)) return true;
  assign(last_, point_);
  return finishWith(0., epsilon);
}

bool MarginProgram::finishWith(double apex, double epsilon) {
  constexpr int mostRevisions = 20;
  chooseActive(apex);
  for (int k = 0; k < mostRevisions; ++k) {
    if (!solveActive(epsilon)) return false;
    if (!revise()) return isOptimal();
  }
  return false;
}

void MarginProgram::chooseActive(double apex) {
  evaluate(point_);
  const double t = point_(n_);
  for (Piece& piece : pieces_) {
    piece.isActive = slack(piece) - t < between;
    piece.isApex = piece.isActive && piece.isCone && values_[piece.row] - t < apex;
  }
}

// Newton's method, with multipliers near those before: where active rows depend on each other they are many.
bool MarginProgram::solveActive(double epsilon) {
  constexpr int mostSteps = 30;
  constexpr double largest = 0.1;  // step that may still belong to these pieces
  active_ = 0;
  for (Piece& piece : pieces_) {
    if (!piece.isActive) continue;
    piece.multiplier = active_;
    active_ += piece.isApex ? 3 : 1;
  }
  assignZero(multipliers_, active_);
  evaluate(point_);
  for (const Piece& piece : pieces_) {
    if (!piece.isActive) continue;
    const double inner = std::max(slack(piece) - point_(n_), pathError);
    const double square = inner * (inner + 2. * length(piece));
    multipliers_(piece.multiplier) = pathError * (piece.isCone ? 2. * (inner + length(piece)) / square : 1. / inner);
  }
  for (int k = 0; k < mostSteps; ++k) {
    assemble(epsilon);
    if (hasConverged()) return true;
    if (!systemFactor_.tryFactor(system_)) return false;
    systemFactor_.solve(right_);
    double step = 0.;
    for (std::size_t j = 0; j <= n_; ++j) {
      step = std::max(step, std::abs(right_(j)));
      point_(j) += right_(j);
    }
    for (std::size_t i = 0; i < active_; ++i) multipliers_(i) += right_(n_ + 1 + i);
    if (!(step < largest)) return false;
  }
  return false;
}

// Margins that depend on each other are equal only as far as rounding of the data lets them be.
bool MarginProgram::hasConverged() const {
  for (std::size_t i = 0; i < right_.size(); ++i) {
    if (!(std::abs(right_(i)) < (i <= n_ ? rounding : marginRounding))) return false;
  }
  return true;
}

void MarginProgram::assemble(double epsilon) {
  constexpr double nearness = 1e-8;  // of multipliers
  const std::size_t size = n_ + 1 + active_;
  if (system_.size1() != size) system_.resize(size, size, false);
  setZero(system_);
  assignZero(right_, size);
  evaluate(point_);
  for (std::size_t j = 0; j < n_; ++j) {
    system_(j, j) = -epsilon;
    right_(j) = epsilon * point_(j);
  }
  right_(n_) = -1.;
  for (const Piece& piece : pieces_) {
    if (!piece.isActive) continue;
    if (piece.isCone && !piece.isApex) {
      addCurved(piece);
      continue;
    }
    addRow(piece.row, -1., values_[piece.row] - point_(n_), piece.multiplier);
    for (std::size_t i = 1; piece.isApex && i < 3; ++i)
      addRow(piece.row + i, 0., values_[piece.row + i], piece.multiplier + i);
  }
  for (std::size_t i = 0; i < active_; ++i) system_(n_ + 1 + i, n_ + 1 + i) = nearness;
}

// An affine margin, with its present value.
void MarginProgram::addRow(std::size_t row, double byT, double residual, std::size_t at) {
  stack(row, byT, work_);
  const std::size_t place = n_ + 1 + at;
  for (std::size_t j = 0; j <= n_; ++j) {
    system_(place, j) += work_(j);
    system_(j, place) += work_(j);
    right_(j) -= multipliers_(at) * work_(j);
  }
  right_(place) -= residual;
}

// u − |w| − t: its gradient, and its curvature across w.
void MarginProgram::addCurved(const Piece& piece) {
  const double size = std::max(length(piece), rounding);
  addRow(piece.row, -1., slack(piece) - point_(n_), piece.multiplier);
  const double y = multipliers_(piece.multiplier);
  const std::size_t place = n_ + 1 + piece.multiplier;
  const double along[2] = {values_[piece.row + 1] / size, values_[piece.row + 2] / size};
  const double* const first = rows_.data() + (piece.row + 1) * (n_ + 1) + 1;
  const double* const second = first + n_ + 1;
  for (std::size_t j = 0; j < n_; ++j) {
    const double slope = along[0] * first[j] + along[1] * second[j];
    system_(place, j) -= slope;
    system_(j, place) -= slope;
    right_(j) += y * slope;
    const double across = y / size * (along[0] * second[j] - along[1] * first[j]);
    for (std::size_t i = 0; i < n_; ++i) system_(i, j) -= across * (along[0] * second[i] - along[1] * first[i]);
  }
}

// Pieces whose multipliers have the wrong sign are no longer active, and those that are violated are; false if there
// are none.
bool MarginProgram::revise() {
  evaluate(point_);
  bool any = false;
  for (Piece& piece : pieces_) {
    const bool before = piece.isActive;
    if (before && multipliers_(piece.multiplier) < -marginRounding) piece.isActive = piece.isApex = false;
    if (!before && slack(piece) - point_(n_) < -marginRounding) piece.isActive = true;
    any = any || piece.isActive != before;
  }
  return any;
}

// Whether the apexes are where margins want to be: |w| is not smaller than z · w for any |z| ≤ y.
bool MarginProgram::isOptimal() const {
  for (const Piece& piece : pieces_) {
    if (!piece.isApex) continue;
    const double* const y = &multipliers_(piece.multiplier);
    if (std::hypot(y[1], y[2]) > y[0] + 1e-6) return false;
  }
  return true;
}

}  // namespace delassus
