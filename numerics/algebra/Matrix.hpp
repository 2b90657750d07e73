// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Ublas.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <initializer_list>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace delassus {

namespace detail {

[[noreturn]] void failIndex(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns);

}  // namespace detail

/// Dense column-major matrix of doubles, as BLAS and LAPACK want it: a uBLAS matrix, and wherever one is wanted, that
/// can be printed and whose indices can be checked, as those of Vector. Entries start at zero.
class Matrix : public boost::numeric::ublas::matrix<double, boost::numeric::ublas::column_major, std::vector<double>> {
  using Base = boost::numeric::ublas::matrix<double, boost::numeric::ublas::column_major, std::vector<double>>;

 public:
  /// Empty.
  Matrix() = default;
  /// Zeros.
  Matrix(size_type rows, size_type columns) : Base(rows, columns) {}
  /// `value` in every entry.
  Matrix(size_type rows, size_type columns, double value) : Base(rows, columns, value) {}
  /// The value of an expression of uBLAS.
  template <class E>
  Matrix(const boost::numeric::ublas::matrix_expression<E>& e) : Base(e) {}  // NOLINT: implicit by intention

  /// Takes the value of an expression of uBLAS.
  ///@{
  template <class E>
  Matrix& operator=(const boost::numeric::ublas::matrix_expression<E>& e) {
    Base::operator=(e);
    return *this;
  }
  template <class C>
  Matrix& operator=(const boost::numeric::ublas::matrix_container<C>& a) {
    Base::operator=(a);
    return *this;
  }
  ///@}

  /// Entry (i, j), from 0 on. Throws Error if there is none.
  ///@{
  double& at(size_type i, size_type j) {
    requireIndex(i, j);
    return data()[i + j * size1()];
  }
  double at(size_type i, size_type j) const {
    requireIndex(i, j);
    return data()[i + j * size1()];
  }
  ///@}

  /// Entry (i, j), from 0 on. Throws Error if there is none, unless DELASSUS_UNCHECKED_INDICES is defined where this is
  /// compiled.
  ///@{
  double& operator()(size_type i, size_type j) {
    requireIndexOfUsers(i, j);
    return data()[i + j * size1()];
  }
  const double& operator()(size_type i, size_type j) const {
    requireIndexOfUsers(i, j);
    return data()[i + j * size1()];
  }
  ///@}

 private:
  void requireIndex(size_type i, size_type j) const {
    if (i >= size1() || j >= size2()) detail::failIndex(i, j, size1(), size2());
  }
  void requireIndexOfUsers([[maybe_unused]] size_type i, [[maybe_unused]] size_type j) const {
#ifndef DELASSUS_UNCHECKED_INDICES
    requireIndex(i, j);
#endif
  }
};

/// The rows as (1, 2; 3, 4), each entry with the stream's format and width.
std::ostream& operator<<(std::ostream& out, const Matrix& a);

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
