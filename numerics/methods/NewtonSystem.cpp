// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/NewtonSystem.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace delassus::numerics {
namespace {

// Cost of one entry of a sparse J: the products of blocks, and its part in the symbolic analysis.
constexpr double assemblyWork = 300.;
// Share of entries that are not zero from which J is factored as a dense one. At a quarter, a tower of 570 contacts
// took twenty times as long, since the rest of such a J is nearly triangular; a share between was not measured.
constexpr double nearlyFull = 0.7;

// C := A B, where A has m rows and l columns, and B n columns.
void multiply(std::size_t m, std::size_t l, std::size_t n, const double* A, const double* B, double* C) {
  std::fill_n(C, m * n, 0.);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < l; ++k) {
      const double factor = B[k + l * j];
      for (std::size_t i = 0; i < m; ++i) C[i + m * j] += A[i + m * k] * factor;
    }
  }
}

}  // namespace

void NewtonSystem::begin(const BlockSparseMatrix& W) {
  W_ = &W;
  factors_ = nullptr;
  offsets_.assign(1, 0);
  for (std::size_t part = 0; part < W.blockRows(); ++part) offsets_.push_back(offsets_.back() + W.blockSize(part));
  beginParts();
}

void NewtonSystem::begin(const ProblemOverSets& problem) {
  if (problem.factors() == nullptr) return begin(problem.matrix());
  W_ = nullptr;
  factors_ = problem.factors();
  offsets_.assign(1, 0);
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    offsets_.push_back(offsets_.back() + problem.rows(part));
  }
  beginParts();
}

void NewtonSystem::beginParts() {
  size_ = offsets_.back();
  starts_.assign(1, 0);
  std::size_t most = 0;
  for (std::size_t part = 0; part + 1 < offsets_.size(); ++part) {
    const std::size_t m = offsets_[part + 1] - offsets_[part];
    starts_.push_back(starts_.back() + m * m);
    most = std::max(most, m);
  }
  left_.resize(starts_.back());
  right_.resize(starts_.back());
  local_.assign(starts_.back(), 0.);
  leftKinds_.assign(offsets_.size() - 1, Kind::one);
  rightKinds_ = leftKinds_;
  if (product_.size() < most * most) {
    product_.resize(most * most);
    block_.resize(most * most);
  }
}

double* NewtonSystem::filled(std::size_t part, std::vector<Kind>& kinds, std::vector<double>& blocks) {
  double* const block = blocks.data() + starts_[part];
  if (std::exchange(kinds[part], Kind::full) == Kind::full) return block;
  const std::size_t m = offsets_[part + 1] - offsets_[part];
  std::fill_n(block, m * m, 0.);
  for (std::size_t i = 0; i < m; ++i) block[i * (m + 1)] = 1.;
  return block;
}

// visit(column, block of J) for the blocks of a part: those of W, and the diagonal one where W has none.
template <class Visit>
void NewtonSystem::forBlocks(std::size_t part, const Visit& visit) {
  bool hasDiagonal = false;
  for (std::size_t k = W_->rowBegin(part); k < W_->rowEnd(part); ++k) {
    hasDiagonal = hasDiagonal || W_->column(k) == part;
    visit(W_->column(k), blockOf(part, W_->block(k), W_->column(k)));
  }
  if (!hasDiagonal) visit(part, local_.data() + starts_[part]);
}

const double* NewtonSystem::blockOf(std::size_t part, const double* block, std::size_t column) {
  const std::size_t m = W_->blockSize(part), n = W_->blockSize(column);
  const double* J = block;
  if (rightKinds_[column] == Kind::full) {
    multiply(m, n, n, J, right_.data() + starts_[column], product_.data());
    J = product_.data();
  }
  const double* const L = left_.data() + starts_[part];
  if (leftKinds_[part] == Kind::full) {
    multiply(m, m, n, L, J, block_.data());
  } else if (leftKinds_[part] == Kind::one) {
    std::copy_n(J, m * n, block_.data());
  } else {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) block_[i + m * j] = L[i * (m + 1)] * J[i + m * j];
    }
  }
  if (part == column) {
    const double* const E = local_.data() + starts_[part];
    for (std::size_t k = 0; k < m * m; ++k) block_[k] += E[k];
  }
  return block_.data();
}

void NewtonSystem::fillDense() {
  const std::size_t n = size_;
  assignZero(full_, n, n);
  for (std::size_t part = 0; part < W_->blockRows(); ++part) {
    const std::size_t m = W_->blockSize(part);
    forBlocks(part, [&](std::size_t column, const double* J) {
      double* const target = data(full_) + W_->offset(part) + W_->offset(column) * n;
      for (std::size_t j = 0; j < W_->blockSize(column); ++j) {
        for (std::size_t i = 0; i < m; ++i) target[i + j * n] = J[i + m * j];
      }
    });
  }
}

