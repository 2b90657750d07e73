// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Ublas.hpp>
#include <string_view>
#include <vector>

#include <boost/numeric/ublas/matrix_sparse.hpp>  // after Ublas.hpp

namespace delassus {

/// Sparse matrix in compressed columns on uBLAS: column j holds entries columnStart(A, j) .. columnStart(A, j + 1) − 1,
/// rows ascending. Made by sparseFromTriplets or sparseFromDense.
using SparseMatrix = boost::numeric::ublas::compressed_matrix<double, boost::numeric::ublas::column_major, 0,
                                                              std::vector<std::size_t>, std::vector<double>>;

/// One entry of a sparse matrix; entries at the same place add up.
struct Triplet {
  std::size_t row = 0;     ///< i, from 0
  std::size_t column = 0;  ///< j, from 0
  double value = 0.;       ///< added to A_ij
};

/// Throws Error if an index is out of range.
SparseMatrix sparseFromTriplets(std::size_t rows, std::size_t columns, std::vector<Triplet> entries);
/// A matrix of zeros with a given pattern, to be filled through value_data(): column j has the rows
/// rowIndices[starts[j]] .. rowIndices[starts[j + 1] − 1], ascending (not checked).
SparseMatrix sparseWithPattern(std::size_t rows, const std::vector<std::size_t>& starts,
                               const std::vector<std::size_t>& rowIndices);
/// Entries that are exactly zero are left out.
SparseMatrix sparseFromDense(const Matrix& dense);
/// All entries, zeros for those that are not stored.
Matrix toDense(const SparseMatrix& A);
/// Aᵀ, with the same entries stored.
SparseMatrix transposed(const SparseMatrix& A);

/// Number of the first entry of a column; `column` may be the number of columns.
inline std::size_t columnStart(const SparseMatrix& A, std::size_t column) {
  return A.index1_data()[column];
}
/// Row of an entry.
inline std::size_t rowOf(const SparseMatrix& A, std::size_t entry) {
  return A.index2_data()[entry];
}
/// Value of an entry.
inline double valueOf(const SparseMatrix& A, std::size_t entry) {
  return A.value_data()[entry];
}
/// Stored entries, zeros among them too.
inline std::size_t entryCount(const SparseMatrix& A) {
  return A.nnz();
}

/// y = α A x + β y
void multiply(double alpha, const SparseMatrix& A, const double* x, double beta, double* y);
/// y = α Aᵀ x + β y
void multiplyTransposed(double alpha, const SparseMatrix& A, const double* x, double beta, double* y);
/// y = α A x + β y
inline void multiply(double alpha, const SparseMatrix& A, const Vector& x, double beta, Vector& y) {
  multiply(alpha, A, data(x), beta, data(y));
}
/// y = α Aᵀ x + β y
inline void multiplyTransposed(double alpha, const SparseMatrix& A, const Vector& x, double beta, Vector& y) {
  multiplyTransposed(alpha, A, data(x), beta, data(y));
}

/// C = α A B + β C
inline void multiply(double alpha, const SparseMatrix& A, const Matrix& B, double beta, Matrix& C) {
  for (std::size_t j = 0; j < B.size2(); ++j) {
    multiply(alpha, A, data(B) + j * B.size1(), beta, data(C) + j * C.size1());
  }
}

/// True if A is square and |A_ij − A_ji| ≤ `relativeTolerance` max |A| for all entries.
bool isSymmetric(const SparseMatrix& A, double relativeTolerance = 1e-8);

double normMax(const SparseMatrix& A);  ///< largest magnitude of an entry
bool allFinite(const SparseMatrix& A);  ///< no NaN, no infinity

/// Each throws Error naming `what` unless the property holds.
///@{
void requireSize(const SparseMatrix& A, std::size_t rows, std::size_t columns, std::string_view what);
void requireFinite(const SparseMatrix& A, std::string_view what);
///@}

/// The starts of the columns of A and the rows of its entries, as libraries in C have them; true if both stood there
/// already.
bool copyPattern(const SparseMatrix& A, std::vector<int>& starts, std::vector<int>& rows);

}  // namespace delassus
