// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/contact/DelassusOperator.hpp>

namespace delassus::numerics {

/// W as a block-sparse matrix, one block row a contact. The pattern is made symmetric and has all diagonal blocks:
/// missing blocks are added as zeros.
class AssembledDelassus final : public DelassusOperator {
 public:
  /// Accepts any block-sparse W and splits it into blocks of d x d; blocks of zeros that this produces are dropped.
  /// Throws Error if the size is no multiple of the dimension.
  AssembledDelassus(std::size_t dimension, BlockSparseMatrix W);
  /// Refers to a W of blocks of d x d that must outlive it; a copy where its pattern is not symmetric with a full
  /// diagonal. Throws Error if the dimension is not 2 or 3.
  static std::shared_ptr<AssembledDelassus> referringTo(std::size_t dimension, const BlockSparseMatrix& W);
  AssembledDelassus(const AssembledDelassus&) = delete;
  AssembledDelassus& operator=(const AssembledDelassus&) = delete;

  std::size_t dimension() const override { return dimension_; }
  std::size_t size() const override { return matrix_->size(); }
  void multiply(const double* r, double* u) const override;
  void addExtended(const double* r, long double* u) const override;
  void addRounding(const double* r, double* bound) const override;
  void diagonalBlock(std::size_t contact, double* block) const override;
  const BlockSparseMatrix* matrix() const override { return matrix_; }
  const BlockSparseMatrix* build() const override { return matrix_; }
  bool isMatrixProduct() const override { return true; }
  bool findPattern(ContactPattern& pattern) const override;
  void rowBlocks(std::size_t contact, std::span<const std::uint32_t> columns, double* blocks) const override;
  std::size_t independentGroups(std::vector<std::size_t>& group) const override {
    return matrix_->independentGroups(group);
  }
  void assemble(BlockSparseMatrix& W) const override { W = *matrix_; }
  void renew(std::unique_ptr<DelassusSweep>& sweep) const override;
  std::uint64_t stamp() const override { return matrix_->stamp(); }
  void validate() const override;

  /// For new values in place; touch() it when done.
  BlockSparseMatrix& blocks() {
    matrix_ = &own_;
    return own_;
  }

 private:
  std::size_t dimension_;
  BlockSparseMatrix own_;
  const BlockSparseMatrix* matrix_ = &own_;
};

}  // namespace delassus::numerics
