// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <numeric>
#include <vector>

namespace delassus {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double roundingOfTerms(std::size_t terms) {
  return epsilon * static_cast<double>(terms + 2);
}

// y_i += |A_ij| factor, for a column of A.
void addMagnitudes(const double* column, std::size_t rows, double factor, double* y) {
  for (std::size_t i = 0; i < rows; ++i) y[i] += std::abs(column[i]) * factor;
}

void addColumn(const double* column, std::size_t rows, long double factor, long double* y) {
  for (std::size_t i = 0; i < rows; ++i) y[i] += column[i] * factor;
}

}  // namespace

double detail::findLargestEntry(std::uint64_t stamp, std::span<const double> entries) {
  // Several, since each maximum waits for the one before.
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> largest{}, finite{};  // NaN in the latter once an entry is not
  std::size_t i = 0;
  const auto take = [&](std::size_t lane, double entry) {
    largest[lane] = std::max(largest[lane], std::abs(entry));
    finite[lane] += 0. * entry;
  };
  for (; i + lanes <= entries.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, entries[i + lane]);
  }
  for (; i < entries.size(); ++i) take(0, entries[i]);
  const bool isFinite = std::accumulate(finite.begin(), finite.end(), 0.) == 0.;
  const double magnitude =
      isFinite ? *std::max_element(largest.begin(), largest.end()) : std::numeric_limits<double>::infinity();
  detail::largestEntry = {stamp, magnitude};
  return magnitude;
}

void addRounding(const Matrix& A, const double* x, double* b) {
  const double unit = roundingOfTerms(A.size2());
  for (std::size_t j = 0; j < A.size2(); ++j) {
    if (x[j] != 0.) addMagnitudes(data(A) + j * A.size1(), A.size1(), unit * std::abs(x[j]), b);
  }
}

void addRounding(const BlockSparseMatrix& A, const double* x, double* b) {
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    const std::size_t m = A.blockSize(row);
    std::size_t terms = 0;
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) terms += A.blockSize(A.column(k));
    const double unit = roundingOfTerms(terms);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      const double* const from = x + A.offset(A.column(k));
      for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) {
        if (from[j] != 0.) addMagnitudes(A.block(k) + j * m, m, unit * std::abs(from[j]), b + A.offset(row));
      }
    }
  }
}

void addRounding(const SparseMatrix& A, const double* x, double* b) {
  static thread_local std::vector<std::size_t> terms;
  terms.assign(A.size1(), 0);
  for (std::size_t k = 0; k < entryCount(A); ++k) ++terms[rowOf(A, k)];
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      b[rowOf(A, k)] += roundingOfTerms(terms[rowOf(A, k)]) * std::abs(valueOf(A, k) * x[j]);
    }
  }
}

void addRoundingTransposed(const SparseMatrix& A, const double* x, double* b) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    double sum = 0.;
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      sum += std::abs(valueOf(A, k) * x[rowOf(A, k)]);
    }
    b[j] += roundingOfTerms(columnStart(A, j + 1) - columnStart(A, j)) * sum;
  }
}

void addExtended(const Matrix& A, const double* x, long double* y) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    if (x[j] != 0.) addColumn(data(A) + j * A.size1(), A.size1(), x[j], y);
  }
}

void addExtended(const BlockSparseMatrix& A, const double* x, long double* y) {
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    const std::size_t m = A.blockSize(row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      const double* const from = x + A.offset(A.column(k));
      for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) {
        if (from[j] != 0.) addColumn(A.block(k) + j * m, m, from[j], y + A.offset(row));
      }
    }
  }
}

template <class Real>
void addExtended(double alpha, const SparseMatrix& A, const Real* x, long double* y) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    const long double factor = static_cast<long double>(alpha) * x[j];
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) y[rowOf(A, k)] += valueOf(A, k) * factor;
  }
}

template <class Real>
void addExtendedTransposed(const SparseMatrix& A, const Real* x, long double* y) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    long double sum = 0.L;
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      sum += static_cast<long double>(valueOf(A, k)) * x[rowOf(A, k)];
    }
    y[j] += sum;
  }
}

template void addExtended(double, const SparseMatrix&, const double*, long double*);
template void addExtended(double, const SparseMatrix&, const long double*, long double*);
template void addExtendedTransposed(const SparseMatrix&, const double*, long double*);
template void addExtendedTransposed(const SparseMatrix&, const long double*, long double*);

}  // namespace delassus
