// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SquareMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace delassus {
namespace {

// To which masses are symmetric, of the largest entry, as dense ones are (isSymmetric of Matrix).
constexpr double symmetry = 1e-12;

void addEntries(double alpha, const SquareMatrix& A, std::vector<Triplet>& entries) {
  forEachEntry(A, [&](std::size_t i, std::size_t j, double entry) { entries.push_back({i, j, alpha * entry}); });
}

// Entry by entry: what Cholesky's factor leaves out nothing corrects, however small it is beside other entries.
bool isSymmetricToRounding(const SquareMatrix& A) {
  constexpr double rounding = 1e-14;
  bool isSymmetric = true;
  forEachEntry(A, [&](std::size_t i, std::size_t j, double entry) {
    const double mirrored = i == j ? entry : A(j, i);
    isSymmetric = isSymmetric && std::abs(entry - mirrored) <= rounding * std::abs(entry);
  });
  return isSymmetric;
}

bool haveOnePattern(const SparseMatrix& A, const SparseMatrix& B) {
  return A.size1() == B.size1() && A.nnz() == B.nnz() && A.index1_data() == B.index1_data() &&
         std::equal(A.index2_data().begin(), A.index2_data().begin() + static_cast<std::ptrdiff_t>(A.nnz()),
                    B.index2_data().begin());
}

}  // namespace

SquareMatrix SquareMatrix::zeros(const SquareMatrix& other) {
  if (other.isSparse()) return sparseFromTriplets(other.size1(), other.size2(), {});
  return Matrix(other.size1(), other.size2());
}

Matrix& SquareMatrix::makeDense(std::size_t n) {
  sparse_.reset();
  assignZero(dense_, n, n);
  return dense_;
}

void SquareMatrix::makeSparse(const SparseMatrix& pattern) {
  if (!sparse_ || sparse_.use_count() > 1 || !haveOnePattern(*sparse_, pattern)) {
    sparse_ = std::make_shared<SparseMatrix>(pattern);
  }
  std::fill(sparse_->value_data().begin(), sparse_->value_data().end(), 0.);
}

// Rows ascend in the columns of both.
bool SquareMatrix::tryAdd(double factor, const SparseMatrix& A) {
  auto& own = values();
  for (std::size_t j = 0; j < A.size2(); ++j) {
    std::size_t place = columnStart(*sparse_, j);
    const std::size_t end = columnStart(*sparse_, j + 1);
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      while (place < end && rowOf(*sparse_, place) < rowOf(A, k)) ++place;
      if (place == end || rowOf(*sparse_, place) != rowOf(A, k)) return false;
      own[place] += factor * valueOf(A, k);
    }
  }
  return true;
}

double SquareMatrix::sparseEntry(std::size_t i, std::size_t j) const {
  for (std::size_t k = columnStart(*sparse_, j); k < columnStart(*sparse_, j + 1); ++k) {
    if (rowOf(*sparse_, k) == i) return valueOf(*sparse_, k);
  }
  return 0.;
}

void SquareMatrix::serializeState(StateArchive& archive) {
  bool wasSparse = isSparse();
  archive.value("isSparse", wasSparse);
  if (!wasSparse) {
    sparse_.reset();
    return archive.value("matrix", dense_);
  }
  std::vector<std::size_t> starts, rows;
  std::vector<double> values;
  for (std::size_t j = 0; isSparse() && j <= size2(); ++j) starts.push_back(columnStart(*sparse_, j));
  for (std::size_t k = 0; isSparse() && k < entryCount(*sparse_); ++k) {
    rows.push_back(rowOf(*sparse_, k));
    values.push_back(valueOf(*sparse_, k));
  }
  archive.value("starts", starts);
  archive.value("rows", rows);
  archive.value("values", values);
  if (!archive.restores()) return;
  bool isWhole = !starts.empty() && starts.front() == 0 && std::is_sorted(starts.begin(), starts.end()) &&
                 starts.back() == rows.size() && rows.size() == values.size() &&
                 std::all_of(rows.begin(), rows.end(), [&](std::size_t row) { return row + 1 < starts.size(); });
  for (std::size_t j = 0; isWhole && j + 1 < starts.size(); ++j) {
    isWhole = std::is_sorted(rows.begin() + static_cast<std::ptrdiff_t>(starts[j]),
                             rows.begin() + static_cast<std::ptrdiff_t>(starts[j + 1]), std::less_equal<>());
  }
  if (!isWhole) archive.refuse("the places of the entries of a sparse matrix are no pattern: it is damaged.");
  SparseMatrix restored = sparseWithPattern(starts.size() - 1, starts, rows);
  std::copy(values.begin(), values.end(), restored.value_data().begin());
  sparse_ = std::make_shared<SparseMatrix>(std::move(restored));
}

void SquareMatrix::scale(double factor) {
  if (!isSparse()) {
    for (double& entry : dense_.data()) entry *= factor;
    return;
  }
  SparseMatrix scaled = *sparse_;
  for (double& entry : scaled.value_data()) entry *= factor;
  sparse_ = std::make_shared<SparseMatrix>(std::move(scaled));
}

void SquareMatrix::setDifference(const SquareMatrix& A, double b, const SquareMatrix& B, double c,
                                 const SquareMatrix& C) {
  if (A.isSparse() && B.isSparse() && C.isSparse()) return setSparseDifference(A, b, B, c, C);
  if (A.isSparse() || B.isSparse() || C.isSparse()) {
    return setDifference(toDense(A), b, SquareMatrix(toDense(B)), c, SquareMatrix(toDense(C)));
  }
  sparse_.reset();
  if (this != &A) dense_ = A.dense();
  const auto& first = B.dense().data();
  const auto& second = C.dense().data();
  for (std::size_t k = 0; k < dense_.data().size(); ++k) dense_.data()[k] -= b * first[k] + c * second[k];
}

