// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <string_view>

namespace delassus {

/// The orthogonal projector N Nᵀ onto the left null space of A, wᵀA = 0: the combinations of rows that vanish, as the
/// equations without a rate of M ẋ = f. Found in each connected part of A by itself, so that it is as sparse as they
/// are small. Without entries where A is regular: rows and columns are equilibrated, and what is below 1e-12 of the
/// largest pivot of a part is zero. Throws Error naming the matrix by `name` if a part of more than 2,000
/// rows is singular, which costs the cube of its rows.
SparseMatrix leftNullProjector(const SquareMatrix& A, std::string_view name);

}  // namespace delassus
