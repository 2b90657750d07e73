// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SparseMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {
namespace {

// Columns of entries that are sorted and without duplicates.
SparseMatrix compress(std::size_t rows, std::size_t columns, const std::vector<Triplet>& entries) {
  SparseMatrix A(rows, columns, entries.size());
  auto& starts = A.index1_data();
  auto& index = A.index2_data();
  auto& values = A.value_data();
  // uBLAS may round its capacity.
  index.resize(std::max(entries.size(), index.size()));
  values.resize(std::max(entries.size(), values.size()));
  std::fill(starts.begin(), starts.end(), std::size_t{0});
  for (const Triplet& entry : entries) ++starts[entry.column + 1];
  for (std::size_t j = 0; j < columns; ++j) starts[j + 1] += starts[j];
  for (std::size_t k = 0; k < entries.size(); ++k) {
    index[k] = entries[k].row;
    values[k] = entries[k].value;
  }
  A.set_filled(columns + 1, entries.size());
  return A;
}

}  // namespace

SparseMatrix sparseWithPattern(std::size_t rows, const std::vector<std::size_t>& starts,
                               const std::vector<std::size_t>& rowIndices) {
  SparseMatrix A(rows, starts.size() - 1, rowIndices.size());
  std::copy(starts.begin(), starts.end(), A.index1_data().begin());
  // uBLAS may round its capacity.
  A.index2_data().resize(std::max(rowIndices.size(), A.index2_data().size()));
  A.value_data().resize(std::max(rowIndices.size(), A.value_data().size()));
  std::copy(rowIndices.begin(), rowIndices.end(), A.index2_data().begin());
  A.set_filled(starts.size(), rowIndices.size());
  return A;
}

SparseMatrix sparseFromTriplets(std::size_t rows, std::size_t columns, std::vector<Triplet> entries) {
  for (const Triplet& entry : entries) {
    if (entry.row >= rows || entry.column >= columns) {
      throw Error("SparseMatrix", "expected indices below " + std::to_string(rows) + " x " + std::to_string(columns) +
                                      ", got an entry at (" + std::to_string(entry.row) + ", " +
                                      std::to_string(entry.column) + ").");
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const bool repeated =
        kept > 0 && entries[kept - 1].row == entries[k].row && entries[kept - 1].column == entries[k].column;
    if (repeated) {
      entries[kept - 1].value += entries[k].value;
    } else {
      entries[kept++] = entries[k];
    }
  }
  entries.resize(kept);
  return compress(rows, columns, entries);
}

SparseMatrix sparseFromDense(const Matrix& dense) {
  std::vector<Triplet> entries;
  for (std::size_t j = 0; j < dense.size2(); ++j) {
    for (std::size_t i = 0; i < dense.size1(); ++i) {
      if (dense(i, j) != 0.) entries.push_back({i, j, dense(i, j)});
    }
  }
  return compress(dense.size1(), dense.size2(), entries);
}

Matrix toDense(const SparseMatrix& A) {
  Matrix dense(A.size1(), A.size2());
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) dense(rowOf(A, k), j) = valueOf(A, k);
  }
  return dense;
}

SparseMatrix transposed(const SparseMatrix& A) {
  std::vector<Triplet> entries;
  entries.reserve(entryCount(A));
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k)
      entries.push_back({j, rowOf(A, k), valueOf(A, k)});
  }
  return sparseFromTriplets(A.size2(), A.size1(), std::move(entries));
}

void multiply(double alpha, const SparseMatrix& A, const double* x, double beta, double* y) {
  detail::scale(beta, y, A.size1());
  const std::size_t* const index = A.index2_data().data();
  const double* const values = A.value_data().data();
  for (std::size_t j = 0; j < A.size2(); ++j) {
    const double factor = alpha * x[j];
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) y[index[k]] += factor * values[k];
  }
}

void multiplyTransposed(double alpha, const SparseMatrix& A, const double* x, double beta, double* y) {
  detail::scale(beta, y, A.size2());
  const std::size_t* const index = A.index2_data().data();
  const double* const values = A.value_data().data();
  for (std::size_t j = 0; j < A.size2(); ++j) {
    double sum = 0.;
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) sum += values[k] * x[index[k]];
    y[j] += alpha * sum;
  }
}

double normMax(const SparseMatrix& A) {
  double largest = 0.;
  for (std::size_t k = 0; k < entryCount(A); ++k) largest = std::max(largest, std::abs(valueOf(A, k)));
  return largest;
}

bool allFinite(const SparseMatrix& A) {
  for (std::size_t k = 0; k < entryCount(A); ++k) {
    if (!std::isfinite(valueOf(A, k))) return false;
  }
  return true;
}

bool isSymmetric(const SparseMatrix& A, double relativeTolerance) {
  if (A.size1() != A.size2()) return false;
  const SparseMatrix T = transposed(A);
  const double threshold = relativeTolerance * normMax(A);
  // Two columns with ascending rows, entry by entry; one that only one of them has must be small.
  for (std::size_t j = 0; j < A.size2(); ++j) {
    std::size_t a = columnStart(A, j);
    std::size_t t = columnStart(T, j);
    while (a < columnStart(A, j + 1) || t < columnStart(T, j + 1)) {
      const std::size_t rowA = a < columnStart(A, j + 1) ? rowOf(A, a) : A.size1();
      const std::size_t rowT = t < columnStart(T, j + 1) ? rowOf(T, t) : A.size1();
      const double valueA = rowA <= rowT ? valueOf(A, a++) : 0.;
      const double valueT = rowT <= rowA ? valueOf(T, t++) : 0.;
      if (std::abs(valueA - valueT) > threshold) return false;
    }
  }
  return true;
}

void requireSize(const SparseMatrix& A, std::size_t rows, std::size_t columns, std::string_view what) {
  if (A.size1() == rows && A.size2() == columns) return;
  throw Error(std::string(what), "expected a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) +
                                     ", got " + std::to_string(A.size1()) + " x " + std::to_string(A.size2()) + ".");
}

void requireFinite(const SparseMatrix& A, std::string_view what) {
  for (std::size_t k = 0; k < entryCount(A); ++k) {
    if (!std::isfinite(valueOf(A, k))) {
      throw Error(std::string(what), "expected finite numbers, but an entry is " + toText(valueOf(A, k)) + ".");
    }
  }
}

bool copyPattern(const SparseMatrix& A, std::vector<int>& starts, std::vector<int>& rows) {
  bool same = starts.size() == A.size2() + 1 && rows.size() == entryCount(A);
  starts.resize(A.size2() + 1);
  rows.resize(entryCount(A));
  for (std::size_t j = 0; j < starts.size(); ++j) {
    const int start = static_cast<int>(columnStart(A, j));
    same = same && starts[j] == start;
    starts[j] = start;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int row = static_cast<int>(rowOf(A, k));
    same = same && rows[k] == row;
    rows[k] = row;
  }
  return same;
}

}  // namespace delassus
