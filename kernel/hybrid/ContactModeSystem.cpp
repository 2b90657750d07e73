// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeSystem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/MotionElement.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

// Redundant rows contain the rounding of G M⁻¹ Gᵀ.
constexpr double rankTolerance = 1e-11;

}  // namespace

void ContactModeSystem::collect(const std::vector<ContactElement>& elements, const std::vector<ContactMode>& modes,
                                const std::vector<SlipDirection>& headings) {
  rows_.clear();
  owners_.clear();
  for (std::size_t k = 0; k < elements.size(); ++k) {
    elements[k].element->hold(elements[k], modes[k], headings[k], elements[k].row, rows_);
    owners_.resize(rows_.held.size(), k);
  }
  for (const KnownForce& force : rows_.forces) known_(force.row) = force.value;
}

void ContactModeSystem::finish(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) const {
  assign(known_, lambda);
  for (std::size_t k = 0; k < rows_.held.size(); ++k) {
    const HeldRow& held = rows_.held[k];
    const double multiplier = scales_[k] * solution_(k);
    lambda(held.row) += multiplier;
    for (std::size_t t = 0; t < held.shares(); ++t) lambda(held.row + 1 + t) += held.share(t) * multiplier;
  }
  assign(b, a);
  multiply(1., K, lambda, 1., a);
}

// The multipliers of the rows for their present directions.
void ContactModeSystem::solveRows(const Matrix& K) {
  const std::vector<HeldRow>& held = rows_.held;
  const std::size_t n = held.size();
  if (system_.size1() != n) system_.resize(n, n, false);
  if (solution_.size() != n) solution_.resize(n, false);
  scales_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = K(held[i].row, held[i].row);
    scales_[i] = diagonal > 0. ? 1. / std::sqrt(diagonal) : 1.;
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      double entry = K(held[i].row, held[j].row);
      for (std::size_t t = 0; t < held[j].shares(); ++t)
        entry += held[j].share(t) * K(held[i].row, held[j].row + 1 + t);
      system_(i, j) = scales_[i] * scales_[j] * entry;
    }
  }
  for (std::size_t i = 0; i < n; ++i) solution_(i) = -scales_[i] * free_(held[i].row);
  factor_.factor(data(system_), n, rankTolerance);
  if (factor_.rank() == n) {
    factor_.solve(data(solution_));
  } else {
    solution_ = leastSquares(system_, solution_, "Accelerations of the held rows", rankTolerance).x;
  }
}

void ContactModeSystem::solve(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements,
                              const std::vector<ContactMode>& modes, std::vector<SlipDirection>& headings,
                              Vector& lambda, Vector& a) {
  assignZero(known_, b.size());
  collect(elements, modes, headings);
  assign(b, free_);
  multiply(1., K, known_, 1., free_);
  const auto creeps = [](const HeldRow& row) { return row.turning == HeldRow::Turning::withForce; };
  if (std::any_of(rows_.held.begin(), rows_.held.end(), creeps)) {
    creeping_.align(rows_.held, [&](std::vector<SlipDirection>& accelerations) {
      solveRows(K);
      finish(K, b, lambda, a);
      std::size_t next = 0;
      for (const HeldRow& row : rows_.held) {
        if (creeps(row)) accelerations[next++] = {a(row.row + 1), a(row.row + 2)};
      }
    });
    for (std::size_t k = 0; k < owners_.size(); ++k) {
      if (creeps(rows_.held[k])) headings[owners_[k]] = rows_.held[k].direction;
    }
  } else {
    solveRows(K);
    finish(K, b, lambda, a);
  }
}

void ContactModeSystem::balance(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) {
  if (!redundant()) return;
  balanceRows(balance_, system_, rankTolerance, rows_.held, scales_, solution_);
  finish(K, b, lambda, a);
}

}  // namespace delassus