void SquareMatrix::setSparseDifference(const SquareMatrix& A, double b, const SquareMatrix& B, double c,
                                       const SquareMatrix& C) {
  if (!haveOnePattern(A.sparse(), B.sparse()) || !haveOnePattern(A.sparse(), C.sparse())) {
    std::vector<Triplet> entries;
    entries.reserve(entryCount(A.sparse()) + entryCount(B.sparse()) + entryCount(C.sparse()));
    addEntries(1., A, entries);
    addEntries(-b, B, entries);
    addEntries(-c, C, entries);
    sparse_ = std::make_shared<SparseMatrix>(sparseFromTriplets(A.size1(), A.size2(), std::move(entries)));
    return;
  }
  const std::shared_ptr<SparseMatrix> minuend = A.sparse_;  // which may be the own one
  const auto& values = minuend->value_data();
  const auto& first = B.sparse().value_data();
  const auto& second = C.sparse().value_data();
  if (this == &A) sparse_.reset();
  makeSparse(*minuend);
  for (std::size_t k = 0; k < minuend->nnz(); ++k) {
    sparse_->value_data()[k] = values[k] - (b * first[k] + c * second[k]);
  }
}

bool areEqual(const SparseMatrix& A, const SparseMatrix& B) {
  const auto end = A.value_data().begin() + static_cast<std::ptrdiff_t>(A.nnz());
  return haveOnePattern(A, B) && std::equal(A.value_data().begin(), end, B.value_data().begin());
}

bool areEqual(const SquareMatrix& A, const SquareMatrix& B) {
  if (A.isSparse() != B.isSparse()) return false;
  if (!A.isSparse()) {
    return A.size1() == B.size1() && A.size2() == B.size2() &&
           std::equal(A.dense().data().begin(), A.dense().data().end(), B.dense().data().begin());
  }
  return &A.sparse() == &B.sparse() || areEqual(A.sparse(), B.sparse());
}

double quadraticForm(const SquareMatrix& A, const Vector& x) {
  double sum = 0.;
  forEachEntry(A, [&](std::size_t i, std::size_t j, double entry) { sum += x(i) * entry * x(j); });
  return sum;
}

Matrix toDense(const SquareMatrix& A) {
  return A.isSparse() ? toDense(A.sparse()) : A.dense();
}

void requireSize(const SquareMatrix& A, std::size_t rows, std::size_t columns, std::string_view what) {
  if (A.isSparse()) return requireSize(A.sparse(), rows, columns, what);
  requireSize(A.dense(), rows, columns, what);
}

void requireFinite(const SquareMatrix& A, std::string_view what) {
  if (A.isSparse()) return requireFinite(A.sparse(), what);
  requireFinite(A.dense(), what);
}

bool isPositiveDefinite(const SquareMatrix& A) {
  if (A.isSparse()) return isSymmetric(A.sparse(), symmetry) && SparseCholeskyFactorization().tryFactor(A.sparse());
  thread_local CholeskyFactorization factor;  // kept for its storage only
  return isSymmetric(A.dense()) && factor.tryFactor(A.dense());
}

void requireSymmetric(const SquareMatrix& A, std::string_view what) {
  if (!A.isSparse()) return requireSymmetric(A.dense(), what);
  if (isSymmetric(A.sparse(), symmetry)) return;
  throw Error(std::string(what), "expected a symmetric matrix, but entries differ by more than 1e-12 of the largest.");
}

void requirePositiveDefinite(const SquareMatrix& A, std::string_view what) {
  if (A.isSparse()) requireSymmetric(A, what);
  if (A.isSparse()) return SparseCholeskyFactorization().factor(A.sparse(), what);
  CholeskyFactorization().factor(A.dense(), what);
}

struct SquareFactorization::Sparse {
  SparseCholeskyFactorization cholesky;
  SparseLUFactorization lu;
  bool isDefinite = false;  // of the last matrix: by Cholesky's factor
};

SquareFactorization::SquareFactorization() = default;
SquareFactorization::~SquareFactorization() = default;
SquareFactorization::SquareFactorization(SquareFactorization&&) noexcept = default;
SquareFactorization& SquareFactorization::operator=(SquareFactorization&&) noexcept = default;

bool SquareFactorization::tryFactor(const SquareMatrix& A) {
  if (A.isSparse()) return tryFactorSparse(A.sparse());
  sparse_.reset();
  return dense_.tryFactor(A.dense());
}

bool SquareFactorization::tryFactorSparse(const SparseMatrix& A) {
  if (!sparse_) sparse_ = std::make_unique<Sparse>();
  sparse_->isDefinite = isSymmetricToRounding(A) && sparse_->cholesky.tryFactor(A);
  return sparse_->isDefinite || sparse_->lu.tryFactor(A);
}

void SquareFactorization::factor(const SquareMatrix& A, std::string_view name) {
  if (!A.isSparse()) {
    sparse_.reset();
    return dense_.factor(A.dense(), name);
  }
  if (!tryFactorSparse(A.sparse())) sparse_->lu.factor(A.sparse(), name);
}

void SquareFactorization::solveSparse(double* x, std::size_t count) const {
  if (sparse_->isDefinite) return sparse_->cholesky.solve(x, count);
  for (std::size_t k = 0; k < count; ++k) sparse_->lu.solve(x + k * sparse_->lu.size());
}

}  // namespace delassus
