// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <filesystem>

namespace delassus::numerics {

/// The matrix of a Matrix Market file (%%MatrixMarket matrix …): `coordinate` or `array`, `real` or `integer`,
/// `general`, `symmetric` or `skew-symmetric`. Of a symmetric one both triangles are stored; entries at one place add
/// up. Throws Error naming the file, the line, what was expected and what came: another format (complex, pattern), an
/// index out of range, an entry above the diagonal of a symmetric matrix, fewer entries than announced, or more.
/// (Boisvert, Pozo and Remington, The Matrix Market Exchange Formats, NISTIR 5935, 1996.)
SparseMatrix readMatrixMarket(const std::filesystem::path& path);

/// Writes A as `coordinate real general`, or, where A_ij = A_ji to the last bit, as `symmetric` with its lower
/// triangle; numbers are read back to the last bit. Throws Error naming the file.
void writeMatrixMarket(const std::filesystem::path& path, const SparseMatrix& A);

}  // namespace delassus::numerics