bool NewtonSystem::factorDense() {
  isDense_ = true;
  const std::size_t n = size_;
  // Rows of contacts that nearly open or stick differ by many orders in an interior point method.
  rowScales_.assign(n, 0.);
  for (std::size_t j = 0; j < n; ++j) {
    const double* const column = data(full_) + n * j;
    for (std::size_t i = 0; i < n; ++i) rowScales_[i] = std::max(rowScales_[i], std::abs(column[i]));
  }
  for (double& scale : rowScales_) scale = scale > 0. ? 1. / scale : 1.;
  for (std::size_t j = 0; j < n; ++j) {
    double* const column = data(full_) + n * j;
    for (std::size_t i = 0; i < n; ++i) column[i] *= rowScales_[i];
  }
  return dense_.tryFactor(full_);
}

// The rows of a column come in ascending order, since the parts do.
void NewtonSystem::layOut() {
  const std::size_t n = size_;
  const auto forPattern = [&](const auto& visit) {
    for (std::size_t part = 0; part < W_->blockRows(); ++part) {
      for (std::size_t k = W_->rowBegin(part); k < W_->rowEnd(part); ++k) visit(part, W_->column(k));
      if (W_->diagonalBlock(part) == nullptr) visit(part, part);
    }
  };
  columns_.assign(n + 1, 0);
  forPattern([&](std::size_t part, std::size_t column) {
    for (std::size_t j = 0; j < W_->blockSize(column); ++j) columns_[W_->offset(column) + j + 1] += W_->blockSize(part);
  });
  for (std::size_t j = 0; j < n; ++j) columns_[j + 1] += columns_[j];
  next_.assign(columns_.begin(), columns_.end() - 1);
  rows_.resize(columns_[n]);
  values_.resize(columns_[n]);
  forPattern([&](std::size_t part, std::size_t column) {
    for (std::size_t j = 0; j < W_->blockSize(column); ++j) {
      std::size_t& next = next_[W_->offset(column) + j];
      for (std::size_t i = 0; i < W_->blockSize(part); ++i) rows_[next++] = W_->offset(part) + i;
    }
  });
}

// Gives the number of entries that are not zero.
std::size_t NewtonSystem::fillSparse() {
  patternFrom_.renew(W_->stamp(), [this] { layOut(); });
  next_.assign(columns_.begin(), columns_.end() - 1);
  for (std::size_t part = 0; part < W_->blockRows(); ++part) {
    const std::size_t m = W_->blockSize(part);
    forBlocks(part, [&](std::size_t column, const double* J) {
      for (std::size_t j = 0; j < W_->blockSize(column); ++j) {
        std::size_t& next = next_[W_->offset(column) + j];
        for (std::size_t i = 0; i < m; ++i) values_[next++] = J[i + m * j];
      }
    });
  }
  return values_.size() - static_cast<std::size_t>(std::count(values_.begin(), values_.end(), 0.));
}

bool NewtonSystem::factorSparse(std::size_t nonzeros) {
  isDense_ = false;
  const std::size_t n = size_;
  nonzeroColumns_.assign(1, 0);
  nonzeroRows_.clear();
  nonzeroRows_.reserve(nonzeros);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = columns_[j]; k < columns_[j + 1]; ++k) {
      if (values_[k] != 0.) nonzeroRows_.push_back(rows_[k]);
    }
    nonzeroColumns_.push_back(nonzeroRows_.size());
  }
  SparseMatrix matrix = sparseWithPattern(n, nonzeroColumns_, nonzeroRows_);
  std::copy_if(values_.begin(), values_.end(), matrix.value_data().begin(), [](double value) { return value != 0.; });
  return sparse_.tryFactor(matrix);
}

// The rows of a column of L Hᵀ, below those of M.
void NewtonSystem::addOutputs(std::size_t column) {
  const SparseMatrix& rows = factors_->transposedH;
  const std::size_t end = columnStart(rows, column + 1), above = factors_->H.size1();
  for (std::size_t k = columnStart(rows, column); k < end;) {
    const std::size_t part = partOf_[rowOf(rows, k)], first = offsets_[part], m = offsets_[part + 1] - first;
    std::fill_n(block_.data(), m, 0.);
    for (; k < end && rowOf(rows, k) < first + m; ++k) {
      const std::size_t j = rowOf(rows, k) - first;
      const double* const L = left_.data() + starts_[part] + j * m;
      if (leftKinds_[part] != Kind::full) {
        block_[j] = valueOf(rows, k) * (leftKinds_[part] == Kind::one ? 1. : L[j]);
        continue;
      }
      for (std::size_t i = 0; i < m; ++i) block_[i] += L[i] * valueOf(rows, k);
    }
    for (std::size_t i = 0; i < m; ++i) {
      if (block_[i] == 0.) continue;
      nonzeroRows_.push_back(above + first + i);
      values_.push_back(block_[i]);
    }
  }
}

