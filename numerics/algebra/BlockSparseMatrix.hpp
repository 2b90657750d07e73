// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace delassus {

/// Square matrix of dense blocks in compressed block-row storage. Block row k covers the scalar rows
/// [offset(k), offset(k+1)); the block columns are the same partition. The values of all blocks lie
/// one after the other in one array, each block column-major. One block makes a dense matrix.
///
/// The matrix is built row by row:
///
///     A.clear();
///     A.beginRow(size0); A.addBlock(0) = ...; A.addBlock(3) = ...;   // columns in ascending order
///     A.beginRow(size1); ...
///     A.finish();
///
/// Rebuilding within the capacity does not allocate.
class BlockSparseMatrix {
 public:
  BlockSparseMatrix() {
    clear();
    touch();
  }
  /// A dense matrix as one block; throws Error if it is not square.
  explicit BlockSparseMatrix(const Matrix& dense);

  /// Removes all rows and keeps their memory. The stamp stays until finish().
  void clear();
  /// Begins the next block row, of `rows` scalar rows.
  void beginRow(std::size_t rows);
  /// Appends block (current row, column) and gives its index. Its size is known once all rows are
  /// begun, so values are written after finish().
  std::size_t addBlock(std::size_t column);
  /// Allocates the values (zero) and sets a new stamp; throws Error on a column that is out of range or not in
  /// ascending order.
  void finish();

  std::size_t size() const { return offsets_.back(); }             ///< scalar rows
  std::size_t blockRows() const { return rowStarts_.size() - 1; }  ///< and as many block columns
  /// Blocks that are stored, the indices of column() and block() being below.
  std::size_t blockCount() const { return columns_.size(); }
  /// First scalar row of a block row; size() for blockRows().
  std::size_t offset(std::size_t blockRow) const { return offsets_[blockRow]; }
  /// Scalar rows of a block row, and scalar columns of the block column of that number.
  std::size_t blockSize(std::size_t blockRow) const { return offsets_[blockRow + 1] - offsets_[blockRow]; }
  /// Blocks of a row are rowBegin(k) .. rowEnd(k) - 1.
  ///@{
  std::size_t rowBegin(std::size_t blockRow) const { return rowStarts_[blockRow]; }
  std::size_t rowEnd(std::size_t blockRow) const { return rowStarts_[blockRow + 1]; }
  ///@}
  /// Block column of a stored block.
  std::size_t column(std::size_t block) const { return columns_[block]; }
  /// Values of a stored block, column-major, blockSize() of its row times that of its column.
  const double* block(std::size_t index) const { return values_.data() + valueStarts_[index]; }
  /// For writing; call touch() when done, since factors of the old values are kept by stamp.
  double* block(std::size_t index) { return values_.data() + valueStarts_[index]; }

  /// The block (blockRow, blockRow); null where it is not stored.
  const double* diagonalBlock(std::size_t blockRow) const {
    for (std::size_t k = rowBegin(blockRow); k < rowEnd(blockRow) && columns_[k] <= blockRow; ++k) {
      if (columns_[k] == blockRow) return block(k);
    }
    return nullptr;
  }

  /// Stored entries of the fullest row: the most terms that a sum of a product has.
  std::size_t longestRow() const { return longestRow_; }
  /// Number of stored scalars.
  std::size_t storedEntries() const { return values_.size(); }
  /// Values of all blocks, one block after the other.
  std::span<const double> values() const { return values_; }
  /// Sets all values to zero, keeping the pattern; call touch() when new ones are in.
  void setZero();

  /// Identifies the values: no two states of any matrices in this process share a stamp, except
  /// copies of each other. Solvers keep factors by it.
  std::uint64_t stamp() const { return stamp_; }
  /// Sets a new stamp; to be called after values were written.
  void touch();
  /// For a matrix that is rebuilt after a checkpoint was restored: sets its old stamp, which belongs to the same
  /// values.
  void adoptStamp(std::uint64_t stamp) { stamp_ = stamp; }

  /// y = A x
  void multiply(const double* x, double* y) const;
  /// Sum of row i times x.
  double rowDot(std::size_t blockRow, std::size_t rowInBlock, const double* x) const;
  /// A_ij by its scalar indices, found by bisection; 0 where no block is stored.
  double entry(std::size_t i, std::size_t j) const;
  /// Diagonal of the matrix into d (size n).
  void diagonal(double* d) const;
  /// Dense copy; allocates only if `dense` is too small.
  void toDense(Matrix& dense) const;
  /// Whether A_ij and A_ji never differ by more than `relativeTolerance` times the largest entry. G W⁻¹ Gᵀ of an
  /// ill-conditioned W is symmetric only to ε κ(W), hence the default: Cholesky reads one triangle, and the certificate
  /// judges the answer by all of A.
  bool isSymmetric(double relativeTolerance = 1e-8) const;
  /// Parts the block rows of a square matrix into groups that no block joins, so that a system falls apart into theirs:
  /// `group` becomes the number of each block row's group, numbered from 0 in the order of their first rows. Returns
  /// the number of groups.
  std::size_t independentGroups(std::vector<std::size_t>& group) const;

 private:
  void multiplyNumbers(std::size_t begin, std::size_t end, const double* x, double* y) const;
  void multiplyRows(std::size_t begin, std::size_t end, const double* x, double* y) const;

  std::vector<std::size_t> offsets_;      // scalar offset of each block row, and the size
  std::vector<std::size_t> rowStarts_;    // first block of each block row, and the count
  std::vector<std::size_t> columns_;      // block column of each block
  std::vector<std::size_t> valueStarts_;  // first value of each block
  std::vector<double> values_;
  std::size_t longestRow_ = 0;
  // Whether all blocks are numbers, as of contacts without friction: block k is then values_[k].
  bool isOfNumbers_ = false;
  std::uint64_t stamp_ = 0;
};

/// Throws Error naming `what` and an entry that is NaN or infinite.
void requireFinite(const BlockSparseMatrix& A, std::string_view what);

}  // namespace delassus
