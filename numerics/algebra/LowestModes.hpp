// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>

namespace delassus {

/// Modes of K φ = ω² M φ.
struct Modes {
  Vector squares;  ///< ω², ascending
  Matrix vectors;  ///< φ, a column each, φᵢᵀ M φⱼ = δᵢⱼ
};

/// The modes of the `count` smallest ω², of symmetric positive definite K and M, dense or sparse: up to some hundred
/// unknowns all modes are found (dsygvd), above by subspace iteration with the factors of K, until
/// ‖K φ − ω² M φ‖ ≤ 1e-9 ‖K φ‖, but for the rounding of the factors. Throws Error beginning with `name` if sizes do not
/// fit, `count` is above n, a matrix is not symmetric positive definite, or the iteration does not end. (Bathe, Finite
/// Element Procedures, 11.6.)
Modes lowestModes(const SquareMatrix& K, const SquareMatrix& M, std::size_t count, const std::string& name);
/// The same with factors of K, which is symmetric positive definite, that are there already.
Modes lowestModes(const SquareMatrix& K, const SquareFactorization& factorsOfK, const SquareMatrix& M,
                  std::size_t count, const std::string& name);

}  // namespace delassus
