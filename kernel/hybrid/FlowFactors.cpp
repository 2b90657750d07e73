// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/FlowFactors.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <utility>

namespace delassus {
namespace {

constexpr double zero = 1e-12;  // of the terms of a sum

// Gauss–Jordan's forward half on [a | right] with complete pivoting over equilibrated entries, `terms` being the
// magnitudes of what has been added up: gives the rows with a pivot. Of the others a is zero, and `right` says what
// combination they are; what is zero but for rounding mixes no rows.
std::vector<std::size_t> eliminateRows(Matrix& a, Matrix& terms, Matrix& right) {
  const std::size_t rows = a.size1(), columns = a.size2();
  std::vector<std::size_t> pivots;
  std::vector<double> rowSize(rows, 0.), columnSize(columns, 0.);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) rowSize[i] = std::max(rowSize[i], terms(i, j));
  }
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (rowSize[i] > 0.) columnSize[j] = std::max(columnSize[j], terms(i, j) / rowSize[i]);
    }
  }
  std::vector<char> rowDone(rows, 0), columnDone(columns, 0);
  for (std::size_t step = 0; step < std::min(rows, columns); ++step) {
    double best = 0.;
    std::size_t row = rows, column = columns;
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        if (rowDone[i] != 0 || columnDone[j] != 0 || std::abs(a(i, j)) <= zero * terms(i, j)) continue;
        const double size = std::abs(a(i, j)) / (rowSize[i] * columnSize[j]);
        if (size <= best) continue;
        best = size;
        row = i;
        column = j;
      }
    }
    if (row == rows) break;
    rowDone[row] = columnDone[column] = 1;
    pivots.push_back(row);
    for (std::size_t i = 0; i < rows; ++i) {
      if (rowDone[i] != 0 || a(i, column) == 0.) continue;
      const double factor = a(i, column) / a(row, column);
      for (std::size_t j = 0; j < right.size2(); ++j) right(i, j) -= factor * right(row, j);
      for (std::size_t j = 0; j < columns; ++j) {
        if (columnDone[j] != 0) continue;
        a(i, j) -= factor * a(row, j);
        terms(i, j) += std::abs(factor) * terms(row, j);
        if (std::abs(a(i, j)) <= zero * terms(i, j)) a(i, j) = 0.;
      }
      a(i, column) = 0.;
    }
  }
  return pivots;
}

}  // namespace

bool FlowFactors::factor(const Matrix& C, const Matrix& D, const Matrix& B, const std::vector<std::size_t>& held) {
  held_ = held;
  magnitudes_.resize(0, 0, false);
  eliminate(D);
  separateStates(C);
  assemble(C, D, B);
  return regular_;
}

// N, the combinations of rows that have no pivot, from [D_HH | 1].
void FlowFactors::eliminate(const Matrix& D) {
  const std::size_t h = held_.size();
  rest_.clear();
  Matrix a(h, h), terms(h, h), right = identityMatrix(h);
  for (std::size_t j = 0; j < h; ++j) {
    for (std::size_t i = 0; i < h; ++i) {
      a(i, j) = D(held_[i], held_[j]);
      terms(i, j) = std::abs(a(i, j));
    }
  }
  pivots_ = eliminateRows(a, terms, right);
  for (std::size_t i = 0; i < h; ++i) {
    if (std::find(pivots_.begin(), pivots_.end(), i) == pivots_.end()) rest_.push_back(i);
  }
  N_.resize(rest_.size(), h, false);
  for (std::size_t c = 0; c < rest_.size(); ++c) {
    for (std::size_t j = 0; j < h; ++j) N_(c, j) = right(rest_[c], j);
  }
}

