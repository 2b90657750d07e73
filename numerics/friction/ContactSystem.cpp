// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ContactSystem.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>

namespace delassus::numerics {
namespace {

// Below this size the dense factor is faster, measured.
constexpr std::size_t denseSize = 48;
// Cost of one entry: two products of blocks, and its part in the symbolic analysis.
constexpr double assemblyWork = 300.;

// C := A B, all d x d and column-major.
void multiplyBlocks(std::size_t d, const double* A, const double* B, double* C) {
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) {
      double sum = 0.;
      for (std::size_t l = 0; l < d; ++l) sum += A[i + d * l] * B[l + d * j];
      C[i + d * j] = sum;
    }
  }
}

}  // namespace

void ContactSystem::begin(std::size_t dimension, std::size_t contacts) {
  dimension_ = dimension;
  const std::size_t entries = dimension * dimension;
  left_.assign(contacts * entries, 0.);
  local_.assign(contacts * entries, 0.);
  for (std::size_t contact = 0; contact < contacts; ++contact) {
    for (std::size_t i = 0; i < dimension; ++i) left(contact)[i * (dimension + 1)] = 1.;
  }
  right_ = left_;
}

void ContactSystem::findTransposes(const BlockSparseMatrix& W) {
  const std::size_t lone = findMirrors(W, transposes_);
  if (lone < W.blockCount()) {
    std::size_t row = 0;
    while (W.rowEnd(row) <= lone) ++row;
    throw Error("ContactSystem", "expected a W with a symmetric pattern, but the block (" +
                                     std::to_string(W.column(lone)) + ", " + std::to_string(row) + ") is missing.");
  }
}

void ContactSystem::blockOf(const BlockSparseMatrix& W, std::size_t row, std::size_t column, std::size_t block,
                            double* J) const {
  const std::size_t d = dimension_;
  const std::size_t entries = d * d;
  std::array<double, 9> product{};
  multiplyBlocks(d, W.block(block), right_.data() + column * entries, product.data());
  multiplyBlocks(d, left_.data() + row * entries, product.data(), J);
  if (row != column) return;
  for (std::size_t i = 0; i < entries; ++i) J[i] += local_[row * entries + i];
}

bool ContactSystem::factor(const BlockSparseMatrix& W) {
  transposesFrom_.renew(W.stamp(), [&] { findTransposes(W); });
  isDense_ = W.size() <= denseSize;
  return isDense_ ? factorDense(W) : factorSparse(W);
}

bool ContactSystem::factorDense(const BlockSparseMatrix& W) {
  const std::size_t d = dimension_;
  std::array<double, 9> J{};
  assignZero(full_, W.size(), W.size());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      blockOf(W, row, W.column(k), k, J.data());
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < d; ++i) full_(d * row + i, d * W.column(k) + j) = J[i + d * j];
      }
    }
  }
  // Rows of contacts that nearly open or stick differ by many orders in an interior point method.
  rowScales_.assign(W.size(), 0.);
  for (std::size_t j = 0; j < W.size(); ++j) {
    for (std::size_t i = 0; i < W.size(); ++i) rowScales_[i] = std::max(rowScales_[i], std::abs(full_(i, j)));
  }
  for (double& scale : rowScales_) scale = scale > 0. ? 1. / scale : 1.;
  for (std::size_t j = 0; j < W.size(); ++j) {
    for (std::size_t i = 0; i < W.size(); ++i) full_(i, j) *= rowScales_[i];
  }
  return dense_.tryFactor(full_);
}

bool ContactSystem::factorSparse(const BlockSparseMatrix& W) {
  const std::size_t d = dimension_;
  const std::size_t entries = d * d;
  starts_.assign(1, 0);
  rows_.clear();
  values_.clear();
  for (std::size_t column = 0; column < W.blockRows(); ++column) {
    const std::size_t first = W.rowBegin(column);
    const std::size_t count = W.rowEnd(column) - first;
    strip_.resize(count * entries);
    for (std::size_t k = 0; k < count; ++k) {
      blockOf(W, W.column(first + k), column, transposes_[first + k], strip_.data() + k * entries);
    }
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < d; ++i) {
          const double value = strip_[k * entries + i + d * j];
          if (value == 0.) continue;
          rows_.push_back(d * W.column(first + k) + i);
          values_.push_back(value);
        }
      }
      starts_.push_back(rows_.size());
    }
  }
  SparseMatrix matrix = sparseWithPattern(W.size(), starts_, rows_);
  std::copy(values_.begin(), values_.end(), matrix.value_data().begin());
  return sparse_.tryFactor(matrix);
}

double ContactSystem::work() const {
  const auto n = static_cast<double>(full_.size1());
  return isDense_ ? 2. / 3. * n * n * n + 10. * n * n
                  : 2. * sparse_.work() + assemblyWork * static_cast<double>(values_.size());
}

void ContactSystem::solve(double* x) {
  if (isDense_) {
    for (std::size_t i = 0; i < rowScales_.size(); ++i) x[i] *= rowScales_[i];
    dense_.solve(x);
  } else {
    sparse_.solve(x);
  }
}

}  // namespace delassus::numerics
