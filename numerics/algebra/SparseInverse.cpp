// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SparseInverse.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/DiagonalBlocks.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus {
namespace {

constexpr int mostSteps = 10;
constexpr double roundingOfExtended = std::numeric_limits<double>::epsilon() * extendedRounding;
constexpr double mostLeft = 1e-6;  // of the solution
constexpr std::size_t largestSmallBlock = 12;

double largestOf(const std::vector<double>& x) {
  double largest = 0.;
  for (const double entry : x) {
    if (!(std::abs(entry) <= largest)) largest = std::abs(entry);  // NaN, too
  }
  return largest;
}

bool hasPositiveDiagonal(const SparseMatrix& M) {
  std::size_t positive = 0;
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      positive += rowOf(M, k) == j && valueOf(M, k) > 0. ? 1 : 0;
    }
  }
  return positive == M.size2();
}

}  // namespace

SparseInverse::SparseInverse(SparseMatrix M, std::string_view name) : M_(std::move(M)) {
  requireSize(M_, M_.size1(), M_.size1(), name);
  requireFinite(M_, name);
  if (size() == 0) return;
  isDefinite_ = hasPositiveDiagonal(M_) && isSymmetric(M_) && definite_.tryFactor(M_);
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
  answer.left.assign(n, 0.);
  step_.resize(n);
  double first = 0., before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < mostSteps; ++k) {
    residual_ = b;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t e = columnStart(M_, j); e < columnStart(M_, j + 1); ++e) {
        residual_[rowOf(M_, e)] -= valueOf(M_, e) * answer.x[j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) step_[i] = static_cast<double>(residual_[i]);
    solve(step_.data());
    const double largest = largestOf(step_);
    if (!std::isfinite(largest)) return false;
    if (k == 0) first = largest;
    for (std::size_t i = 0; i < n; ++i) {
      answer.x[i] += step_[i];
      answer.left[i] = 2. * std::abs(step_[i]);
    }
    // At the rounding of the residual corrections become no smaller.
    const bool isLast = largest > 0.5 * before || largest <= roundingOfExtended * first;
    if (isLast && k > 0) return largest <= mostLeft * first;
    before = largest;
  }
  return before <= mostLeft * first;
}

}  // namespace delassus
