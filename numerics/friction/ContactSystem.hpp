// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <vector>

namespace delassus::numerics {

/// The linear systems of Newton's method on contacts, J = L W D + E, with L, D, E block diagonal, one d x d block
/// (column-major) a contact. Dense LU where J is small, sparse otherwise; entries that are zero (open contacts) are
/// left out.
class ContactSystem {
 public:
  /// Sets the sizes, and L = D = 1, E = 0.
  void begin(std::size_t dimension, std::size_t contacts);
  /// The blocks of L, D and E for a contact, to be set between begin() and factor().
  ///@{
  double* left(std::size_t contact) { return left_.data() + contact * dimension_ * dimension_; }
  double* right(std::size_t contact) { return right_.data() + contact * dimension_ * dimension_; }
  double* local(std::size_t contact) { return local_.data() + contact * dimension_ * dimension_; }
  ///@}

  /// False if J is singular. W must have a symmetric pattern of blocks (throws Error otherwise).
  bool factor(const BlockSparseMatrix& W);

  /// Approximate cost of the last factorisation in floating point operations.
  double work() const;

  /// x := J⁻¹ x
  void solve(double* x);

 private:
  bool factorDense(const BlockSparseMatrix& W);
  bool factorSparse(const BlockSparseMatrix& W);
  void findTransposes(const BlockSparseMatrix& W);
  void blockOf(const BlockSparseMatrix& W, std::size_t row, std::size_t column, std::size_t block, double* J) const;

  std::size_t dimension_ = 3;
  std::vector<double> left_, right_, local_;
  MadeFrom<std::uint64_t> transposesFrom_;
  std::vector<std::size_t> transposes_;  // of block (row, column): the index of block (column, row)
  bool isDense_ = false;
  Matrix full_;
  LUFactorization dense_;
  std::vector<double> rowScales_;
  std::vector<std::size_t> starts_, rows_;
  std::vector<double> values_;
  std::vector<double> strip_;  // the blocks of one block column of J
  SparseLUFactorization sparse_;
};

}  // namespace delassus::numerics
