// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <functional>
#include <vector>

namespace delassus {

/// Hᵀ M⁻¹ H with block rows of these sizes, which must add up to the columns of H (asserted); solve(x) is to set x :=
/// M⁻¹ x. Stored are all diagonal blocks, and others that some entry of M⁻¹ H joins.
BlockSparseMatrix congruence(const SparseMatrix& H, const std::vector<std::size_t>& sizes,
                             const std::function<void(double*)>& solve);

}  // namespace delassus
