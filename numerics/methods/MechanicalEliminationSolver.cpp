// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/MechanicalEliminationSolver.hpp>

#include <algorithm>

namespace delassus::numerics {

bool DenseEqualities::factor(const BlockSparseMatrix& W, const std::vector<std::size_t>& place,
                             std::size_t equalities) {
  const std::size_t n = W.size();
  if (dense_.size1() != n) dense_.resize(n, n, false);
  double* const dense = data(dense_);
  std::fill_n(dense, n * n, 0.);
  // A part keeps its rows together, so that the columns of blocks are copied whole.
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t m = W.blockSize(row);
    double* const target = dense + place[W.offset(row)];
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t first = place[W.offset(W.column(k))];
      const double* const block = W.block(k);
      for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
        for (std::size_t i = 0; i < m; ++i) target[i + (first + j) * n] = block[i + j * m];
      }
    }
  }
  // A mechanism that had redundant rows will have them in the next step too.
  const bool wasRedundant = redundant_ == equalities && redundantSize_ == n;
  isRegular_ = !wasRedundant && regular_.factor(dense_, equalities);
  if (!isRegular_) singular_.factor(dense_, equalities);
  redundant_ = elimination().rank() < equalities ? equalities : 0;
  redundantSize_ = n;
  return true;
}

void DenseEqualities::serializeState(StateArchive& archive) {
  archive.value("redundant", redundant_);
  archive.value("redundantSize", redundantSize_);
}

}  // namespace delassus::numerics
