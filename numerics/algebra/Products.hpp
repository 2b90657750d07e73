// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>

namespace delassus::detail {

/// y = α A x, or y += α A x where `adds`, for a panel of a few rows, whose sums stay in registers. A has `columns`
/// columns, `stride` apart. The order of the sums is that of a plain loop over the columns.
template <std::size_t rows>
inline void multiplyPanel(double alpha, const double* A, std::size_t stride, std::size_t columns, const double* x,
                          bool adds, double* y) {
  double sums[rows];
  for (std::size_t i = 0; i < rows; ++i) sums[i] = adds ? y[i] : 0.;
  for (std::size_t j = 0; j < columns; ++j) {
    const double factor = alpha * x[j];
    for (std::size_t i = 0; i < rows; ++i) sums[i] += A[i + j * stride] * factor;
  }
  for (std::size_t i = 0; i < rows; ++i) y[i] = sums[i];
}

/// The same for a column-major matrix of m rows, panel by panel: several times as fast as column by column where m is a
/// handful, as in the products of each step of a small model.
inline void multiplySmall(double alpha, const double* A, std::size_t m, std::size_t columns, const double* x, bool adds,
                          double* y) {
  if (columns == 0) {  // A may be null
    if (!adds) std::fill_n(y, m, 0.);
    return;
  }
  if (m == 1) return multiplyPanel<1>(alpha, A, 1, columns, x, adds, y);
  std::size_t i = 0;
  for (; i + 8 <= m; i += 8) multiplyPanel<8>(alpha, A + i, m, columns, x, adds, y + i);
  switch (m - i) {
    case 7:
      multiplyPanel<4>(alpha, A + i, m, columns, x, adds, y + i);
      multiplyPanel<3>(alpha, A + i + 4, m, columns, x, adds, y + i + 4);
      break;
    case 6:
      multiplyPanel<6>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 5:
      multiplyPanel<4>(alpha, A + i, m, columns, x, adds, y + i);
      multiplyPanel<1>(alpha, A + i + 4, m, columns, x, adds, y + i + 4);
      break;
    case 4:
      multiplyPanel<4>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 3:
      multiplyPanel<3>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 2:
      multiplyPanel<2>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 1:
      multiplyPanel<1>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    default:
      break;
  }
}

}  // namespace delassus::detail

namespace delassus {

// Products and norms that do not allocate. Small operands (up to smallProduct entries) run in plain inline loops,
// larger ones in BLAS, whose call costs more than such a product does. The caller must pass matching sizes (asserted);
// y must not be x.

/// Entries up to which products run inline.
inline constexpr std::size_t smallProduct = 256;

namespace detail {

void multiplyLarge(double alpha, const Matrix& A, const double* x, double beta, double* y);
void multiplyTransposedLarge(double alpha, const Matrix& A, const double* x, double beta, double* y);

/// y = β y; β = 0 overwrites, as in BLAS, so that y may hold anything before.
inline void scale(double beta, double* y, std::size_t n) {
  if (beta == 1.) return;
  for (std::size_t i = 0; i < n; ++i) y[i] = beta == 0. ? 0. : beta * y[i];
}

}  // namespace detail

/// y = α A x + β y
inline void multiply(double alpha, const Matrix& A, const double* x, double beta, double* y) {
  const std::size_t m = A.size1();
  const std::size_t n = A.size2();
  if (m * n > smallProduct) {
    detail::multiplyLarge(alpha, A, x, beta, y);
    return;
  }
  if (beta != 0. && beta != 1.) detail::scale(beta, y, m);
  detail::multiplySmall(alpha, data(A), m, n, x, beta != 0., y);
}

/// y = α Aᵀ x + β y
inline void multiplyTransposed(double alpha, const Matrix& A, const double* x, double beta, double* y) {
  const std::size_t m = A.size1();
  const std::size_t n = A.size2();
  if (m * n > smallProduct) {
    detail::multiplyTransposedLarge(alpha, A, x, beta, y);
    return;
  }
  detail::scale(beta, y, n);
  const double* column = data(A);
  for (std::size_t j = 0; j < n; ++j, column += m) {
    double sum = 0.;
    for (std::size_t i = 0; i < m; ++i) sum += column[i] * x[i];
    y[j] += alpha * sum;
  }
}

/// A B
Matrix product(const Matrix& A, const Matrix& B);
/// The magnitudes of the entries.
Matrix magnitudesOf(Matrix A);

/// C = α A B + β C
void multiply(double alpha, const Matrix& A, const Matrix& B, double beta, Matrix& C);

/// y = α A x + β y
inline void multiply(double alpha, const Matrix& A, const Vector& x, double beta, Vector& y) {
  assert(x.size() == A.size2() && y.size() == A.size1());
  multiply(alpha, A, data(x), beta, data(y));
}

/// y = α Aᵀ x + β y
inline void multiplyTransposed(double alpha, const Matrix& A, const Vector& x, double beta, Vector& y) {
  assert(x.size() == A.size1() && y.size() == A.size2());
  multiplyTransposed(alpha, A, data(x), beta, data(y));
}

/// x · A x, of a square A
inline double quadraticForm(const Matrix& A, const Vector& x) {
  assert(A.size1() == x.size() && A.size2() == x.size());
  double sum = 0.;
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t i = 0; i < x.size(); ++i) sum += x(i) * A(i, j) * x(j);
  }
  return sum;
}

/// y = y + α x
inline void addScaled(double alpha, const Vector& x, Vector& y) {
  assert(x.size() == y.size());
  const double* const from = data(x);
  double* const to = data(y);
  for (std::size_t i = 0; i < x.size(); ++i) to[i] += alpha * from[i];
}

/// xᵀ y
double dot(const Vector& x, const Vector& y);

double norm2(const Vector& x);          ///< Euclidean norm, safe against overflow for sane data
double normInf(const Vector& x);        ///< largest magnitude
double norm1(const Matrix& A);          ///< largest column sum of magnitudes
double normInf(const Matrix& A);        ///< largest row sum of magnitudes
double normFrobenius(const Matrix& A);  ///< root of the sum of all squares
double normMax(const Matrix& A);        ///< largest magnitude of an entry

/// The part of its terms below which a sum of so many is nothing but rounding.
inline double roundingOfSums(std::size_t terms) {
  return 20. * static_cast<double>(terms + 1) * std::numeric_limits<double>::epsilon();
}

/// C + α A B with 0 for entries that are nothing but rounding of their terms: as numbers they would be a stiffness or
/// curvature of 10⁻¹⁶ of which some unknown becomes 10¹⁶. For Schur complements, of which the equalities that are
/// eliminated may determine rows. Left is the type of A, Matrix or SparseMatrix. Dense, it allocates only where the
/// operands are larger than any before.
template <class Left>
class ClearedProduct {
 public:
  /// C := C + α A B
  void add(double alpha, const Left& A, const Matrix& B, Matrix& C);

 private:
  Left left_;  // magnitudes of A
  Matrix right_, terms_;
};

}  // namespace delassus
