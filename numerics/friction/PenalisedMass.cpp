// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/PenalisedMass.hpp>

#include <algorithm>

namespace delassus::numerics {

void PenalisedMass::analyse(const GlobalFrictionContactProblem& problem) {
  const SparseMatrix& M = problem.M();
  const SparseMatrix& H = problem.H();
  transposedH_ = transposed(H);
  column_.assign(M.size1(), 0.);
  std::vector<Triplet> entries;
  std::vector<std::size_t> rows;
  std::vector<std::size_t> seenIn(M.size1(), M.size1());
  for (std::size_t j = 0; j < M.size2(); ++j) {
    const auto add = [&](std::size_t row) {
      if (row < j || seenIn[row] == j) return;
      seenIn[row] = j;
      entries.push_back({row, j, 0.});
    };
    add(j);
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) add(rowOf(M, k));
    for (std::size_t k = columnStart(transposedH_, j); k < columnStart(transposedH_, j + 1); ++k) {
      const std::size_t column = rowOf(transposedH_, k);
      for (std::size_t l = columnStart(H, column); l < columnStart(H, column + 1); ++l) add(rowOf(H, l));
    }
  }
  lower_ = sparseFromTriplets(M.size1(), M.size2(), std::move(entries));
  factorFrom_.forget();
}

bool PenalisedMass::factor(const GlobalFrictionContactProblem& problem, const std::vector<double>& penalties) {
  patternFrom_.renew(problem.stamp(), [&] { analyse(problem); });
  if (factorFrom_.isCurrent(problem.stamp(), penalties)) return true;
  factorFrom_.forget();
  const SparseMatrix& M = problem.M();
  const SparseMatrix& H = problem.H();
  const std::size_t d = problem.dimension();
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) column_[rowOf(M, k)] += valueOf(M, k);
    for (std::size_t k = columnStart(transposedH_, j); k < columnStart(transposedH_, j + 1); ++k) {
      const std::size_t column = rowOf(transposedH_, k);
      const double weight = penalties[column / d] * valueOf(transposedH_, k);
      for (std::size_t l = columnStart(H, column); l < columnStart(H, column + 1); ++l)
        column_[rowOf(H, l)] += weight * valueOf(H, l);
    }
    for (std::size_t k = columnStart(lower_, j); k < columnStart(lower_, j + 1); ++k)
      lower_.value_data()[k] = column_[rowOf(lower_, k)];
    // The whole column again, since entries above the diagonal were added too.
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) column_[rowOf(M, k)] = 0.;
    for (std::size_t k = columnStart(transposedH_, j); k < columnStart(transposedH_, j + 1); ++k) {
      const std::size_t column = rowOf(transposedH_, k);
      for (std::size_t l = columnStart(H, column); l < columnStart(H, column + 1); ++l) column_[rowOf(H, l)] = 0.;
    }
  }
  if (!factor_.tryFactor(lower_)) return false;
  factorFrom_.take(problem.stamp(), penalties);
  return true;
}

}  // namespace delassus::numerics
