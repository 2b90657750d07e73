// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {

/// What a certificate is compared with where nothing else is asked for: the tolerance that solvers have by default.
inline constexpr double defaultTolerance = 1e-8;

/// Whether a norm of n residuals, computed as `norm` in double precision, is surely at most `limit` by what can be said
/// without another product: each residual is (M z)_i + q_i or moves by no more than `factor` times that does; M has
/// rows of up to `row` entries up to `largest`, and Σ |z_i| and ‖q‖₂ are given. Rough, but nearly always enough.
inline bool isSurelyBelow(double norm, double limit, std::size_t n, std::size_t row, double factor, double largest,
                          double sumOfUnknown, double normOfData) {
  const auto size = static_cast<double>(n);
  const double height = n < 16 ? size : std::sqrt(size);  // a root takes as long as the rest
  const double terms = height * static_cast<double>(row + 2) * largest * sumOfUnknown + normOfData;
  const double rounding = std::numeric_limits<double>::epsilon() * (factor * terms + (size + 16.) * norm);
  return norm + rounding <= limit;
}

/// An error measure that is at most `tolerance` only if it is so in exact arithmetic. `error` is its value in double
/// precision; `bound()` bounds what rounding may have changed in it, and `extended()` computes it again with sums in
/// extended precision. Both are asked for only where they can change the verdict: what misses the tolerance costs
/// nothing, what meets it one bound, and only where large terms cancel is anything summed again. `size` is the number
/// of squares that were added up.
template <class Bound, class Extended>
double certified(double error, double tolerance, std::size_t size, Bound&& bound, Extended&& extended) {
  if (!(error <= tolerance)) return error;
  const double rounding = bound();
  const double ofSquares = static_cast<double>(size + 16) * std::numeric_limits<double>::epsilon() * error;
  if (error + rounding + ofSquares <= tolerance) return error;
  const double sharp = static_cast<double>(extended());
  const double value = sharp + extendedRounding * rounding + std::numeric_limits<double>::epsilon() * sharp;
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// Workspace of certificates, one for each thread: they are computed again and again.
struct CertificateSums {
  std::vector<double> bounds;         ///< of the rounding of each row
  std::vector<long double> extended;  ///< each row in extended precision
  std::vector<long double> unknown;   ///< the unknown, where it is needed in extended precision

  /// All of them zero.
  static CertificateSums& ofSize(std::size_t size) {
    static thread_local CertificateSums sums;
    sums.bounds.assign(size, 0.);
    sums.extended.assign(size, 0.L);
    return sums;
  }
};

/// ‖b‖₂ with b_i what rounding may change in the sum (A x)_i + q_i.
template <class AnyMatrix>
double roundingOf(const AnyMatrix& A, const Vector& x, const Vector& q, std::vector<double>& bounds) {
  addRounding(A, data(x), bounds.data());
  double squares = 0.;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double bound = bounds[i] + std::numeric_limits<double>::epsilon() * std::abs(q(i));
    squares += bound * bound;
  }
  return std::sqrt(squares);
}

}  // namespace delassus::numerics
