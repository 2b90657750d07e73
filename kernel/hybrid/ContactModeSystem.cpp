// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeSystem.hpp>

#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

// Redundant rows contain the rounding of G M⁻¹ Gᵀ.
constexpr double rankTolerance = 1e-11;

}  // namespace

void ContactModeSystem::collect(const std::vector<ContactElement>& elements, const std::vector<ContactMode>& modes) {
  held_.clear();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const ContactElement& element = elements[i];
    const ContactMode mode = modes[i];
    if (mode == ContactMode::open) continue;
    if (!element.isContact && mode != ContactMode::held) {
      atBounds_(element.row) = mode == ContactMode::forward ? element.lower : element.upper;
      continue;
    }
    const bool friction = element.hasFriction();
    held_.push_back({element.row, friction ? -directionOf(mode) * element.mu : 0.});
    if (friction && mode == ContactMode::held) held_.push_back({element.row + 1, 0.});
  }
}

// In the unknowns of the system, λ / scale.
void ContactModeSystem::setMargins(const std::vector<ContactElement>& elements, const std::vector<ContactMode>& modes) {
  margins_.clear();
  std::size_t k = 0;  // the unknown
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const ContactElement& element = elements[i];
    const ContactMode mode = modes[i];
    if (mode == ContactMode::open || (!element.isContact && mode != ContactMode::held)) continue;
    const bool sticks = element.hasFriction() && mode == ContactMode::held;
    if (sticks) {
      const double mu = element.mu * scales_(k) / scales_(k + 1);
      margins_.push_back({{k, k + 1}, {mu, 1.}, 0.});
      margins_.push_back({{k, k + 1}, {mu, -1.}, 0.});
    } else if (!element.isContact) {
      if (std::isfinite(element.lower)) margins_.push_back({{k, k}, {1., 0.}, -element.lower / scales_(k)});
      if (std::isfinite(element.upper)) margins_.push_back({{k, k}, {-1., 0.}, element.upper / scales_(k)});
    } else {
      margins_.push_back({{k, k}, {1., 0.}, 0.});
    }
    k += sticks ? 2 : 1;
  }
}

void ContactModeSystem::finish(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) const {
  assign(atBounds_, lambda);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const double multiplier = scales_(i) * solution_(i);
    lambda(held_[i].row) += multiplier;
    if (held_[i].coupling != 0.) lambda(held_[i].row + 1) += held_[i].coupling * multiplier;
  }
  assign(b, a);
  multiply(1., K, lambda, 1., a);
}

void ContactModeSystem::solve(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements,
                              const std::vector<ContactMode>& modes, Vector& lambda, Vector& a) {
  assignZero(atBounds_, b.size());
  collect(elements, modes);
  assign(b, a);
  multiply(1., K, atBounds_, 1., a);
  const std::size_t n = held_.size();
  if (system_.size1() != n) system_.resize(n, n, false);
  if (solution_.size() != n) solution_.resize(n, false);
  if (scales_.size() != n) scales_.resize(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = K(held_[i].row, held_[i].row);
    scales_(i) = diagonal > 0. ? 1. / std::sqrt(diagonal) : 1.;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const auto& [column, coupling] = held_[j];
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = held_[i].row;
      const double tangential = coupling == 0. ? 0. : coupling * K(row, column + 1);
      system_(i, j) = scales_(i) * scales_(j) * (K(row, column) + tangential);
    }
  }
  for (std::size_t i = 0; i < n; ++i) solution_(i) = -scales_(i) * a(held_[i].row);
  factor_.factor(data(system_), n, rankTolerance);
  if (factor_.rank() == n) {
    factor_.solve(data(solution_));
  } else {
    solution_ = leastSquares(system_, solution_, "Accelerations of the held rows", rankTolerance).x;
    setMargins(elements, modes);
  }
  finish(K, b, lambda, a);
}

void ContactModeSystem::balance(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) {
  if (!redundant()) return;
  balance_.apply(system_, rankTolerance, margins_, solution_);
  finish(K, b, lambda, a);
}

}  // namespace delassus
