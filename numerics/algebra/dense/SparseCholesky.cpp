// SPDX-License-Identifier: Apache-2.0
//
// Replaces algebra/SparseCholesky.cpp in a build without SuiteSparse: the selected rows as a dense matrix.
#include <cassert>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>

namespace delassus {

struct SparseCholesky::Workspace {
  Matrix full, kept;
  std::vector<std::size_t> rows;  // of S
  CholeskyFactorization factor;
  std::vector<double> part;
};

SparseCholesky::SparseCholesky() = default;
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

bool SparseCholesky::tryFactor(const BlockSparseMatrix& A, const std::vector<char>& selected) {
  assert(selected.size() == A.size());
  if (!workspace_) workspace_ = std::make_unique<Workspace>();
  Workspace& w = *workspace_;
  w.rows.clear();
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i] != 0) w.rows.push_back(i);
  }
  A.toDense(w.full);
  w.kept.resize(w.rows.size(), w.rows.size(), false);
  for (std::size_t j = 0; j < w.rows.size(); ++j) {
    for (std::size_t i = 0; i < w.rows.size(); ++i) w.kept(i, j) = w.full(w.rows[i], w.rows[j]);
  }
  return w.factor.tryFactor(w.kept);
}

void SparseCholesky::solve(Vector& x) {
  assert(workspace_ && workspace_->factor.size() == workspace_->rows.size());
  Workspace& w = *workspace_;
  w.part.resize(w.rows.size());
  for (std::size_t i = 0; i < w.rows.size(); ++i) w.part[i] = x(w.rows[i]);
  w.factor.solve(w.part.data());
  for (std::size_t i = 0; i < w.rows.size(); ++i) x(w.rows[i]) = w.part[i];
}

}  // namespace delassus
