// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t noRow = static_cast<std::size_t>(-1);

}  // namespace

LemkeSolver::LemkeSolver(LemkeOptions options) : WithOptions("LemkeSolver", options) {
}

void LemkeSolver::startDictionary(const ProblemOverSets& problem) {
  n_ = problem.size();
  problem.matrix().toDense(T_);
  scaleM_ = normMax(T_);
  scaleQ_ = normInf(problem.q());
  if (!(scaleM_ > 0.)) scaleM_ = 1.;
  if (!(scaleQ_ > 0.)) scaleQ_ = 1.;
  // One more column, for z₀: column-major storage lets it be appended.
  T_.data().resize(n_ * (n_ + 1));
  T_.resize(n_, n_ + 1, false);
  double* const entries = data(T_);
  for (std::size_t k = 0; k < n_ * n_; ++k) entries[k] /= scaleM_;
  std::fill(entries + n_ * n_, entries + n_ * (n_ + 1), 1.);
  rhs_.resize(n_, false);
  for (std::size_t i = 0; i < n_; ++i) rhs_(i) = problem.q()(i) / scaleQ_;
  basic_.resize(n_);
  nonbasic_.resize(n_ + 1);
  position_.resize(2 * n_ + 1);
  for (std::size_t i = 0; i < n_; ++i) {
    basic_[i] = i;
    nonbasic_[i] = n_ + i;
    position_[i] = i;
    position_[n_ + i] = n_ + i;
  }
  nonbasic_[n_] = 2 * n_;
  position_[2 * n_] = 2 * n_;
  denominators_.resize(n_);
  pivotColumn_.resize(n_);
}

// Among the candidate rows keeps those of lexicographically least (rhs, B⁻¹)_i / denominator_i. In the
// dictionary the coefficient of the perturbation of q_j in row i is 1 where w_j is basic in that row, 0
// where it is basic elsewhere, and −T of its column where it is not basic.
void LemkeSolver::keepLexicographicMinimum(const double* denominators) {
  const auto keepLeast = [&](auto&& coefficient) {
    double least = 0.;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const std::size_t i = candidates_[k];
      const double ratio = coefficient(i) / denominators[i];
      least = k == 0 ? ratio : std::min(least, ratio);
    }
    const double margin = 1e-13 * std::max(1., std::abs(least));
    std::erase_if(candidates_, [&](std::size_t i) { return coefficient(i) / denominators[i] > least + margin; });
  };
  keepLeast([&](std::size_t i) { return rhs_(i); });
  for (std::size_t j = 0; j < n_ && candidates_.size() > 1; ++j) {
    const std::size_t place = position_[j];
    if (place < n_) {
      keepLeast([&](std::size_t i) { return i == place ? 1. : 0.; });
    } else {
      keepLeast([&](std::size_t i) { return -T_(i, place - n_); });
    }
  }
}

std::size_t LemkeSolver::firstRow() {
  // z₀ rises until all rows are nonnegative: the row where −q_i is lexicographically largest blocks.
  candidates_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) candidates_[i] = i;
  std::fill(denominators_.begin(), denominators_.end(), 1.);
  keepLexicographicMinimum(denominators_.data());
  return candidates_.front();
}

std::size_t LemkeSolver::leavingRow(std::size_t column) {
  double largest = 0.;
  for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(T_(i, column)));
  candidates_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    denominators_[i] = -T_(i, column);
    if (denominators_[i] > options_.pivotTolerance * largest) candidates_.push_back(i);
  }
  if (candidates_.empty()) return noRow;
  double least = rhs_(candidates_.front()) / denominators_[candidates_.front()];
  for (const std::size_t i : candidates_) least = std::min(least, rhs_(i) / denominators_[i]);
  // If z₀ may leave, it does: then the problem is solved.
  const std::size_t rowOfZ0 = position_[2 * n_];
  if (rowOfZ0 < n_ && denominators_[rowOfZ0] > options_.pivotTolerance * largest &&
      rhs_(rowOfZ0) / denominators_[rowOfZ0] <= least + 1e-13 * std::max(1., std::abs(least))) {
    return rowOfZ0;
  }
  keepLexicographicMinimum(denominators_.data());
  return candidates_.front();
}

