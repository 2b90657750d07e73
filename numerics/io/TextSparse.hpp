// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <string>

namespace delassus::numerics {

/// Reads a sparse matrix as CSparse prints it, after `2 rows columns`: an origin, a line with a version, then
///
///     m-by-n, nzmax: 4 nnz: 4, 1-norm: 7          columns:   col j : locations a to b    i : value
///     triplet: m-by-n, nzmax: 4 nnz: 4            triplets:  i j : value
///     csr: m-by-n, nzmax: 4 nnz: 4, 1-norm: 7     rows:      row i : locations a to b    j : value
///
/// The word in front of the sizes, not the origin, says which of the three it is. Entries at the same place add up.
SparseMatrix readPrintedSparse(TextReader& reader, const std::string& name, std::size_t rows, std::size_t columns);

/// Appends the same in columns, stored zeros included, with all digits.
void printSparse(const SparseMatrix& A, std::string& text);

/// Appends the shortest digits that read back to the same double.
void appendNumber(double value, std::string& text);

}  // namespace delassus::numerics
