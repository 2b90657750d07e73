// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeSystem.hpp>

#include <algorithm>
#include <delassus/kernel/hybrid/MotionElement.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

void ContactModeSystem::collect(const std::vector<ContactElement>& elements, const std::vector<ContactMode>& modes,
                                const std::vector<SlipDirection>& headings) {
  rows_.clear();
  owners_.clear();
  for (std::size_t k = 0; k < elements.size(); ++k) {
    elements[k].element->hold(elements[k], modes[k], headings[k], elements[k].row, rows_);
    owners_.resize(rows_.held.size(), k);
  }
  places_.clear();
  for (const HeldRow& row : rows_.held) places_.push_back(row.row);
  for (const KnownForce& force : rows_.forces) known_(force.row) = force.value;
}

void ContactModeSystem::finish(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) const {
  assign(known_, lambda);
  for (std::size_t k = 0; k < rows_.held.size(); ++k) {
    const HeldRow& held = rows_.held[k];
    const double multiplier = solution_[k];
    lambda(held.row) += multiplier;
    for (std::size_t t = 0; t < held.shares(); ++t) lambda(held.row + 1 + t) += held.share(t) * multiplier;
  }
  assign(b, a);
  multiply(1., K, lambda, 1., a);
}

// The multipliers of the rows for their present directions.
void ContactModeSystem::solveRows(const Matrix& K) {
  system_.assemble(data(K), K.size1(), rows_.held, places_);
  system_.solve(data(free_), rows_.held, solution_);
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
      double largest = 0.;
      std::size_t next = 0;
      for (const HeldRow& row : rows_.held) {
        if (!creeps(row)) continue;
        accelerations[next++] = {a(row.row + 1), a(row.row + 2)};
        for (std::size_t t = 1; t <= 2; ++t) {
          double size = std::abs(b(row.row + t));
          for (std::size_t j = 0; j < b.size(); ++j) size += std::abs(K(row.row + t, j) * lambda(j));
          largest = std::max(largest, size);
        }
      }
      return largest;
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
  if (system_.isBalanced()) return;
  system_.balance(rows_.held, solution_);
  finish(K, b, lambda, a);
}

}  // namespace delassus