void LemkeSolver::pivot(std::size_t row, std::size_t column) {
  double* const entries = data(T_);
  double* const pivotColumn = entries + column * n_;
  const double pivotEntry = pivotColumn[row];
  std::copy(pivotColumn, pivotColumn + n_, pivotColumn_.begin());
  pivotColumn_[row] = 0.;
  // entering = (leaving − rhs_r − Σ T_rj nonbasic_j) / T_rc
  for (std::size_t j = 0; j <= n_; ++j) {
    if (j == column) continue;
    double* const target = entries + j * n_;
    if (target[row] == 0.) continue;
    const double factor = target[row] / pivotEntry;
    for (std::size_t i = 0; i < n_; ++i) target[i] -= factor * pivotColumn_[i];
    target[row] = -factor;
  }
  const double step = rhs_(row) / pivotEntry;
  for (std::size_t i = 0; i < n_; ++i) {
    rhs_(i) -= step * pivotColumn_[i];
    pivotColumn[i] = pivotColumn_[i] / pivotEntry;
  }
  rhs_(row) = -step;
  pivotColumn[row] = 1. / pivotEntry;
  std::swap(basic_[row], nonbasic_[column]);
  position_[basic_[row]] = row;
  position_[nonbasic_[column]] = n_ + column;
}

void LemkeSolver::readSolution(Vector& z) const {
  setZero(z);
  for (std::size_t i = 0; i < n_; ++i) {
    if (basic_[i] >= n_ && basic_[i] < 2 * n_) {
      z(basic_[i] - n_) = std::max(0., rhs_(i)) * (scaleQ_ / scaleM_);
    }
  }
}

// As the entering variable of `column` rises, z changes by this.
void LemkeSolver::readRay(std::size_t column) {
  assignZero(ray_, n_);
  for (std::size_t i = 0; i < n_; ++i) {
    if (basic_[i] >= n_ && basic_[i] < 2 * n_) ray_(basic_[i] - n_) = std::max(0., T_(i, column));
  }
  const std::size_t entering = nonbasic_[column];
  if (entering >= n_ && entering < 2 * n_) ray_(entering - n_) = 1.;
}

void LemkeSolver::polish(const ProblemOverSets& problem, Vector& z) {
  candidates_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    if (position_[n_ + i] < n_) candidates_.push_back(i);
  }
  const std::size_t count = candidates_.size();
  if (count == 0) return;
  basis_.resize(count, count, false);
  basisRhs_.resize(count, false);
  for (std::size_t j = 0; j < count; ++j) {
    basisRhs_(j) = -problem.q()(candidates_[j]);
    for (std::size_t i = 0; i < count; ++i) basis_(i, j) = problem.matrix().entry(candidates_[i], candidates_[j]);
  }
  if (!basisFactor_.tryFactor(basis_)) return;
  basisFactor_.solve(basisRhs_);
  // Kept only if it is the better answer; rhs_ still holds that of the pivots.
  const double before = certifiedError(problem, z);
  for (std::size_t k = 0; k < count; ++k) z(candidates_[k]) = std::max(0., basisRhs_(k));
  if (!(certifiedError(problem, z) <= before)) readSolution(z);
}

LemkeSolver::Outcome LemkeSolver::compute(const ProblemOverSets& problem, Vector& z) {
  ray_.resize(0, false);
  if (!isComplementarity(problem)) return {SolveStatus::unsupported, 0, whyNoComplementarity};
  setZero(z);
  const Vector& q = problem.q();
  if (std::all_of(q.begin(), q.end(), [](double entry) { return entry >= 0.; })) {
    return {SolveStatus::converged, 0, {}};
  }
  startDictionary(problem);
  const std::size_t limit = options_.maxPivots > 0 ? options_.maxPivots : 1000 + 50 * n_;
  std::size_t column = n_;
  std::size_t row = firstRow();
  for (std::size_t pivots = 1; pivots <= limit; ++pivots) {
    pivot(row, column);
    const std::size_t left = nonbasic_[column];
    if (left == 2 * n_) {
      readSolution(z);
      polish(problem, z);
      return {SolveStatus::converged, pivots, {}};
    }
    column = position_[complement(left)] - n_;
    const std::size_t rowOfZ0 = position_[2 * n_];
    observe(pivots, rhs_(rowOfZ0));
    if (timeIsUp()) {
      readSolution(z);
      return {SolveStatus::timeLimit, pivots, {}};
    }
    row = leavingRow(column);
    if (row == noRow) {
      readSolution(z);
      readRay(column);
      if (provesInfeasible(problem, ray_)) {
        return {SolveStatus::infeasible, pivots, "a secondary ray that excludes a solution"};
      }
      return {SolveStatus::numericalFailure, pivots, "a secondary ray, which proves nothing here"};
    }
  }
  readSolution(z);
  return {SolveStatus::iterationLimit, limit, "the pivot limit was reached"};
}

}  // namespace delassus::numerics