// The rows of a column of −H D, in ascending order.
void NewtonSystem::addImpulses(std::size_t part, std::size_t column) {
  const SparseMatrix& H = factors_->H;
  const std::size_t m = offsets_[part + 1] - offsets_[part];
  next_.clear();
  for (std::size_t i = 0; i < m; ++i) {
    const double* const D = right_.data() + starts_[part] + column * m;
    const double weight = rightKinds_[part] == Kind::full ? D[i] : i == column ? 1. : 0.;
    if (weight == 0.) continue;
    const std::size_t from = offsets_[part] + i;
    for (std::size_t k = columnStart(H, from); k < columnStart(H, from + 1); ++k) {
      if (column_[rowOf(H, k)] == 0.) next_.push_back(rowOf(H, k));
      column_[rowOf(H, k)] -= valueOf(H, k) * weight;
    }
  }
  // A row is met twice where a sum was zero in between.
  std::sort(next_.begin(), next_.end());
  next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
  for (const std::size_t row : next_) {
    if (column_[row] != 0.) {
      nonzeroRows_.push_back(row);
      values_.push_back(column_[row]);
    }
    column_[row] = 0.;
  }
}

bool NewtonSystem::factorBordered() {
  isDense_ = false;
  const SparseMatrix& M = factors_->inverse->matrix();
  const std::size_t above = M.size1();
  partOf_.clear();
  for (std::size_t part = 0; part + 1 < offsets_.size(); ++part) partOf_.resize(offsets_[part + 1], part);
  column_.assign(above, 0.);
  nonzeroColumns_.assign(1, 0);
  nonzeroRows_.clear();
  values_.clear();
  for (std::size_t j = 0; j < above; ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      nonzeroRows_.push_back(rowOf(M, k));
      values_.push_back(valueOf(M, k));
    }
    addOutputs(j);
    nonzeroColumns_.push_back(nonzeroRows_.size());
  }
  for (std::size_t part = 0; part + 1 < offsets_.size(); ++part) {
    const std::size_t m = offsets_[part + 1] - offsets_[part];
    for (std::size_t j = 0; j < m; ++j) {
      addImpulses(part, j);
      const double* const E = local_.data() + starts_[part] + j * m;
      for (std::size_t i = 0; i < m; ++i) {
        if (E[i] == 0.) continue;
        nonzeroRows_.push_back(above + offsets_[part] + i);
        values_.push_back(E[i]);
      }
      nonzeroColumns_.push_back(nonzeroRows_.size());
    }
  }
  SparseMatrix matrix = sparseWithPattern(above + size_, nonzeroColumns_, nonzeroRows_);
  std::copy(values_.begin(), values_.end(), matrix.value_data().begin());
  patternFrom_.forget();  // values_ is shared with the other form
  bordered_.resize(above + size_);
  return sparse_.tryFactor(matrix);
}

bool NewtonSystem::factor() {
  const std::size_t n = size_;
  if (W_ == nullptr) return factorBordered();
  if (n <= denseSize_) {
    fillDense();
    return factorDense();
  }
  const std::size_t nonzeros = fillSparse();
  if (static_cast<double>(nonzeros) < nearlyFull * static_cast<double>(n * n)) return factorSparse(nonzeros);
  assignZero(full_, n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = columns_[j]; k < columns_[j + 1]; ++k) full_(rows_[k], j) = values_[k];
  }
  return factorDense();
}

double NewtonSystem::work() const {
  const auto n = static_cast<double>(size_);
  return isDense_ ? 2. / 3. * n * n * n + 10. * n * n
                  : 2. * sparse_.work() + assemblyWork * static_cast<double>(nonzeroRows_.size());
}

// J⁻¹ is a block of the inverse of the bordered matrix, so that its transpose is one of the transpose.
template <class Solve>
void NewtonSystem::solveBordered(const Solve& solve, double* x) {
  const auto middle = bordered_.end() - static_cast<std::ptrdiff_t>(size_);
  std::fill(bordered_.begin(), middle, 0.);
  std::copy_n(x, size_, middle);
  solve(bordered_.data());
  std::copy_n(middle, size_, x);
}

void NewtonSystem::solve(double* x) {
  if (W_ == nullptr) return solveBordered([this](double* y) { sparse_.solve(y); }, x);
  if (!isDense_) return sparse_.solve(x);
  for (std::size_t i = 0; i < rowScales_.size(); ++i) x[i] *= rowScales_[i];
  dense_.solve(x);
}

void NewtonSystem::solveTransposed(double* x) {
  if (W_ == nullptr) return solveBordered([this](double* y) { sparse_.solveTransposed(y); }, x);
  if (!isDense_) return sparse_.solveTransposed(x);
  dense_.solveTransposed(x);
  for (std::size_t i = 0; i < rowScales_.size(); ++i) x[i] *= rowScales_[i];
}

}  // namespace delassus::numerics
