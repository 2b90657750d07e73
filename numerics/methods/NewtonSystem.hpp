// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <delassus/numerics/problem/SparseFactors.hpp>
#include <vector>

namespace delassus::numerics {

/// The linear systems of Newton's methods on a problem over sets: J = L W D + E, with L, D and E block diagonal, one
/// block (column-major) a part, of the size of its rows. Dense LU where J is small or nearly full, sparse otherwise;
/// entries that are zero, as of contacts that are open, are left out. Where W = Hᵀ M⁻¹ H is kept by its factors, J x =
/// y is
///
///     ⎛ M      −H D ⎞ ⎛ v ⎞   ⎛ 0 ⎞
///     ⎝ L Hᵀ    E   ⎠ ⎝ x ⎠ = ⎝ y ⎠,
///
/// which is as sparse as M and H.
class NewtonSystem {
 public:
  /// Up to this many rows J is dense from the start: below 48 that is faster, measured on contacts.
  explicit NewtonSystem(std::size_t denseSize = 48) : denseSize_(denseSize) {}

  /// Sets the sizes, and L = D = 1, E = 0. W is read again by factor().
  ///@{
  void begin(const BlockSparseMatrix& W);
  void begin(const ProblemOverSets& problem);
  ///@}
  /// The blocks of a part, to be set between begin() and factor().
  ///@{
  double* left(std::size_t part) { return filled(part, leftKinds_, left_); }
  double* right(std::size_t part) { return filled(part, rightKinds_, right_); }
  double* local(std::size_t part) { return local_.data() + starts_[part]; }
  ///@}
  /// As left(), for a block that is diagonal, the entries of which are all to be set.
  double* diagonalLeft(std::size_t part) {
    leftKinds_[part] = Kind::diagonal;
    return left_.data() + starts_[part];
  }

  /// False if J is singular.
  bool factor();
  /// Approximate cost of the last factorisation in floating point operations.
  double work() const;
  /// Rough estimate of 1/κ(J) of the last factorisation.
  double reciprocalCondition() const { return isDense_ ? dense_.reciprocalCondition() : sparse_.reciprocalCondition(); }
  void solve(double* x);            ///< x := J⁻¹ x
  void solveTransposed(double* x);  ///< x := J⁻ᵀ x

 private:
  enum class Kind : char { one, diagonal, full };

  void beginParts();
  double* filled(std::size_t part, std::vector<Kind>& kinds, std::vector<double>& blocks);
  template <class Visit>
  void forBlocks(std::size_t part, const Visit& visit);
  const double* blockOf(std::size_t part, const double* block, std::size_t column);
  void fillDense();
  bool factorDense();
  void layOut();
  std::size_t fillSparse();
  bool factorSparse(std::size_t nonzeros);
  bool factorBordered();
  template <class Solve>
  void solveBordered(const Solve& solve, double* x);
  void addOutputs(std::size_t column);
  void addImpulses(std::size_t part, std::size_t column);

  std::size_t denseSize_;
  const BlockSparseMatrix* W_ = nullptr;      // if it is a matrix
  const SparseFactors* factors_ = nullptr;    // otherwise
  std::size_t size_ = 0;                      // of J
  std::vector<std::size_t> offsets_;          // of the rows of the parts, and their number
  std::vector<std::size_t> starts_;           // of the blocks of the parts
  std::vector<double> left_, right_, local_;  // L and D where they are not 1
  std::vector<Kind> leftKinds_, rightKinds_;
  std::vector<double> product_, block_;  // of one block
  bool isDense_ = false;
  Matrix full_;
  std::vector<double> rowScales_;
  LUFactorization dense_;
  // All entries that blocks have, column by column, and those of them that are not zero.
  MadeFrom<std::uint64_t> patternFrom_;
  std::vector<std::size_t> columns_, rows_, next_;
  std::vector<double> values_;
  std::vector<std::size_t> nonzeroColumns_, nonzeroRows_;
  SparseLUFactorization sparse_;
  // The bordered matrix needs the part of each row of J, a column of H D, and a right-hand side.
  std::vector<std::size_t> partOf_;
  std::vector<double> column_, bordered_;
};

}  // namespace delassus::numerics
