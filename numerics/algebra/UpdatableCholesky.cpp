// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cmath>
#include <delassus/numerics/algebra/UpdatableCholesky.hpp>

namespace delassus {

void UpdatableCholesky::clear(std::size_t capacity) {
  capacity_ = capacity;
  size_ = 0;
  if (rows_.size() < capacity * capacity) rows_.resize(capacity * capacity);
}

void UpdatableCholesky::forward(double* x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* const entries = row(i);
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= entries[j] * x[j];
    x[i] = sum / entries[i];
  }
}

bool UpdatableCholesky::append(const double* column, double diagonal, double leastPivot) {
  assert(size_ < capacity_);
  double* const added = row(size_);
  for (std::size_t j = 0; j < size_; ++j) added[j] = column[j];
  forward(added);
  for (std::size_t j = 0; j < size_; ++j) diagonal -= added[j] * added[j];
  if (!(diagonal > leastPivot)) return false;
  added[size_] = std::sqrt(diagonal);
  ++size_;
  return true;
}

// Without row k, row i ≥ k has an entry right of the diagonal; rotations of neighbouring columns remove these entries
// in turn.
void UpdatableCholesky::remove(std::size_t k) {
  assert(k < size_);
  for (std::size_t i = k; i + 1 < size_; ++i) {
    for (std::size_t j = 0; j <= i + 1; ++j) row(i)[j] = row(i + 1)[j];
  }
  --size_;
  for (std::size_t j = k; j < size_; ++j) {
    const double a = row(j)[j];
    const double b = row(j)[j + 1];
    const double length = std::hypot(a, b);
    const double cosine = a / length;
    const double sine = b / length;
    for (std::size_t i = j; i < size_; ++i) {
      double* const entries = row(i);
      const double left = entries[j];
      const double right = entries[j + 1];
      entries[j] = cosine * left + sine * right;
      entries[j + 1] = cosine * right - sine * left;
    }
  }
}

void UpdatableCholesky::solve(double* x) const {
  forward(x);
  for (std::size_t i = size_; i-- > 0;) {
    const double* const entries = row(i);
    x[i] /= entries[i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= entries[j] * x[i];
  }
}

}  // namespace delassus
