// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <limits>
#include <span>

namespace delassus {

// What rounding can do to a product, and the product in extended precision, for certificates: where large terms cancel,
// a sum in double precision says nothing about its exact value. None of this is shared with the solvers.

/// Rounding of a sum in extended precision (long double) relative to that of the same sum in double precision: 2⁻¹¹ on
/// x86, 1 where long double is double.
inline constexpr double extendedRounding =
    static_cast<double>(std::numeric_limits<long double>::epsilon() / std::numeric_limits<double>::epsilon());

/// The part of its terms that the decisive sum of a proof must have where its other sums count as zero up to the part
/// `rounding` of theirs: what these leave open then excludes solutions of ordinary size too. Only those whose terms are
/// some 10⁴ times as large as the data may be missed.
inline double clearPart(double rounding) {
  return std::max(1e-9, 1e4 * rounding);
}

namespace detail {

struct LargestEntry {
  std::uint64_t stamp = 0;
  double magnitude = 0.;
};
inline constinit thread_local LargestEntry largestEntry{};

double findLargestEntry(std::uint64_t stamp, std::span<const double> entries);

}  // namespace detail

/// The largest magnitude of the entries of a matrix, infinite if one is not finite; kept for the last stamp that each
/// thread has asked for.
inline double largestEntry(std::uint64_t stamp, std::span<const double> entries) {
  if (detail::largestEntry.stamp == stamp) return detail::largestEntry.magnitude;
  return detail::findLargestEntry(stamp, entries);
}

/// b_i += (n_i + 2) ε Σ_j |A_ij| |x_j|, n_i the number of entries in row i. However y = A x is summed in double
/// precision, and some q_i added, its error is at most that plus ε |q_i|. (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2002, section 3.1.)
///@{
void addRounding(const Matrix& A, const double* x, double* b);
void addRounding(const BlockSparseMatrix& A, const double* x, double* b);
void addRounding(const SparseMatrix& A, const double* x, double* b);
///@}
/// The same of Aᵀ x.
void addRoundingTransposed(const SparseMatrix& A, const double* x, double* b);

/// y += α A x in extended precision.
///@{
void addExtended(const Matrix& A, const double* x, long double* y);
void addExtended(const BlockSparseMatrix& A, const double* x, long double* y);
/// Real: double or long double.
template <class Real>
void addExtended(double alpha, const SparseMatrix& A, const Real* x, long double* y);
///@}
/// y += Aᵀ x in extended precision; Real: double or long double.
template <class Real>
void addExtendedTransposed(const SparseMatrix& A, const Real* x, long double* y);

}  // namespace delassus
