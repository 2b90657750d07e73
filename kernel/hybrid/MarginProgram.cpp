// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/MarginProgram.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {

void MarginProgram::begin(std::size_t n) {
  n_ = n;
  pieces_.clear();
  rows_.clear();
  for (Vector* const vector : {&point_, &gradient_, &trial_, &last_, &work_}) assignZero(*vector, n + 1);
  if (hessian_.size1() != n + 1) hessian_.resize(n + 1, n + 1, false);
  addHalfSpace();
  row(0)[0] = 1.;  // 1 ≥ t
}

void MarginProgram::addPiece(std::size_t rows) {
  Piece piece;
  piece.row = rows_.size() / (n_ + 1);
  piece.isCone = rows > 1;
  pieces_.push_back(piece);
  rows_.resize(rows_.size() + rows * (n_ + 1), 0.);
}

void MarginProgram::evaluate(const Vector& point) {
  const std::size_t stride = n_ + 1;
  values_.resize(rows_.size() / stride);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double* const numbers = rows_.data() + i * stride;
    values_[i] = numbers[0];
    for (std::size_t j = 0; j < n_; ++j) values_[i] += numbers[1 + j] * point(j);
  }
}

double MarginProgram::length(const Piece& piece) const {
  return piece.isCone ? std::hypot(values_[piece.row + 1], values_[piece.row + 2]) : 0.;
}

// u − |w|.
double MarginProgram::slack(const Piece& piece) const {
  return values_[piece.row] - length(piece);
}

double MarginProgram::scale() {
  const std::size_t stride = n_ + 1;
  double size = 0.;
  for (std::size_t i = stride; i < rows_.size(); i += stride) size = std::max(size, std::abs(rows_[i]));
  for (std::size_t i = stride; size > 0. && i < rows_.size(); i += stride) rows_[i] /= size;
  return size;
}

bool MarginProgram::solve(double epsilon) {
  evaluate(point_);
  double least = std::numeric_limits<double>::infinity();
  for (const Piece& piece : pieces_) least = std::min(least, slack(piece));
  point_(n_) = least - 1.;
  if (!followPath(epsilon)) return false;
  assign(point_, last_);
  if (!finish(epsilon)) assign(last_, point_);
  return true;
}

// From each center the tangent of the path leads to the next one: the distance to the end is as the inverse weight.
bool MarginProgram::followPath(double epsilon) {
  constexpr double factor = 10., end = 1e8;
  constexpr double least = 1e-6;  // ε where less would be lost in the rounding of the barrier's Hessian
  epsilon = std::max(epsilon, least);
  for (double weight = 1.; weight < 2. * end; weight *= factor) {
    if (weight > 1.) {
      for (std::size_t j = 0; j <= n_; ++j) trial_(j) = point_(j) + (point_(j) - last_(j)) / factor;
      assign(point_, last_);
      if (weight > factor && std::isfinite(barrier(trial_, weight, epsilon))) assign(trial_, point_);
    }
    if (!center(weight, epsilon)) return false;
  }
  return true;
}

bool MarginProgram::center(double weight, double epsilon) {
  constexpr int mostSteps = 50;
  constexpr double enough = 1e-4;  // of the decrement: the next step would make it 1e-8
  constexpr double full = 0.25;    // up to which a whole step stays inside
  double value = barrier(point_, weight, epsilon);
  for (int k = 0; k < mostSteps; ++k) {
    differentiate(weight, epsilon);
    if (!factor_.tryFactor(hessian_)) return false;
    assign(gradient_, work_);
    factor_.solve(work_);
    const double decrement = dot(gradient_, work_);
    if (!(decrement > enough * enough)) return decrement >= 0.;
    for (double part = 1.;; part *= 0.5) {
      for (std::size_t j = 0; j <= n_; ++j) trial_(j) = point_(j) + part * work_(j);
      const double next = barrier(trial_, weight, epsilon);
      if (next >= value + 0.1 * part * decrement || (decrement < full * full && std::isfinite(next))) {
        value = next;
        assign(trial_, point_);
        break;
      }
      if (part < 1e-10) return false;
    }
  }
  return false;
}

// −∞ outside.
double MarginProgram::barrier(const Vector& point, double weight, double epsilon) {
  const double t = point(n_);
  evaluate(point);
  double sum = 0.;
  for (const Piece& piece : pieces_) {
    const double inner = slack(piece) - t;
    if (!(inner > 0.)) return -std::numeric_limits<double>::infinity();
    sum += std::log(inner);
    if (piece.isCone) sum += std::log(inner + 2. * length(piece));
  }
  double square = 0.;
  for (std::size_t j = 0; j < n_; ++j) square += point(j) * point(j);
  return sum + weight * (t - 0.5 * epsilon * square);
}

// (coefficients, byT)
void MarginProgram::stack(std::size_t row, double byT, Vector& vector) const {
  const double* const numbers = rows_.data() + row * (n_ + 1);
  std::copy_n(numbers + 1, n_, data(vector));
  vector(n_) = byT;
}

void MarginProgram::addProduct(double factor, const Vector& vector) {
  for (std::size_t j = 0; j <= n_; ++j) {
    const double scaled = factor * vector(j);
    for (std::size_t i = j; i <= n_; ++i) hessian_(i, j) += scaled * vector(i);
  }
}

// The gradient of the barrier at the point, and the lower triangle of its negative Hessian.
void MarginProgram::differentiate(double weight, double epsilon) {
  evaluate(point_);
  setZero(hessian_);
  for (std::size_t j = 0; j < n_; ++j) {
    gradient_(j) = -weight * epsilon * point_(j);
    hessian_(j, j) = weight * epsilon;
  }
  gradient_(n_) = weight;
  const double t = point_(n_);
  for (const Piece& piece : pieces_) {
    const double inner = slack(piece) - t;
    if (!piece.isCone) {
      stack(piece.row, -1., work_);
      addScaled(1. / inner, work_, gradient_);
      addProduct(1. / (inner * inner), work_);
      continue;
    }
    const double square = inner * (inner + 2. * length(piece));  // (u − t)² − |w|²
    setZero(trial_);
    for (std::size_t i = 0; i < 3; ++i) {
      stack(piece.row + i, i == 0 ? -1. : 0., work_);
      const double sign = i == 0 ? 2. : -2.;
      addScaled(sign * (values_[piece.row + i] - (i == 0 ? t : 0.)) / square, work_, trial_);
      addProduct(-sign / square, work_);
    }
    addScaled(1., trial_, gradient_);
    addProduct(1., trial_);
  }
}

}  // namespace delassus
