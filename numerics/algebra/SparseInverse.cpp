// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SparseInverse.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus {
namespace {

constexpr int mostSteps = 10;
constexpr double roundingOfExtended = std::numeric_limits<double>::epsilon() * extendedRounding;
// The last correction of a solution may be so many times what the rounding of its residual explains.
constexpr double explained = 100.;
constexpr double asymmetry = 1e-8;  // of an entry, relative to the root of its diagonal entries
constexpr std::size_t largestSmallBlock = 12;

// Infinite or not a number where an entry is.
double largestOf(const std::vector<double>& x) {
  double largest = 0.;
  for (const double entry : x) {
    if (!(std::abs(entry) <= largest)) largest = std::abs(entry);
  }
  return largest;
}

std::vector<double> diagonalOf(const SparseMatrix& M) {
  std::vector<double> diagonal(M.size2(), 0.);
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      if (rowOf(M, k) == j) diagonal[j] = valueOf(M, k);
    }
  }
  return diagonal;
}

bool areAllPositive(const std::vector<double>& entries) {
  return std::all_of(entries.begin(), entries.end(), [](double entry) { return entry > 0.; });
}

// Each entry counts beside its own diagonal entries, since a light body may stand beside a heavy one, which
// isSymmetric() of a matrix alone would judge by the heavy one.
bool isNearlySymmetric(const SparseMatrix& M, const std::vector<double>& diagonal) {
  const SparseMatrix other = transposed(M);
  std::vector<double> column(M.size1(), 0.);
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) column[rowOf(M, k)] = valueOf(M, k);
    for (std::size_t k = columnStart(other, j); k < columnStart(other, j + 1); ++k) {
      column[rowOf(other, k)] -= valueOf(other, k);
    }
    for (const SparseMatrix* const each : {&M, &other}) {
      for (std::size_t k = columnStart(*each, j); k < columnStart(*each, j + 1); ++k) {
        const std::size_t i = rowOf(*each, k);
        if (std::abs(column[i]) > asymmetry * std::sqrt(diagonal[i]) * std::sqrt(diagonal[j])) return false;
      }
    }
    for (const SparseMatrix* const each : {&M, &other}) {
      for (std::size_t k = columnStart(*each, j); k < columnStart(*each, j + 1); ++k) column[rowOf(*each, k)] = 0.;
    }
  }
  return true;
}

}  // namespace

SparseInverse::SparseInverse(SparseMatrix M, std::string_view name) : M_(std::move(M)) {
  requireSize(M_, M_.size1(), M_.size1(), name);
  requireFinite(M_, name);
  if (size() == 0) return;
  diagonal_ = diagonalOf(M_);
  isSymmetric_ = areAllPositive(diagonal_) && isNearlySymmetric(M_, diagonal_);
  isDefinite_ = isSymmetric_ && definite_.tryFactor(M_);
  if (!isDefinite_) general_.factor(M_, name);
  isOfSmallBlocks_ = isDefinite_ && largestDiagonalBlock(M_) <= largestSmallBlock;
}

void SparseInverse::solve(double* x) const {
  if (size() == 0) return;
  isDefinite_ ? definite_.solve(x) : general_.solve(x);
}

bool SparseInverse::refine(const std::vector<long double>& b, Refined& answer) const {
  const std::size_t n = size();
  answer.x.assign(n, 0.L);
  step_.resize(n);
  double first = 0., before = std::numeric_limits<double>::infinity(), largest = 0.;
  for (int k = 0; k < mostSteps; ++k) {
    residual_ = b;
    addExtended(-1., M_, answer.x.data(), residual_.data());
    for (std::size_t i = 0; i < n; ++i) step_[i] = static_cast<double>(residual_[i]);
    solve(step_.data());
    largest = largestOf(step_);
    if (!std::isfinite(largest)) return false;
    if (k == 0) first = largest;
    for (std::size_t i = 0; i < n; ++i) answer.x[i] += step_[i];
    if (k > 0 && (largest > 0.5 * before || largest <= roundingOfExtended * first)) break;
    before = largest;
  }
  answer.left.assign(step_.begin(), step_.end());
  amplifyRoundingOfResidual(b, answer.x);
  if (largest > explained * largestOf(step_)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const auto ofAnswer = roundingOfExtended * static_cast<double>(std::abs(answer.x[i]));
    answer.left[i] = 2. * std::abs(answer.left[i]) + step_[i] + ofAnswer;
  }
  return true;
}

// Sets step to what the rounding of the residual in extended precision may make of the solution.
void SparseInverse::amplifyRoundingOfResidual(const std::vector<long double>& b,
                                              const std::vector<long double>& x) const {
  for (std::size_t i = 0; i < size(); ++i) step_[i] = roundingOfExtended * static_cast<double>(std::abs(b[i]));
  for (std::size_t j = 0; j < size(); ++j) {
    const double entry = roundingOfExtended * static_cast<double>(std::abs(x[j]));
    for (std::size_t e = columnStart(M_, j); e < columnStart(M_, j + 1); ++e) {
      step_[rowOf(M_, e)] += std::abs(valueOf(M_, e)) * entry;
    }
  }
  amplify(step_);
}

void SparseInverse::amplify(std::vector<double>& e) const {
  mixed_ = e;
  for (std::size_t i = 0; i < e.size(); ++i) {
    // Bits of a multiple of i that no pattern of M follows.
    if (((i * 2654435761U) >> 16U) % 2 == 1) mixed_[i] = -mixed_[i];
  }
  solve(e.data());
  solve(mixed_.data());
  for (std::size_t i = 0; i < e.size(); ++i) e[i] = 2. * (std::abs(e[i]) + std::abs(mixed_[i]));
}

}  // namespace delassus
