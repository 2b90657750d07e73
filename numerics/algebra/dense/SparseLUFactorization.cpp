// SPDX-License-Identifier: Apache-2.0
//
// Replaces algebra/SparseLUFactorization.cpp in a build without SuiteSparse: A as a dense matrix, by dgetrf. Its test
// of singularity is that of the sparse one, which accepts the nearly singular systems of interior point methods;
// LUFactorization would refuse some of them.
#include <lapacke.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus {

struct SparseLUFactorization::Workspace {
  bool takeValues(const SparseMatrix& A);
  double pivotRatio() const;

  Matrix factors;
  std::vector<int> pivots;
  double reciprocalCondition = 0.;
  bool usable = false;
};

// False if a value is not finite.
bool SparseLUFactorization::Workspace::takeValues(const SparseMatrix& A) {
  assignZero(factors, A.size1(), A.size2());
  double sum = 0.;
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      factors(rowOf(A, k), j) = valueOf(A, k);
      sum += 0. * valueOf(A, k);
    }
  }
  return sum == 0.;
}

// The ratio of the smallest pivot to the largest one.
double SparseLUFactorization::Workspace::pivotRatio() const {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.;
  for (std::size_t j = 0; j < factors.size1(); ++j) {
    const double pivot = std::abs(factors(j, j));
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  return largest > 0. ? smallest / largest : 0.;
}

SparseLUFactorization::SparseLUFactorization() = default;
SparseLUFactorization::~SparseLUFactorization() = default;
SparseLUFactorization::SparseLUFactorization(SparseLUFactorization&&) noexcept = default;
SparseLUFactorization& SparseLUFactorization::operator=(SparseLUFactorization&&) noexcept = default;

std::size_t SparseLUFactorization::size() const {
  return workspace_ && workspace_->usable ? workspace_->factors.size1() : 0;
}

double SparseLUFactorization::reciprocalCondition() const {
  return workspace_ ? workspace_->reciprocalCondition : 0.;
}

double SparseLUFactorization::work() const {
  const double n = workspace_ ? static_cast<double>(workspace_->factors.size1()) : 0.;
  return 2. / 3. * n * n * n;
}

bool SparseLUFactorization::tryFactor(const SparseMatrix& A) {
  if (!workspace_) workspace_ = std::make_unique<Workspace>();
  Workspace& w = *workspace_;
  w.usable = false;
  w.reciprocalCondition = 0.;
  if (A.size1() != A.size2() || !w.takeValues(A)) return false;
  const int n = static_cast<int>(A.size1());
  w.pivots.resize(A.size1());
  const int status = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, data(w.factors), std::max(n, 1), w.pivots.data());
  const double ratio = w.pivotRatio();
  if (status != 0 || !(ratio > 1e-300)) return false;
  w.reciprocalCondition = ratio;
  w.usable = true;
  return true;
}

void SparseLUFactorization::factor(const SparseMatrix& A, std::string_view name) {
  requireSize(A, A.size1(), A.size1(), name);
  requireFinite(A, name);
  if (!tryFactor(A)) throw Error(std::string(name), "the matrix is singular to working precision.");
}

// `system` is the letter by which LAPACK knows A or its transpose.
void SparseLUFactorization::solveWith(int system, double* x) {
  assert(workspace_ && workspace_->usable);
  const int n = static_cast<int>(size());
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, static_cast<char>(system), n, 1, data(workspace_->factors), std::max(n, 1),
                      workspace_->pivots.data(), x, std::max(n, 1));
}

void SparseLUFactorization::solve(double* x) {
  solveWith('N', x);
}

void SparseLUFactorization::solveTransposed(double* x) {
  solveWith('T', x);
}

void SparseLUFactorization::solve(Vector& x) {
  assert(x.size() == size());
  solve(data(x));
}

}  // namespace delassus
