// SPDX-License-Identifier: Apache-2.0
//
// Replaces algebra/SparseCholesky.cpp in a build without SuiteSparse: A as a dense matrix.
#include <cassert>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <string>

namespace delassus {

struct SparseCholeskyFactorization::Workspace {
  Matrix full;
  CholeskyFactorization factor;
};

SparseCholeskyFactorization::SparseCholeskyFactorization() = default;
SparseCholeskyFactorization::~SparseCholeskyFactorization() = default;
SparseCholeskyFactorization::SparseCholeskyFactorization(SparseCholeskyFactorization&&) noexcept = default;
SparseCholeskyFactorization& SparseCholeskyFactorization::operator=(SparseCholeskyFactorization&&) noexcept = default;

std::size_t SparseCholeskyFactorization::size() const {
  return workspace_ ? workspace_->factor.size() : 0;
}

std::size_t SparseCholeskyFactorization::entries() const {
  return size() * (size() + 1) / 2;
}

bool SparseCholeskyFactorization::tryFactor(const SparseMatrix& A) {
  if (!workspace_) workspace_ = std::make_unique<Workspace>();
  if (A.size1() != A.size2()) return false;
  Matrix& full = workspace_->full;
  assignZero(full, A.size1(), A.size2());
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      const std::size_t i = rowOf(A, k);
      if (i >= j) full(i, j) = full(j, i) = valueOf(A, k);
    }
  }
  return workspace_->factor.tryFactor(full);
}

void SparseCholeskyFactorization::factor(const SparseMatrix& A, std::string_view name) {
  requireSize(A, A.size1(), A.size1(), name);
  requireFinite(A, name);
  if (!isSymmetric(A)) {
    throw Error(std::string(name), "expected a symmetric matrix, but entries differ by more than 1e-8 of the largest.");
  }
  if (!tryFactor(A)) throw Error(std::string(name), "the matrix is not positive definite to working precision.");
}

void SparseCholeskyFactorization::solve(double* x, std::size_t columns) {
  assert(workspace_);
  for (std::size_t k = 0; k < columns; ++k) workspace_->factor.solve(x + k * size());
}

void SparseCholeskyFactorization::solve(Vector& x) {
  assert(x.size() == size());
  solve(data(x));
}

}  // namespace delassus