// Combinations whose states others have, too, are replaced by those that have none.
void FlowFactors::separateStates(const Matrix& C) {
  const std::size_t h = held_.size(), n = C.size2();
  if (rest_.size() < 2) return;
  Matrix a(rest_.size(), n), terms(rest_.size(), n), right = N_;
  setZero(a);
  setZero(terms);
  for (std::size_t c = 0; c < rest_.size(); ++c) {
    for (std::size_t i = 0; i < h; ++i) {
      for (std::size_t k = 0; k < n && N_(c, i) != 0.; ++k) {
        a(c, k) += N_(c, i) * C(held_[i], k);
        terms(c, k) += std::abs(N_(c, i) * C(held_[i], k));
      }
    }
  }
  const std::vector<std::size_t> independent = eliminateRows(a, terms, right);
  for (std::size_t c = 0; c < rest_.size(); ++c) {
    if (std::find(independent.begin(), independent.end(), c) != independent.end()) continue;
    for (std::size_t j = 0; j < h; ++j) N_(c, j) = right(c, j);
  }
}

void FlowFactors::assemble(const Matrix& C, const Matrix& D, const Matrix& B) {
  const std::size_t h = held_.size();
  const std::size_t p = pivots_.size();
  const std::size_t n = C.size2();
  S_.resize(h, h, false);
  rowScales_.resize(h, false);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j < h; ++j) S_(i, j) = D(held_[pivots_[i]], held_[j]);
  }
  Vector combined(n), magnitude(n);
  saysNothing_.assign(rest_.size(), 0);
  for (std::size_t c = 0; c < rest_.size(); ++c) {
    setZero(combined);
    setZero(magnitude);
    for (std::size_t i = 0; i < h; ++i) {
      if (N_(c, i) == 0.) continue;
      for (std::size_t k = 0; k < n; ++k) {
        const double term = N_(c, i) * C(held_[i], k);
        combined(k) += term;
        magnitude(k) += std::abs(term);
      }
    }
    bool hasState = false;
    for (std::size_t k = 0; k < n; ++k) hasState = hasState || std::abs(combined(k)) > zero * magnitude(k);
    saysNothing_[c] = hasState ? 0 : 1;
    for (std::size_t j = 0; j < h; ++j) {
      double sum = 0., terms = 0.;
      for (std::size_t k = 0; k < n; ++k) {
        sum += combined(k) * B(k, held_[j]);
        terms += magnitude(k) * std::abs(B(k, held_[j]));
      }
      S_(p + c, j) = std::abs(sum) <= zero * terms ? 0. : sum;
    }
  }
  freeMultipliers();
  regular_ = true;
  singularRow_ = held_.empty() ? 0 : held_[rest_.empty() ? 0 : rest_.front()];
  for (std::size_t i = 0; i < h; ++i) {
    double largest = 0.;
    for (std::size_t j = 0; j < h; ++j) largest = std::max(largest, std::abs(S_(i, j)));
    if (largest == 0. || !std::isfinite(largest)) {
      regular_ = false;
      singularRow_ = held_[i < p ? pivots_[i] : rest_[i - p]];
      return;
    }
    rowScales_(i) = 1. / largest;
    for (std::size_t j = 0; j < h; ++j) S_(i, j) *= rowScales_(i);
  }
  // Columns too, so that the condition does not depend on units.
  assignZero(columnScales_, h);
  for (std::size_t j = 0; j < h; ++j) {
    double largest = 0.;
    for (std::size_t i = 0; i < h; ++i) largest = std::max(largest, std::abs(S_(i, j)));
    columnScales_(j) = largest > 0. ? 1. / largest : 1.;
    for (std::size_t i = 0; i < h; ++i) S_(i, j) *= columnScales_(j);
  }
  // The pivots of C B of dependent rows are rounding, but larger than that of a single operation.
  regular_ = h == 0 || (factor_.tryFactor(S_) && factor_.reciprocalCondition() > 1e-14);
  for (std::size_t c = 0; regular_ && c < rest_.size(); ++c) {
    if (saysNothing_[c] == 0 || !actsOnStates(p + c, B)) continue;
    regular_ = false;
    singularRow_ = held_[rest_[c]];
  }
}

