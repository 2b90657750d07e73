// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/SparseInverse.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <vector>

namespace delassus {

/// Hᵀ M⁻¹ H with block rows of these sizes, which must add up to the columns of H (asserted). Stored are all diagonal
/// blocks, and others that some entry of M⁻¹ H joins. Where M is positive definite and block diagonal with small blocks
/// (SparseInverse::isOfSmallBlocks), the work is proportional to the blocks of W, and else to n columns of M⁻¹ H.
BlockSparseMatrix congruence(const SparseMatrix& H, const std::vector<std::size_t>& sizes,
                             const SparseInverse& inverse);

}  // namespace delassus
