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
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t m = W.blockSize(row);
    const std::size_t* const places = place.data() + W.offset(row);
    // Rows of most parts stay together, so that columns of blocks are copied whole.
    std::size_t together = 1;
    while (together < m && places[together] == places[0] + together) ++together;
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t first = W.offset(W.column(k));
      const double* const block = W.block(k);
      for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
        double* const column = dense + place[first + j] * n;
        std::copy_n(block + j * m, together, column + places[0]);
        for (std::size_t i = together; i < m; ++i) column[places[i]] = block[i + j * m];
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
