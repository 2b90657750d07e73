// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
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

}  // namespace delassus
