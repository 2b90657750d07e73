// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/SparseEliminationSolver.hpp>

#include <utility>

namespace delassus::numerics {

bool SparseEqualities::factor(const BlockSparseMatrix& W, const std::vector<std::size_t>& place,
                              std::size_t equalities) {
  constexpr double leastCondition = 1e-14;
  const std::size_t rest = W.size() - equalities;
  std::vector<Triplet> own, across;
  resize(equalities, rest);
  for (std::size_t blockRow = 0; blockRow < W.blockRows(); ++blockRow) {
    for (std::size_t k = W.rowBegin(blockRow); k < W.rowEnd(blockRow); ++k) {
      const double* entry = W.block(k);
      for (std::size_t j = W.offset(W.column(k)); j < W.offset(W.column(k) + 1); ++j) {
        const std::size_t column = place[j];
        for (std::size_t i = W.offset(blockRow); i < W.offset(blockRow + 1); ++i, ++entry) {
          const std::size_t row = place[i];
          if (*entry == 0.) continue;
          if (column >= equalities) {
            (row < equalities ? response_(row, column - equalities) : S_(row - equalities, column - equalities)) =
                *entry;
          } else if (row < equalities) {
            own.push_back({row, column, *entry});
          } else {
            across.push_back({row - equalities, column, *entry});
          }
        }
      }
    }
  }
  across_ = sparseFromTriplets(rest, equalities, std::move(across));
  const SparseMatrix block = sparseFromTriplets(equalities, equalities, std::move(own));
  if (!factor_.tryFactor(block) || !(factor_.reciprocalCondition() > leastCondition)) return false;
  eliminate();
  return true;
}

}  // namespace delassus::numerics
