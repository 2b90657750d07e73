// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseInverse.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <vector>

namespace delassus {

// The same matrix with another partition or more blocks, for methods that expect some. A copy has its own stamp.

/// A with block rows of these sizes: A itself if it has them; else all diagonal blocks are stored, and others where an
/// entry is not zero. The sizes must add up to that of A (asserted).
BlockSparseMatrix partedBy(const std::vector<std::size_t>& sizes, BlockSparseMatrix A);

/// A with zeros for the diagonal blocks that are not stored, into `copy`, within whose capacity it does not allocate.
void copyWithDiagonal(const BlockSparseMatrix& A, BlockSparseMatrix& copy);

/// A with zeros for the diagonal blocks, and the mirrors (j, i) of stored blocks (i, j), that are not stored.
BlockSparseMatrix withMirrors(const BlockSparseMatrix& A);

/// The index of the block (j, i) for each stored block (i, j), into `mirrors`. Gives the first block whose mirror is
/// not stored, blockCount() where all are.
std::size_t findMirrors(const BlockSparseMatrix& A, std::vector<std::size_t>& mirrors);

/// Hᵀ M⁻¹ H with block rows of these sizes, which must add up to the columns of H (asserted). Stored are all diagonal
/// blocks, and others that some entry of M⁻¹ H joins. Where M is positive definite and block diagonal with small blocks
/// (SparseInverse::isOfSmallBlocks), the work is proportional to the blocks of W, and else to n columns of M⁻¹ H.
BlockSparseMatrix congruence(const SparseMatrix& H, const std::vector<std::size_t>& sizes,
                             const SparseInverse& inverse);

/// Ends of the diagonal blocks of a square matrix, the finest partition that no entry crosses:
/// rows and columns of block k are ends[k − 1] .. ends[k] − 1. Bodies that are not joined are such blocks.
std::vector<std::size_t> diagonalBlockEnds(const SparseMatrix& M);

/// Size of the largest of them; 0 for an empty matrix.
std::size_t largestDiagonalBlock(const SparseMatrix& M);

/// Inverses of the diagonal blocks into `inverses`; false if one is not positive definite.
bool invertDiagonalBlocks(const SparseMatrix& M, std::vector<Matrix>& inverses);

}  // namespace delassus
