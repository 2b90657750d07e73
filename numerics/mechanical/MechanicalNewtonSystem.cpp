// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalNewtonSystem.hpp>

#include <algorithm>

namespace delassus::numerics {
namespace {

// Calls action(k, column) for the blocks of a block row, and for its diagonal if W has none there.
template <class Action>
void forBlocks(const BlockSparseMatrix& W, std::size_t row, Action action) {
  for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) action(k, W.column(k));
  if (W.diagonalBlock(row) == nullptr) action(W.rowEnd(row), row);
}

// Y = A X for an A that is diagonal.
void scaleRows(std::size_t m, std::size_t columns, const double* A, const double* X, double* Y) {
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < m; ++i) Y[i + m * j] = A[i * (m + 1)] * X[i + m * j];
  }
}

// Y = A X for a small square A.
void multiplyBlock(std::size_t m, std::size_t columns, const double* A, const double* X, double* Y) {
  std::fill_n(Y, m * columns, 0.);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t k = 0; k < m; ++k) {
      const double factor = X[k + m * j];
      for (std::size_t i = 0; i < m; ++i) Y[i + m * j] += A[i + m * k] * factor;
    }
  }
}

}  // namespace

const double* MechanicalNewtonSystem::blockOf(const ProblemOverSets& problem, const MechanicalNaturalMap& map,
                                              double epsilon, std::size_t part, std::size_t k) {
  const BlockSparseMatrix& W = problem.matrix();
  const std::size_t m = W.blockSize(part);
  const bool isStored = k < W.rowEnd(part);
  const std::size_t column = isStored ? W.column(k) : part;
  const std::size_t columns = W.blockSize(column);
  if (block_.size() < m * columns) block_.resize(m * columns);
  double* const J = block_.data();
  const double* const A = map.byVelocity(part);
  const bool couplesRows = problem.set(part).couplesRows();
  if (!isStored) {
    std::fill_n(J, m * m, 0.);
  } else if (couplesRows) {
    multiplyBlock(m, columns, A, W.block(k), J);
  } else {
    scaleRows(m, columns, A, W.block(k), J);
  }
  if (column != part) return J;
  const double* const B = map.byReaction(part);
  const std::size_t first = problem.offset(part);
  for (std::size_t j = 0; j < m; ++j) {
    const double c = map.scales().c[first + j];
    const double shift = epsilon * map.scales().d[first + j] / (c * c);
    for (std::size_t i = 0; i < m; ++i) J[i + m * j] += B[i + m * j] + shift * A[i + m * j];
  }
  return J;
}

void MechanicalNewtonSystem::fillDense(const ProblemOverSets& problem, const MechanicalNaturalMap& map,
                                       double epsilon) {
  const BlockSparseMatrix& W = problem.matrix();
  const std::size_t n = problem.size();
  if (matrix_.size1() != n) matrix_.resize(n, n, false);
  std::fill_n(data(matrix_), n * n, 0.);
  for (std::size_t part = 0; part < W.blockRows(); ++part) {
    const std::size_t m = W.blockSize(part);
    forBlocks(W, part, [&](std::size_t k, std::size_t column) {
      const double* const J = blockOf(problem, map, epsilon, part, k);
      double* const target = data(matrix_) + W.offset(part) + W.offset(column) * n;
      for (std::size_t j = 0; j < W.blockSize(column); ++j) {
        for (std::size_t i = 0; i < m; ++i) target[i + j * n] = J[i + m * j];
      }
    });
  }
}

// The rows of a column come in ascending order, since the parts do.
void MechanicalNewtonSystem::layOut(const ProblemOverSets& problem) {
  const BlockSparseMatrix& W = problem.matrix();
  const std::size_t n = problem.size();
  starts_.assign(n + 1, 0);
  for (std::size_t part = 0; part < W.blockRows(); ++part) {
    forBlocks(W, part, [&](std::size_t, std::size_t column) {
      for (std::size_t j = 0; j < W.blockSize(column); ++j) starts_[W.offset(column) + j + 1] += W.blockSize(part);
    });
  }
  for (std::size_t j = 0; j < n; ++j) starts_[j + 1] += starts_[j];
  next_.assign(starts_.begin(), starts_.end() - 1);
  rows_.resize(starts_[n]);
  for (std::size_t part = 0; part < W.blockRows(); ++part) {
    forBlocks(W, part, [&](std::size_t, std::size_t column) {
      for (std::size_t j = 0; j < W.blockSize(column); ++j) {
        std::size_t& next = next_[W.offset(column) + j];
        for (std::size_t i = 0; i < W.blockSize(part); ++i) rows_[next++] = W.offset(part) + i;
      }
    });
  }
  sparseMatrix_ = sparseWithPattern(n, starts_, rows_);
}

void MechanicalNewtonSystem::fillSparse(const ProblemOverSets& problem, const MechanicalNaturalMap& map,
                                        double epsilon) {
  const BlockSparseMatrix& W = problem.matrix();
  patternFrom_.renew(problem.stamp(), [&] { layOut(problem); });
  next_.assign(starts_.begin(), starts_.end() - 1);
  double* const values = sparseMatrix_.value_data().data();
  for (std::size_t part = 0; part < W.blockRows(); ++part) {
    const std::size_t m = W.blockSize(part);
    forBlocks(W, part, [&](std::size_t k, std::size_t column) {
      const double* const J = blockOf(problem, map, epsilon, part, k);
      for (std::size_t j = 0; j < W.blockSize(column); ++j) {
        std::size_t& next = next_[W.offset(column) + j];
        for (std::size_t i = 0; i < m; ++i) values[next++] = J[i + m * j];
      }
    });
  }
}

bool MechanicalNewtonSystem::factor(const ProblemOverSets& problem, const MechanicalNaturalMap& map, double epsilon) {
  const std::size_t n = problem.size();
  isDense_ = n <= denseSize_ || 4 * problem.matrix().storedEntries() > n * n;
  if (isDense_) {
    fillDense(problem, map, epsilon);
    return dense_.tryFactor(matrix_);
  }
  fillSparse(problem, map, epsilon);
  return sparse_.tryFactor(sparseMatrix_);
}

void MechanicalNewtonSystem::solve(Vector& x) {
  isDense_ ? dense_.solve(x) : sparse_.solve(x);
}

}  // namespace delassus::numerics
