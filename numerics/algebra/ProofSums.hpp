// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <limits>
#include <vector>

namespace delassus::numerics {

// What proofs that a problem has no solution are checked with (Farkas' lemma): sums of which rounding, and the rounding
// of the proof, hide a part of the sizes of their terms.

/// A sum with the sizes of its terms.
struct ProofSum {
  long double value = 0.L;  ///< Σ x_k
  long double size = 0.L;   ///< Σ |x_k|

  /// Adds a term.
  void add(long double term) {
    value += term;
    size += std::abs(term);
  }
  /// Zero up to the part `rounding` of its terms.
  bool isZero(double rounding) const { return std::abs(value) <= rounding * size; }
  /// Not positive up to that part.
  bool isNotPositive(double rounding) const { return value <= rounding * size; }
  /// Negative by more than this part of its terms; false if it is not finite.
  bool isNegative(double part) const { return std::isfinite(size) && value < -part * size; }
};

/// Their Euclidean norm.
inline ProofSum normOf(const ProofSum* sums, std::size_t count) {
  ProofSum squares;
  for (std::size_t i = 0; i < count; ++i) {
    squares.value += sums[i].value * sums[i].value;
    squares.size += sums[i].size * sums[i].size;
  }
  return {std::sqrt(squares.value), std::sqrt(squares.size)};
}

/// The part of its terms up to which a sum counts as zero in proofs by y with n entries: what rounding alone explains.
inline double roundingOfProof(std::size_t n) {
  return 100. * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
}

/// Diverging iterates give only this many digits of a direction; sharpened() makes it exact where that costs little.
inline constexpr double nearlyProof = 1e-6;

/// Wᵀ y.
std::vector<ProofSum> transposedProduct(const BlockSparseMatrix& W, const Vector& y);
/// qᵀ y.
ProofSum product(const Vector& q, const Vector& y);

/// y with its largest entry 1, without what is below the part `nearlyProof` of that, moved by least squares to where
/// the sums of `combine`, which are linear in y, are zero; those that are clearly negative are left free where
/// `mayBeNegative` is not 0. Empty, it is 0 everywhere.
Vector sharpened(const Vector& y, const std::function<std::vector<ProofSum>(const Vector& y)>& combine,
                 const std::vector<char>& mayBeNegative = {});

}  // namespace delassus::numerics