// Whether the multipliers that a row of S alone determines move states: what is free must not.
bool FlowFactors::actsOnStates(std::size_t row, const Matrix& B) const {
  constexpr double rounding = 1e-10;
  Vector direction(held_.size());
  setZero(direction);
  direction(row) = 1.;
  solve(direction);
  for (std::size_t k = 0; k < B.size1(); ++k) {
    double sum = 0., terms = 0.;
    for (std::size_t j = 0; j < held_.size(); ++j) {
      sum += B(k, held_[j]) * direction(j);
      terms += std::abs(B(k, held_[j]) * direction(j));
    }
    if (std::abs(sum) > rounding * terms) return true;
  }
  return false;
}

// A combination that says nothing is replaced by the condition that the multipliers have no part along a direction that
// the other rows of S leave free: of all that fit, the least ones.
void FlowFactors::freeMultipliers() {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  assignZero(free_, rest_.size(), held_.size());
  if (std::count(saysNothing_.begin(), saysNothing_.end(), 1) == 0) return;
  const std::size_t h = held_.size();
  Matrix a = S_;
  std::vector<std::size_t> bound(h, none);  // the row that binds each column
  for (std::size_t i = 0; i < h; ++i) {
    const bool isNothing = i >= pivots_.size() && saysNothing_[i - pivots_.size()] != 0;
    std::size_t column = h;
    for (std::size_t j = 0; j < h && !isNothing; ++j) {
      const bool isLarger = column == h || std::abs(a(i, j)) > std::abs(a(i, column));
      if (bound[j] == none && a(i, j) != 0. && isLarger) column = j;
    }
    if (column == h) continue;
    bound[column] = i;
    for (std::size_t r = 0; r < h; ++r) {
      if (r == i || a(r, column) == 0.) continue;
      const double factor = a(r, column) / a(i, column);
      for (std::size_t j = 0; j < h; ++j) {
        const double term = factor * a(i, j), sum = a(r, j) - term;
        a(r, j) = j == column || std::abs(sum) <= zero * (std::abs(a(r, j)) + std::abs(term)) ? 0. : sum;
      }
    }
  }
  std::size_t next = 0;  // column
  for (std::size_t c = 0; c < rest_.size(); ++c) {
    while (next < h && bound[next] != none) ++next;
    if (saysNothing_[c] == 0 || next == h) continue;
    for (std::size_t j = 0; j < h; ++j) {
      free_(c, j) = bound[j] != none ? -a(bound[j], next) / a(bound[j], j) : j == next ? 1. : 0.;
      S_(pivots_.size() + c, j) = free_(c, j);
    }
    ++next;
  }
}

double FlowFactors::alongFree(std::size_t combination, const Vector& lambda) const {
  double sum = 0.;
  for (std::size_t j = 0; j < held_.size(); ++j) sum += free_(combination, j) * lambda(held_[j]);
  return sum;
}

bool FlowFactors::isDifferentiated(std::size_t row) const {
  for (std::size_t c = 0; c < rest_.size(); ++c) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (held_[i] == row && N_(c, i) != 0.) return true;
    }
  }
  return false;
}

void FlowFactors::solve(Vector& v) const {
  for (std::size_t i = 0; i < v.size(); ++i) v(i) *= rowScales_(i);
  factor_.solve(v);
  for (std::size_t i = 0; i < v.size(); ++i) v(i) *= columnScales_(i);
}

void FlowFactors::amplify(Vector& v) const {
  const std::size_t h = held_.size();
  if (magnitudes_.size1() != h) {
    magnitudes_.resize(h, h, false);
    Vector column(h);
    for (std::size_t j = 0; j < h; ++j) {
      setZero(column);
      column(j) = 1.;
      solve(column);
      for (std::size_t i = 0; i < h; ++i) magnitudes_(i, j) = std::abs(column(i));
    }
  }
  const Vector terms = v;
  multiply(1., magnitudes_, terms, 0., v);
}

}  // namespace delassus
