// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

/// Singular values of a square matrix and the directions that it takes to zero (dgesdd). For diagnosis: O(n³), dense.
struct SingularValues {
  Vector values;         ///< σ₁ ≥ σ₂ ≥ … ≥ 0
  std::size_t rank = 0;  ///< number of σ above rankTolerance · σ₁
  Matrix nullSpace;      ///< orthonormal columns, as many as there are σ below

  /// σ₁/σ_n: the condition number in the 2-norm; infinity for a singular matrix, 1 for an empty one.
  double condition() const;
  /// σ₁/σ_rank: the condition number on the range.
  double conditionOnRange() const;
};

/// Throws Error if the matrix is not square or not finite.
SingularValues singularValues(const Matrix& A, double rankTolerance = 1e-11);

}  // namespace delassus
