// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <vector>

namespace delassus {

/// Ends of the diagonal blocks of a square matrix, the finest partition that no entry crosses:
/// rows and columns of block k are ends[k − 1] .. ends[k] − 1. Bodies that are not joined are such blocks.
std::vector<std::size_t> diagonalBlockEnds(const SparseMatrix& M);

/// Size of the largest of them; 0 for an empty matrix.
std::size_t largestDiagonalBlock(const SparseMatrix& M);

/// Inverses of the diagonal blocks into `inverses`; false if one is not positive definite.
bool invertDiagonalBlocks(const SparseMatrix& M, std::vector<Matrix>& inverses);

}  // namespace delassus
