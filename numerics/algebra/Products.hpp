// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

// Products and norms that do not allocate. Small operands (up to smallProduct entries) run in plain
// loops, larger ones in BLAS, whose call costs more than such a product does. Sizes are the
// caller's duty (asserted); y must not be x.

inline constexpr std::size_t smallProduct = 256;

/// y = α A x + β y
void multiply(double alpha, const Matrix& A, const double* x, double beta, double* y);
/// y = α Aᵀ x + β y
void multiplyTransposed(double alpha, const Matrix& A, const double* x, double beta, double* y);
/// C = α A B + β C
void multiply(double alpha, const Matrix& A, const Matrix& B, double beta, Matrix& C);

/// y = α A x + β y
void multiply(double alpha, const Matrix& A, const Vector& x, double beta, Vector& y);
/// y = α Aᵀ x + β y
void multiplyTransposed(double alpha, const Matrix& A, const Vector& x, double beta, Vector& y);

/// y = y + α x
void addScaled(double alpha, const Vector& x, Vector& y);
double dot(const Vector& x, const Vector& y);

double norm2(const Vector& x);    ///< Euclidean norm, safe against overflow for sane data
double normInf(const Vector& x);  ///< largest magnitude
double norm1(const Matrix& A);    ///< largest column sum of magnitudes
double normInf(const Matrix& A);  ///< largest row sum of magnitudes
double normFrobenius(const Matrix& A);
double normMax(const Matrix& A);  ///< largest magnitude of an entry

}  // namespace delassus
