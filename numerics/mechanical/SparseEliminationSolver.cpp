// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/mechanical/EqualityFreeMechanicalSolver.hpp>
#include <delassus/numerics/mechanical/SparseEliminationSolver.hpp>
#include <delassus/numerics/sets/NaturalMapError.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {

SparseEliminationSolver::SparseEliminationSolver(SparseEliminationOptions options,
                                                 std::unique_ptr<MechanicalSolver> inner)
    : WithOptions("SparseEliminationSolver", options), inner_(std::move(inner)) {
  // Tighter than required, since the error of the remaining problem is relative to other data.
  if (!inner_) inner_ = std::make_unique<EqualityFreeMechanicalSolver>(std::max(0.1 * options.tolerance, 1e-13));
}

bool SparseEliminationSolver::isLaidOutAs(const ProblemOverSets& problem) const {
  if (isFree_.size() != problem.partCount() || isEquality_.size() != problem.size()) return false;
  for (std::size_t part = 0; part < isFree_.size(); ++part) {
    if ((isFree_[part] != 0) != problem.set(part).isFree()) return false;
  }
  return true;
}

void SparseEliminationSolver::layOut(const ProblemOverSets& problem) {
  isFree_.resize(problem.partCount());
  place_.resize(problem.size());
  isEquality_.resize(problem.size());
  rest_.clear();
  std::size_t equalities = 0, others = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    isFree_[part] = problem.set(part).isFree() ? 1 : 0;
    if (isFree_[part] == 0) rest_.push_back(part);
    std::size_t& next = isFree_[part] != 0 ? equalities : others;
    for (std::size_t i = 0; i < problem.rows(part); ++i) {
      const std::size_t row = problem.offset(part) + i;
      isEquality_[row] = isFree_[part];
      place_[row] = next++;
    }
  }
  free_.resize(equalities, false);
  restLambda_.resize(others, false);
}

// Parts W, and eliminates; false where W_EE is singular.
bool SparseEliminationSolver::factor(const ProblemOverSets& problem) {
  const BlockSparseMatrix& W = problem.matrix();
  std::vector<Triplet> own, acrossRows;
  assignZero(rest0_, restLambda_.size(), restLambda_.size());
  assignZero(response_, free_.size(), restLambda_.size());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const double* entry = W.block(k);
      for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
        const std::size_t column = W.offset(W.column(k)) + j;
        for (std::size_t i = W.offset(row); i < W.offset(row) + W.blockSize(row); ++i, ++entry) {
          if (*entry == 0.) continue;
          if (isEquality_[i] != 0 && isEquality_[column] != 0) own.push_back({place_[i], place_[column], *entry});
          if (isEquality_[i] == 0 && isEquality_[column] != 0)
            acrossRows.push_back({place_[i], place_[column], *entry});
          if (isEquality_[i] != 0 && isEquality_[column] == 0) response_(place_[i], place_[column]) = *entry;
          if (isEquality_[i] == 0 && isEquality_[column] == 0) rest0_(place_[i], place_[column]) = *entry;
        }
      }
    }
  }
  block_ = sparseFromTriplets(free_.size(), free_.size(), std::move(own));
  across_ = sparseFromTriplets(restLambda_.size(), free_.size(), std::move(acrossRows));
  if (!factor_.tryFactor(block_) || !(factor_.reciprocalCondition() > 1e-14)) return false;
  for (std::size_t j = 0; j < restLambda_.size(); ++j) factor_.solve(data(response_) + j * free_.size());
  reduced_.parts().clear();
  reduced_.W().clear();
  for (const std::size_t part : rest_) {
    reduced_.parts().push_back({problem.sharedSet(part), problem.rows(part)});
    reduced_.W().beginRow(problem.rows(part));
    for (std::size_t column = 0; column < rest_.size(); ++column) reduced_.W().addBlock(column);
  }
  reduced_.W().finish();
  fillRestMatrix();
  return true;
}

// W_RR − W_RE W_EE⁻¹ W_ER; entries that are rounding of their terms become 0: as a number they would be a stiffness.
void SparseEliminationSolver::fillRestMatrix() {
  const std::size_t n = restLambda_.size();
  const double rounding = 20. * static_cast<double>(isEquality_.size() + 1) * std::numeric_limits<double>::epsilon();
  SparseMatrix magnitudes = across_;
  for (double& entry : magnitudes.value_data()) entry = std::abs(entry);
  std::vector<double> sizes(n), response(free_.size());
  isFinite_ = true;
  for (std::size_t j = 0; j < n; ++j) {
    double* const column = data(rest0_) + j * n;
    const double* const of = data(response_) + j * free_.size();
    std::transform(column, column + n, sizes.begin(), [](double x) { return std::abs(x); });
    std::transform(of, of + free_.size(), response.begin(), [](double x) { return std::abs(x); });
    multiply(-1., across_, of, 1., column);
    multiply(1., magnitudes, response.data(), 1., sizes.data());
    for (std::size_t i = 0; i < n; ++i) {
      isFinite_ = isFinite_ && std::isfinite(column[i]);
      if (std::abs(column[i]) <= rounding * sizes[i]) column[i] = 0.;
    }
  }
  BlockSparseMatrix& S = reduced_.W();
  for (std::size_t row = 0; row < S.blockRows(); ++row) {
    for (std::size_t k = S.rowBegin(row); k < S.rowEnd(row); ++k) {
      double* entry = S.block(k);
      for (std::size_t j = S.offset(S.column(k)); j < S.offset(S.column(k)) + S.blockSize(S.column(k)); ++j) {
        for (std::size_t i = S.offset(row); i < S.offset(row) + S.blockSize(row); ++i, ++entry) {
          *entry = rest0_(i, j);
        }
      }
    }
  }
  S.touch();
}

