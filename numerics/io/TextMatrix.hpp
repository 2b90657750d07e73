// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <delassus/numerics/io/TextStorage.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace delassus::numerics {

/// A matrix of dense blocks in compressed block rows, as in the text format: rows and columns have separate partitions.
struct BlockRows {
  std::vector<std::size_t> rowEnds;     ///< scalar rows up to the end of each block row
  std::vector<std::size_t> columnEnds;  ///< scalar columns up to the end of each block column
  std::vector<std::size_t> rowStarts;   ///< first block of each block row, and the number of blocks
  std::vector<std::size_t> columns;     ///< block column of each block, ascending in a row
  std::vector<double> values;           ///< block after block, each column-major
};

/// A matrix as a text file holds it: dense (storage 0), in blocks (1) or sparse (2).
using StoredMatrix = std::variant<Matrix, BlockRows, SparseMatrix>;

/// Reads `storage rows columns` and the matrix that follows. If `rows` or `columns` are given, the file must agree.
/// Throws Error, calling the matrix `name`.
StoredMatrix readMatrix(TextReader& reader, const std::string& name, std::optional<std::size_t> rows,
                        std::optional<std::size_t> columns);

/// In the form of the problem classes. A block-sparse matrix keeps the blocks of the file; a sparse one is split into
/// blocks of `blockSize`. For square matrices.
BlockSparseMatrix toBlockSparse(StoredMatrix stored, std::size_t blockSize);
/// Whatever its storage, of any shape; zeros of dense matrices and of blocks are left out.
SparseMatrix toSparse(StoredMatrix stored);
/// Whatever its storage, of any shape.
Matrix toDense(StoredMatrix stored);

/// Square sparse matrix in blocks of `blockSize`, which divides its size: those with an entry.
BlockSparseMatrix inBlocks(const SparseMatrix& A, std::size_t blockSize);

/// Appends `storage rows columns` and the matrix; numbers are in the shortest form that reads back to the same double.
///@{
void writeMatrix(const Matrix& A, TextStorage storage, std::string& text);
void writeMatrix(const BlockSparseMatrix& A, TextStorage storage, std::string& text);
void writeMatrix(const SparseMatrix& A, TextStorage storage, std::string& text);
///@}

/// All stored entries of A, zeros too.
SparseMatrix sparseOf(const BlockSparseMatrix& A);

}  // namespace delassus::numerics
