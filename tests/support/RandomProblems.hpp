// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <random>

// Reproducible random data: every function takes its generator.
namespace delassus::test {

using Generator = std::mt19937_64;

Vector randomVector(Generator& generator, std::size_t size);                       ///< in [−1, 1]
Matrix randomMatrix(Generator& generator, std::size_t rows, std::size_t columns);  ///< in [−1, 1]
/// B Bᵀ + shift·1 with B of `size` x `rank`.
Matrix randomSemidefinite(Generator& generator, std::size_t size, std::size_t rank, double shift = 0.);
/// Positive definite but not symmetric: semidefinite plus a skew matrix.
Matrix randomPositiveDefinite(Generator& generator, std::size_t size);
/// The Delassus matrix of a column of beads of mass 1 on the ground: 2 (1 in the first row) on the diagonal, −1 beside
/// it, in blocks of one scalar.
BlockSparseMatrix columnMatrix(std::size_t size);

/// Tridiagonal, not symmetric, with a dominant diagonal, in blocks of one scalar.
BlockSparseMatrix randomTridiagonal(Generator& generator, std::size_t size);

}  // namespace delassus::test