void SparseEliminationSolver::fillRest(const ProblemOverSets& problem, const Vector& lambda) {
  for (Vector* const v : {&reduced_.q(), &reduced_.lower(), &reduced_.upper()}) {
    if (v->size() != restLambda_.size()) assignZero(*v, restLambda_.size());
  }
  for (std::size_t row = 0; row < problem.size(); ++row) {
    (isEquality_[row] != 0 ? free_ : reduced_.q())(place_[row]) = problem.q()(row);
  }
  factor_.solve(data(free_));
  multiply(-1., across_, free_, 1., reduced_.q());
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    const std::size_t part = rest_[k];
    reduced_.parts()[k].set = problem.sharedSet(part);
    for (std::size_t i = 0; i < problem.rows(part); ++i) {
      const std::size_t to = reduced_.offset(k) + i;
      restLambda_(to) = lambda(problem.offset(part) + i);
      if (!problem.set(part).isBox()) continue;
      reduced_.lower()(to) = problem.lowerOf(part)[i];
      reduced_.upper()(to) = problem.upperOf(part)[i];
    }
  }
}

void SparseEliminationSolver::expand(Vector& lambda) {
  assign(free_, step_);
  multiply(1., response_, restLambda_, 1., step_);
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    lambda(row) = isEquality_[row] != 0 ? -step_(place_[row]) : restLambda_(place_[row]);
  }
}

double SparseEliminationSolver::refine(const ProblemOverSets& problem, Vector& lambda) {
  double error = errorOf(problem, measure(), lambda, w_, options_.tolerance);
  for (std::size_t step = 0; step < options_.maxIterations && error > options_.tolerance; ++step) {
    step_.resize(free_.size(), false);
    for (std::size_t row = 0; row < lambda.size(); ++row) {
      if (isEquality_[row] != 0) step_(place_[row]) = w_(row);
    }
    factor_.solve(data(step_));
    assign(lambda, trial_);
    for (std::size_t row = 0; row < lambda.size(); ++row) {
      if (isEquality_[row] != 0) trial_(row) -= step_(place_[row]);
    }
    const double refined = errorOf(problem, measure(), trial_, w_, options_.tolerance);
    if (!(refined < error)) break;
    assign(trial_, lambda);
    error = refined;
  }
  return error;
}

SparseEliminationSolver::Outcome SparseEliminationSolver::compute(const ProblemOverSets& problem, Vector& lambda) {
  if (!problem.hasMatrix()) return {SolveStatus::unsupported, 0, GenericMechanicalProblem::whyNotStated};
  const std::size_t equalities = problem.freeRows();
  if (equalities == 0) return {SolveStatus::unsupported, 0, "the problem has no equality rows"};
  if (problem.size() - equalities > options_.maxRest) {
    return {SolveStatus::unsupported, 0, "more rows than maxRest are no equalities"};
  }
  if (!isLaidOutAs(problem) || stamp_ != problem.stamp()) {
    stamp_ = 0;
    layOut(problem);
    regular_ = factor(problem);
    stamp_ = problem.stamp();
    if (regular_) reduced_.W().adoptStamp(restored_.of(stamp_, reduced_.stamp()));
  }
  if (!regular_) return {SolveStatus::numericalFailure, 0, "W of the equality rows is singular"};
  fillRest(problem, lambda);
  if (!isFinite_ || !allFinite(reduced_.q())) {
    return {SolveStatus::numericalFailure, 0, "the elimination of the equalities overflows"};
  }
  inner_->setTimeLimit(remainingTime());
  const SolveReport report = inner_->solve(reduced_, restLambda_, restW_);
  expand(lambda);
  const double error = refine(problem, lambda);
  observe(report.iterations, error);
  if (error <= options_.tolerance) return {SolveStatus::converged, report.iterations, {}};
  if (report.status != SolveStatus::infeasible) return {report.status, report.iterations, report.reason};
  // This is a proof for rounded data, which may be far from the given data.
  return {SolveStatus::numericalFailure, report.iterations,
          "the rest, as the elimination of the equalities has rounded it, has no solution"};
}

void SparseEliminationSolver::serializeState(StateArchive& archive) {
  restored_.serializeState(archive, stamp_, reduced_.stamp());
  inner_->serializeState(archive);
}

}  // namespace delassus::numerics
