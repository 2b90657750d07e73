// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <memory>
#include <string_view>

namespace delassus {

/// A square matrix of a system (mass, stiffness, iteration matrix), dense or sparse, as it was given: a few unknowns
/// are dense, a mesh is sparse. Copies share the entries of a sparse one until one of them is changed.
class SquareMatrix {
 public:
  /// Empty, dense.
  SquareMatrix() = default;
  ///@{
  /// Stored as A is. An expression of uBLAS becomes dense: write SparseMatrix(2. * K) for a sparse K.
  SquareMatrix(const Matrix& A) : dense_(A) {}                                         // NOLINT: by intention
  SquareMatrix(const SparseMatrix& A) : sparse_(std::make_shared<SparseMatrix>(A)) {}  // NOLINT: by intention
  template <class E>
  SquareMatrix(const boost::numeric::ublas::matrix_expression<E>& e) : dense_(e) {}  // NOLINT: by intention
  ///@}

  /// Zeros, of the size and in the storage of another.
  static SquareMatrix zeros(const SquareMatrix& other);

  /// How it is stored.
  bool isSparse() const { return sparse_ != nullptr; }
  /// Rows and columns.
  ///@{
  std::size_t size1() const { return isSparse() ? sparse_->size1() : dense_.size1(); }
  std::size_t size2() const { return isSparse() ? sparse_->size2() : dense_.size2(); }
  ///@}

  /// The entries, only where isSparse() says so.
  const SparseMatrix& sparse() const { return *sparse_; }
  /// The entries, only where it is not sparse.
  ///@{
  const Matrix& dense() const { return dense_; }
  Matrix& dense() { return dense_; }
  ///@}
  /// Zeros in the place of what it was, for those that fill it: dense; or sparse, with this pattern, to be filled
  /// through values(). Nothing is allocated where it had that form before and shares it with no copy.
  ///@{
  Matrix& makeDense(std::size_t n);
  void makeSparse(const SparseMatrix& pattern);
  ///@}

  /// A_ij, 0 where a sparse one stores none.
  double operator()(std::size_t i, std::size_t j) const { return isSparse() ? sparseEntry(i, j) : dense_(i, j); }
  /// A_ii, 0 where a sparse one stores none.
  double diagonal(std::size_t i) const { return isSparse() ? sparseEntry(i, i) : dense_.data()[i * (size1() + 1)]; }
  /// The entries of a sparse one, for those that have called makeSparse(): no copy may share them.
  auto& values() {
    assert(sparse_ && sparse_.use_count() == 1);
    return sparse_->value_data();
  }
  /// Adds factor · A to a sparse one (makeSparse()); false, with the entries up to there added, if A has an entry where
  /// this has no place.
  bool tryAdd(double factor, const SparseMatrix& A);
  /// Saves or restores the entries, and of a sparse one their places.
  void serializeState(StateArchive& archive);
  /// Exchanges the entries of both, without copies.
  void swap(SquareMatrix& other) noexcept {
    dense_.swap(other.dense_);
    sparse_.swap(other.sparse_);
  }
  void scale(double factor);  ///< A := factor A
  /// Makes this A − (b B + c C), sparse where all three are; A may be this matrix, B and C may not.
  void setDifference(const SquareMatrix& A, double b, const SquareMatrix& B, double c, const SquareMatrix& C);

 private:
  double sparseEntry(std::size_t i, std::size_t j) const;
  void setSparseDifference(const SquareMatrix& A, double b, const SquareMatrix& B, double c, const SquareMatrix& C);

  Matrix dense_;
  std::shared_ptr<SparseMatrix> sparse_;
};

/// visit(i, j, A_ij) for each entry that is stored, column by column.
template <class Visit>
void forEachEntry(const SquareMatrix& A, const Visit& visit) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    if (A.isSparse()) {
      const std::size_t end = columnStart(A.sparse(), j + 1);
      for (std::size_t k = columnStart(A.sparse(), j); k < end; ++k)
        visit(rowOf(A.sparse(), k), j, valueOf(A.sparse(), k));
    } else {
      const double* const column = data(A.dense()) + j * A.size1();
      for (std::size_t i = 0; i < A.size1(); ++i) visit(i, j, column[i]);
    }
  }
}
/// y = α A x + β y
inline void multiply(double alpha, const SquareMatrix& A, const Vector& x, double beta, Vector& y) {
  if (A.isSparse()) return multiply(alpha, A.sparse(), x, beta, y);
  multiply(alpha, A.dense(), x, beta, y);
}
/// The largest magnitude of an entry.
inline double normMax(const SquareMatrix& A) {
  return A.isSparse() ? normMax(A.sparse()) : normMax(A.dense());
}
/// Whether both have the same entries, bit by bit, in one storage and, if that is sparse, at the same places.
bool areEqual(const SquareMatrix& A, const SquareMatrix& B);
/// As above, for the sparse storage alone.
bool areEqual(const SparseMatrix& A, const SparseMatrix& B);
/// No NaN, no infinity.
inline bool allFinite(const SquareMatrix& A) {
  return A.isSparse() ? allFinite(A.sparse()) : allFinite(A.dense());
}
double quadraticForm(const SquareMatrix& A, const Vector& x);  ///< xᵀ A x
Matrix toDense(const SquareMatrix& A);                         ///< all entries
bool isPositiveDefinite(const SquareMatrix& A);                ///< and symmetric
/// Each throws Error naming `what` unless the property holds.
///@{
void requireSize(const SquareMatrix& A, std::size_t rows, std::size_t columns, std::string_view what);
void requireFinite(const SquareMatrix& A, std::string_view what);
void requireSymmetric(const SquareMatrix& A, std::string_view what);
void requirePositiveDefinite(const SquareMatrix& A, std::string_view what);
///@}

/// The factors of a SquareMatrix: LUFactorization of a dense one; of a sparse one Cholesky's where it is symmetric and
/// positive definite, and LU by UMFPACK else, each of which keeps its symbolic analysis for as long as the pattern
/// stays.
class SquareFactorization {
 public:
  SquareFactorization();
  ~SquareFactorization();
  /// Takes over the factors; the other object is then empty.
  ///@{
  SquareFactorization(SquareFactorization&&) noexcept;
  SquareFactorization& operator=(SquareFactorization&&) noexcept;
  ///@}

  /// Factors A; false, leaving no usable factor, if it is singular or not finite.
  bool tryFactor(const SquareMatrix& A);
  /// Factors A; throws Error naming the matrix by `name` and the reason if it is not square, not finite or singular.
  void factor(const SquareMatrix& A, std::string_view name);

  /// x := A⁻¹ x, for `count` right-hand sides one after the other. One thread at a time, where A is sparse.
  ///@{
  void solve(double* x, std::size_t count = 1) const {
    if (sparse_) return solveSparse(x, count);
    dense_.solve(x, count);
  }
  void solve(Vector& x) const {
    if (sparse_) return solveSparse(data(x), 1);
    dense_.solve(x);
  }
  ///@}

 private:
  struct Sparse;
  bool tryFactorSparse(const SparseMatrix& A);
  void solveSparse(double* x, std::size_t count) const;

  LUFactorization dense_;
  std::unique_ptr<Sparse> sparse_;  // null where A is dense
};

}  // namespace delassus
