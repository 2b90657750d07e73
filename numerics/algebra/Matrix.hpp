// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/numeric/ublas/matrix.hpp>
#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace delassus {

/// Dense column-major matrix of doubles on uBLAS, the layout of BLAS and LAPACK; entries start at zero.
using Matrix = boost::numeric::ublas::matrix<double, boost::numeric::ublas::column_major, std::vector<double>>;

/// Matrix from its rows; throws Error if they differ in length.
Matrix makeMatrix(std::initializer_list<std::initializer_list<double>> rows);
/// The matrix I.
Matrix identityMatrix(std::size_t size);
/// A matrix with the given diagonal and zeros elsewhere.
Matrix diagonalMatrix(std::initializer_list<double> diagonal);

/// The entries, column by column.
///@{
inline double* data(Matrix& a) {
  return a.data().data();
}
inline const double* data(const Matrix& a) {
  return a.data().data();
}
///@}

/// Sets all entries to zero; the size stays.
void setZero(Matrix& a);
/// Resizes (keeping no content) and sets to zero; allocates only beyond the capacity.
void assignZero(Matrix& a, std::size_t rows, std::size_t columns);

/// False if an entry is infinite or not a number.
bool allFinite(const Matrix& a);
/// True if a is square and symmetric to 1e-12 of its largest entry: more than rounding in the caller's assembly leaves.
bool isSymmetric(const Matrix& a);

/// Each throws Error naming `what`, the expected and the actual value, unless the property holds.
/// Symmetry is to 1e-12 of the largest entry: more than rounding in the caller's assembly leaves.
///@{
void requireSize(const Matrix& a, std::size_t rows, std::size_t columns, std::string_view what);
void requireFinite(const Matrix& a, std::string_view what);
void requireSymmetric(const Matrix& a, std::string_view what);
///@}

}  // namespace delassus
