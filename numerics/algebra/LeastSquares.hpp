// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Matrix.hpp>
#include <string_view>

namespace delassus {

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

}  // namespace delassus
