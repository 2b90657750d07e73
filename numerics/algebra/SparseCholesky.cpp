// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SparseCholesky.hpp>

#include <suitesparse/cholmod.h>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace delassus {
namespace {

// METIS, which CHOLMOD may take for the order, draws from the random numbers of the process: one at a time, so that
// orders do not depend on what other threads do.
cholmod_factor* analyse(cholmod_sparse& matrix, cholmod_common& common) {
  static std::mutex mutex;
  const std::lock_guard alone(mutex);
  return cholmod_analyze(&matrix, &common);
}

}  // namespace

struct SparseCholeskyFactorization::Workspace {
  Workspace() {
    cholmod_start(&common);
    common.print = 0;
    // L Lᵀ, since L D Lᵀ would let negative pivots pass. "Not positive definite" is an answer here, not an error.
    common.final_ll = 1;
    common.quick_return_if_not_posdef = 1;
  }
  ~Workspace() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  bool takeValues(const SparseMatrix& A);
  cholmod_sparse view();
  bool pivotsAreLarge() const;
  bool isLarge(double pivot, int column) const;
  void invertPivots();
  void solveSimplicial(double* y) const;
  void solveSupernodal(double* y, std::size_t count);

  cholmod_common common{};
  cholmod_factor* factor = nullptr;
  bool usable = false;
  std::vector<int> starts, rows;
  std::vector<double> values, diagonal, permuted, update;
  std::vector<double> inversePivots;  // of a simplicial factor: a solve has no division that the next one waits for
};

bool SparseCholeskyFactorization::Workspace::takeValues(const SparseMatrix& A) {
  values.resize(entryCount(A));
  diagonal.assign(A.size2(), 0.);
  double sum = 0.;
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      values[k] = valueOf(A, k);
      sum += 0. * values[k];
      if (rowOf(A, k) == j) diagonal[j] = values[k];
    }
  }
  return sum == 0.;
}

cholmod_sparse SparseCholeskyFactorization::Workspace::view() {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = starts.size() - 1;
  matrix.nzmax = rows.size();
  matrix.p = starts.data();
  matrix.i = rows.data();
  matrix.x = values.data();
  matrix.stype = -1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = 1;
  matrix.packed = 1;
  return matrix;
}

bool SparseCholeskyFactorization::Workspace::isLarge(double pivot, int column) const {
  const double threshold = static_cast<double>(diagonal.size()) * std::numeric_limits<double>::epsilon();
  const auto original = static_cast<std::size_t>(static_cast<const int*>(factor->Perm)[column]);
  return pivot * pivot > threshold * diagonal[original];
}

bool SparseCholeskyFactorization::Workspace::pivotsAreLarge() const {
  const double* const L = static_cast<const double*>(factor->x);
  if (factor->is_super == 0) {
    const int* const start = static_cast<const int*>(factor->p);
    for (int j = 0; j < static_cast<int>(factor->n); ++j) {
      if (!isLarge(L[start[j]], j)) return false;
    }
    return true;
  }
  const int* const super = static_cast<const int*>(factor->super);
  const int* const rowStart = static_cast<const int*>(factor->pi);
  const int* const valueStart = static_cast<const int*>(factor->px);
  for (std::size_t s = 0; s < factor->nsuper; ++s) {
    const int height = rowStart[s + 1] - rowStart[s];
    for (int j = 0; j < super[s + 1] - super[s]; ++j) {
      if (!isLarge(L[valueStart[s] + j * (height + 1)], super[s] + j)) return false;
    }
  }
  return true;
}

SparseCholeskyFactorization::SparseCholeskyFactorization() = default;
SparseCholeskyFactorization::~SparseCholeskyFactorization() = default;
SparseCholeskyFactorization::SparseCholeskyFactorization(SparseCholeskyFactorization&&) noexcept = default;
SparseCholeskyFactorization& SparseCholeskyFactorization::operator=(SparseCholeskyFactorization&&) noexcept = default;

std::size_t SparseCholeskyFactorization::size() const {
  return workspace_ && workspace_->factor != nullptr ? workspace_->factor->n : 0;
}

std::size_t SparseCholeskyFactorization::entries() const {
  return workspace_ ? static_cast<std::size_t>(workspace_->common.lnz) : 0;
}

