// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>
#include <string_view>

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

/// Answer of leastSquares.
struct LeastSquaresSolution {
  Vector x;              ///< minimiser of ‖A x − b‖₂; of least norm among all if A is rank deficient
  std::size_t rank = 0;  ///< numerical rank of A
  double residual = 0.;  ///< ‖A x − b‖₂
};

/// Least squares of any shape and rank by a complete orthogonal factorisation (dgelsy). Singular
/// directions are those where a column pivot falls below `rankTolerance` times the first.
/// Throws Error naming the matrix by `name` if sizes do not fit or an entry is not finite.
LeastSquaresSolution leastSquares(const Matrix& A, const Vector& b, std::string_view name,
                                  double rankTolerance = 1e-12);

/// The orthogonal projector N Nᵀ onto the left null space of A, wᵀA = 0: the combinations of rows that vanish, as the
/// equations without a rate of M ẋ = f. Found in each connected part of A by itself, so that it is as sparse as they
/// are small. Without entries where A is regular: rows and columns are equilibrated, and what is below 1e-12 of the
/// largest pivot of a part is zero. Throws Error naming the matrix by `name` if a part of more than 2,000
/// rows is singular, which costs the cube of its rows.
SparseMatrix leftNullProjector(const SquareMatrix& A, std::string_view name);

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
