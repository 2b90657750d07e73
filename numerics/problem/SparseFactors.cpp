// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/SparseFactors.hpp>

#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

constexpr double mostEntries = 4e7;  // of a matrix that is made, some hundred megabytes

double squaresOfColumns(const SparseMatrix& A) {
  double sum = 0.;
  for (std::size_t j = 0; j < A.size2(); ++j) {
    const auto entries = static_cast<double>(columnStart(A, j + 1) - columnStart(A, j));
    sum += entries * entries;
  }
  return sum;
}

// Of W, where M consists of small blocks: the rows of W that meet at a block, squared.
double entriesOfProduct(const SparseInverse& inverse, const SparseMatrix& rows) {
  double entries = 0.;
  std::size_t begin = 0;
  std::vector<std::size_t> metAt(rows.size1(), 0);
  for (const std::size_t end : diagonalBlockEnds(inverse.matrix())) {
    double met = 0.;
    for (std::size_t k = columnStart(rows, begin); k < columnStart(rows, end); ++k) {
      if (std::exchange(metAt[rowOf(rows, k)], end) != end) ++met;
    }
    entries += met * met;
    begin = end;
  }
  return entries;
}

}  // namespace

SparseFactors::SparseFactors(std::shared_ptr<const SparseInverse> M, SparseMatrix columns)
    : inverse(std::move(M)), H(std::move(columns)), transposedH(transposed(H)), stamp(newStamp()) {
  mayPenalise = inverse->isDefinite() && squaresOfColumns(H) <= mostEntries;
  mayMultiply = H.size2() <= largestMatrix ||
                (inverse->isOfSmallBlocks() && entriesOfProduct(*inverse, transposedH) <= mostEntries);
}

}  // namespace delassus::numerics
