// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/PenalisedFactors.hpp>

#include <algorithm>
#include <delassus/numerics/contact/FactoredDelassus.hpp>
#include <utility>

namespace delassus::numerics {

void PenalisedFactors::describe(std::vector<std::size_t>& pattern) const {
  pattern.assign(1, W_->termsOfBodies_.size());
  for (std::size_t body = 0; body < W_->termsOfBodies_.size(); ++body) pattern.push_back(W_->bodySize(body));
  for (std::size_t c = 0; c < W_->contacts(); ++c) {
    pattern.push_back(W_->armsEnd(c) - W_->armsBegin(c));
    for (std::size_t a = W_->armsBegin(c); a < W_->armsEnd(c); ++a) pattern.push_back(W_->arms_[a].body);
  }
}

void PenalisedFactors::makePattern() {
  const std::size_t bodies = W_->termsOfBodies_.size();
  columns_.resize(bodies);
  for (std::size_t body = 0; body < bodies; ++body) columns_[body].assign(1, body);
  for (std::size_t c = 0; c < W_->contacts(); ++c) {
    for (std::size_t a = W_->armsBegin(c); a < W_->armsEnd(c); ++a) {
      for (std::size_t b = W_->armsBegin(c); b < W_->armsEnd(c); ++b) {
        const std::size_t row = W_->arms_[a].body, column = W_->arms_[b].body;
        if (column > row && columns_[row].back() != column) columns_[row].push_back(column);
      }
    }
  }
  mass_.clear();
  for (std::size_t body = 0; body < bodies; ++body) {
    std::vector<std::size_t>& columns = columns_[body];
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    mass_.beginRow(W_->bodySize(body));
    for (const std::size_t column : columns) mass_.addBlock(column);
  }
  mass_.finish();
  none_.assign(mass_.size(), 0.);
}

double* PenalisedFactors::blockAt(std::size_t row, std::size_t column) {
  const std::vector<std::size_t>& columns = columns_[row];
  const auto place = std::lower_bound(columns.begin(), columns.end(), column) - columns.begin();
  return mass_.block(mass_.rowBegin(row) + static_cast<std::size_t>(place));
}

// Adds H R⁻¹ Hᵀ of a contact.
void PenalisedFactors::addContact(std::size_t contact) {
  const std::size_t d = W_->dimension_;
  const double* const R = penalties_.data() + d * contact;
  for (std::size_t a = W_->armsBegin(contact); a < W_->armsEnd(contact); ++a) {
    const auto& [row, firstOfRow] = W_->arms_[a];
    const std::size_t m = W_->bodySize(row);
    const double* const left = W_->armValues_.data() + firstOfRow;
    for (std::size_t b = W_->armsBegin(contact); b < W_->armsEnd(contact); ++b) {
      const auto& [column, firstOfColumn] = W_->arms_[b];
      if (column < row) continue;
      const double* const right = W_->armValues_.data() + firstOfColumn;
      double* block = blockAt(row, column);
      for (std::size_t j = 0; j < W_->bodySize(column); ++j, block += m) {
        for (std::size_t k = 0; k < d; ++k) {
          const double weight = right[k + d * j] / R[k];
          for (std::size_t i = 0; i < m; ++i) block[i] += left[k + d * i] * weight;
        }
      }
    }
  }
}

bool PenalisedFactors::factor(const std::vector<double>& penalties) {
  if (factorFrom_.isCurrent(W_->stamp()) && penalties == penalties_) return true;
  factorFrom_.forget();
  penalties_ = penalties;
  describe(next_);
  if (next_ != pattern_) {
    makePattern();
    std::swap(next_, pattern_);
  }
  mass_.setZero();
  for (std::size_t body = 0; body < columns_.size(); ++body) {
    const std::size_t n = W_->bodySize(body);
    const double* const M = W_->masses_.data() + W_->massStarts_[body];
    double* const block = mass_.block(mass_.rowBegin(body));
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) block[i + n * j] = i < j ? M[j + n * i] : M[i + n * j];
    }
  }
  for (std::size_t contact = 0; contact < W_->contacts(); ++contact) addContact(contact);
  mass_.touch();
  factor_.refer(mass_);
  if (!factor_.factor(none_)) return false;
  factorFrom_.take(W_->stamp());
  return true;
}

void PenalisedFactors::solve(double* x) {
  const std::size_t d = W_->dimension_;
  for (std::size_t i = 0; i < W_->size(); ++i) x[i] /= penalties_[i];
  impulses_.assign(mass_.size(), 0.);
  for (std::size_t c = 0; c < W_->contacts(); ++c) {
    for (std::size_t a = W_->armsBegin(c); a < W_->armsEnd(c); ++a) {
      const auto& [body, first] = W_->arms_[a];
      const double* left = W_->armValues_.data() + first;
      double* const p = impulses_.data() + W_->bodyStarts_[body];
      for (std::size_t i = 0; i < W_->bodySize(body); ++i, left += d) {
        for (std::size_t k = 0; k < d; ++k) p[i] += left[k] * x[d * c + k];
      }
    }
  }
  factor_.solve(impulses_.data());
  double velocity[3];
  for (std::size_t c = 0; c < W_->contacts(); ++c) {
    W_->relativeVelocity(c, impulses_.data(), velocity);
    for (std::size_t k = 0; k < d; ++k) x[d * c + k] -= velocity[k] / penalties_[d * c + k];
  }
}

double PenalisedFactors::work() const {
  return factor_.work() + 6. * static_cast<double>(W_->armValues_.size());
}

}  // namespace delassus::numerics
