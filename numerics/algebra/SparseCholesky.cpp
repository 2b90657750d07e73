// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SparseCholesky.hpp>

#include <suitesparse/cholmod.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

struct SparseCholesky::Workspace {
  Workspace() {
    cholmod_start(&common);
    common.print = 0;
    // L Lᵀ, since L D Lᵀ would let negative pivots pass. "Not positive definite" is an answer here, not an error.
    common.final_ll = 1;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.quick_return_if_not_posdef = 1;
  }
  ~Workspace() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  void assemble(const BlockSparseMatrix& A, const std::vector<char>& selected);
  cholmod_sparse view();

  cholmod_common common{};
  cholmod_factor* factor = nullptr;
  // Lower triangle in compressed columns; the matrix being symmetric, column j is read from row j.
  std::vector<int> starts, rows, analysedStarts, analysedRows;
  std::vector<double> values;
  std::vector<double> diagonal;  // of the matrix that is factored
  std::vector<double> permuted;
};

void SparseCholesky::Workspace::assemble(const BlockSparseMatrix& A, const std::vector<char>& selected) {
  starts.assign(1, 0);
  rows.clear();
  values.clear();
  diagonal.resize(A.size());
  A.diagonal(diagonal.data());
  // The rows outside S get a diagonal of the size of the others, so that the pivots stay comparable.
  double typical = 0.;
  for (const double entry : diagonal) typical = std::max(typical, std::abs(entry));
  if (!(typical > 0.)) typical = 1.;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    if (selected[i] == 0) diagonal[i] = typical;
  }
  for (std::size_t blockRow = 0; blockRow < A.blockRows(); ++blockRow) {
    const std::size_t m = A.blockSize(blockRow);
    bool hasDiagonal = false;
    for (std::size_t k = A.rowBegin(blockRow); k < A.rowEnd(blockRow); ++k) {
      hasDiagonal = hasDiagonal || A.column(k) == blockRow;
    }
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t row = A.offset(blockRow) + i;
      // CHOLMOD takes the first entry of a column as its diagonal, so it must be stored.
      if (!hasDiagonal) {
        rows.push_back(static_cast<int>(row));
        values.push_back(selected[row] != 0 ? 0. : typical);
      }
      for (std::size_t k = A.rowBegin(blockRow); k < A.rowEnd(blockRow); ++k) {
        const std::size_t first = A.offset(A.column(k));
        for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) {
          const std::size_t column = first + j;
          if (column < row) continue;
          const bool kept = selected[row] != 0 && selected[column] != 0;
          rows.push_back(static_cast<int>(column));
          values.push_back(kept ? A.block(k)[i + j * m] : (row == column ? typical : 0.));
        }
      }
      starts.push_back(static_cast<int>(rows.size()));
    }
  }
}

cholmod_sparse SparseCholesky::Workspace::view() {
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

SparseCholesky::SparseCholesky() = default;
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

bool SparseCholesky::tryFactor(const BlockSparseMatrix& A, const std::vector<char>& selected) {
  assert(selected.size() == A.size());
  if (!workspace_) workspace_ = std::make_unique<Workspace>();
  Workspace& w = *workspace_;
  w.assemble(A, selected);
  cholmod_sparse matrix = w.view();
  if (w.factor == nullptr || w.starts != w.analysedStarts || w.rows != w.analysedRows) {
    cholmod_free_factor(&w.factor, &w.common);
    w.factor = cholmod_analyze(&matrix, &w.common);
    if (w.factor == nullptr) throw Error("SparseCholesky", "the symbolic analysis failed.");
    w.analysedStarts = w.starts;
    w.analysedRows = w.rows;
  }
  cholmod_factorize(&matrix, w.factor, &w.common);
  if (w.common.status != CHOLMOD_OK || w.factor->minor < w.factor->n) return false;
  // The same test as for dense matrices: a pivot against the diagonal entry that it came from.
  const double threshold = static_cast<double>(A.size()) * std::numeric_limits<double>::epsilon();
  const int* const start = static_cast<const int*>(w.factor->p);
  const int* const permutation = static_cast<const int*>(w.factor->Perm);
  const double* const L = static_cast<const double*>(w.factor->x);
  for (std::size_t j = 0; j < A.size(); ++j) {
    const double pivot = L[start[j]];
    if (!(pivot * pivot > threshold * w.diagonal[static_cast<std::size_t>(permutation[j])])) return false;
  }
  return true;
}

// On the arrays of the factor, since cholmod_solve2 allocates in every call.
void SparseCholesky::solve(Vector& x) {
  assert(workspace_ && workspace_->factor != nullptr && x.size() == workspace_->factor->n);
  Workspace& w = *workspace_;
  const std::size_t n = x.size();
  const int* const start = static_cast<const int*>(w.factor->p);
  const int* const count = static_cast<const int*>(w.factor->nz);
  const int* const row = static_cast<const int*>(w.factor->i);
  const int* const permutation = static_cast<const int*>(w.factor->Perm);
  const double* const L = static_cast<const double*>(w.factor->x);
  w.permuted.resize(n);
  double* const y = w.permuted.data();
  for (std::size_t j = 0; j < n; ++j) y[j] = x(static_cast<std::size_t>(permutation[j]));
  for (std::size_t j = 0; j < n; ++j) {
    y[j] /= L[start[j]];
    for (int k = start[j] + 1; k < start[j] + count[j]; ++k) y[row[k]] -= L[k] * y[j];
  }
  for (std::size_t j = n; j-- > 0;) {
    for (int k = start[j] + 1; k < start[j] + count[j]; ++k) y[j] -= L[k] * y[row[k]];
    y[j] /= L[start[j]];
  }
  for (std::size_t j = 0; j < n; ++j) x(static_cast<std::size_t>(permutation[j])) = y[j];
}

}  // namespace delassus
