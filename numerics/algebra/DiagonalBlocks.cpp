// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/DiagonalBlocks.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>

namespace delassus {

std::vector<std::size_t> diagonalBlockEnds(const SparseMatrix& M) {
  std::vector<std::size_t> ends;
  std::size_t reach = 0;
  for (std::size_t j = 0; j < M.size2(); ++j) {
    reach = std::max(reach, j);
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      reach = std::max(reach, rowOf(M, k));
      // An entry that only the upper triangle has joins the blocks before to this one.
      while (!ends.empty() && rowOf(M, k) < ends.back()) ends.pop_back();
    }
    if (reach == j) ends.push_back(j + 1);
  }
  return ends;
}

std::size_t largestDiagonalBlock(const SparseMatrix& M) {
  std::size_t largest = 0;
  std::size_t begin = 0;
  for (const std::size_t end : diagonalBlockEnds(M)) {
    largest = std::max(largest, end - begin);
    begin = end;
  }
  return largest;
}

bool invertDiagonalBlocks(const SparseMatrix& M, std::vector<Matrix>& inverses) {
  inverses.clear();
  CholeskyFactorization factor;
  Matrix block;
  std::size_t begin = 0;
  for (const std::size_t end : diagonalBlockEnds(M)) {
    const std::size_t n = end - begin;
    assignZero(block, n, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = columnStart(M, begin + j); k < columnStart(M, begin + j + 1); ++k) {
        block(rowOf(M, k) - begin, j) = valueOf(M, k);
      }
    }
    if (!factor.tryFactor(block)) return false;
    inverses.push_back(identityMatrix(n));
    for (std::size_t j = 0; j < n; ++j) factor.solve(data(inverses.back()) + n * j);
    // Symmetric to the last bit, as it is in exact arithmetic.
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) inverses.back()(i, j) = inverses.back()(j, i);
    }
    begin = end;
  }
  return true;
}

}  // namespace delassus