bool SparseCholeskyFactorization::tryFactor(const SparseMatrix& A) {
  if (!workspace_) workspace_ = std::make_unique<Workspace>();
  Workspace& w = *workspace_;
  w.usable = false;
  if (A.size1() != A.size2()) return false;
  const bool analysed = copyPattern(A, w.starts, w.rows) && w.factor != nullptr;
  cholmod_sparse matrix = w.view();
  if (!analysed) {
    cholmod_free_factor(&w.factor, &w.common);
    w.values.resize(w.rows.size());
    matrix.x = w.values.data();
    w.factor = analyse(matrix, w.common);
    if (w.factor == nullptr) throw Error("SparseCholeskyFactorization", "the symbolic analysis failed.");
  }
  if (!w.takeValues(A)) return false;
  matrix.x = w.values.data();
  cholmod_factorize(&matrix, w.factor, &w.common);
  if (w.common.status != CHOLMOD_OK || w.factor->minor < w.factor->n) return false;
  w.usable = w.pivotsAreLarge();
  if (w.usable) w.invertPivots();
  return w.usable;
}

void SparseCholeskyFactorization::factor(const SparseMatrix& A, std::string_view name) {
  requireSize(A, A.size1(), A.size1(), name);
  requireFinite(A, name);
  if (!isSymmetric(A)) {
    throw Error(std::string(name), "expected a symmetric matrix, but entries differ by more than 1e-8 of the largest.");
  }
  if (!tryFactor(A)) throw Error(std::string(name), "the matrix is not positive definite to working precision.");
}

void SparseCholeskyFactorization::Workspace::invertPivots() {
  if (factor->is_super != 0) return;
  const int* const start = static_cast<const int*>(factor->p);
  const double* const L = static_cast<const double*>(factor->x);
  inversePivots.resize(factor->n);
  for (std::size_t j = 0; j < factor->n; ++j) inversePivots[j] = 1. / L[start[j]];
}

// On the arrays of the factor, since cholmod_solve2 allocates in every call.
void SparseCholeskyFactorization::Workspace::solveSimplicial(double* y) const {
  const std::size_t n = factor->n;
  const int* const start = static_cast<const int*>(factor->p);
  const int* const count = static_cast<const int*>(factor->nz);
  const int* const row = static_cast<const int*>(factor->i);
  const double* const L = static_cast<const double*>(factor->x);
  for (std::size_t j = 0; j < n; ++j) {
    const double known = y[j] *= inversePivots[j];
    for (int k = start[j] + 1; k < start[j] + count[j]; ++k) y[row[k]] -= L[k] * known;
  }
  for (std::size_t j = n; j-- > 0;) {
    double left = y[j];
    for (int k = start[j] + 1; k < start[j] + count[j]; ++k) left -= L[k] * y[row[k]];
    y[j] = left * inversePivots[j];
  }
}

void SparseCholeskyFactorization::Workspace::solveSupernodal(double* y, std::size_t columns) {
  update.resize(factor->maxesize * columns);
  cholmod_dense right{};
  right.nrow = right.d = factor->n;
  right.ncol = columns;
  right.nzmax = right.nrow * columns;
  right.x = y;
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  cholmod_dense space = right;
  space.nrow = space.d = factor->maxesize;
  space.nzmax = update.size();
  space.x = update.data();
  cholmod_super_lsolve(factor, &right, &space, &common);
  cholmod_super_ltsolve(factor, &right, &space, &common);
}

void SparseCholeskyFactorization::solve(double* x, std::size_t columns) {
  assert(workspace_ && workspace_->usable);
  Workspace& w = *workspace_;
  const std::size_t n = w.factor->n;
  const int* const permutation = static_cast<const int*>(w.factor->Perm);
  w.permuted.resize(n * columns);
  double* const y = w.permuted.data();
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t j = 0; j < n; ++j) y[j + k * n] = x[static_cast<std::size_t>(permutation[j]) + k * n];
    if (w.factor->is_super == 0) w.solveSimplicial(y + k * n);
  }
  if (w.factor->is_super != 0) w.solveSupernodal(y, columns);
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t j = 0; j < n; ++j) x[static_cast<std::size_t>(permutation[j]) + k * n] = y[j + k * n];
  }
}

void SparseCholeskyFactorization::solve(Vector& x) {
  assert(x.size() == size());
  solve(data(x));
}

}  // namespace delassus
