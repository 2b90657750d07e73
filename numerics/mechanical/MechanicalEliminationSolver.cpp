// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalEliminationSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/mechanical/EqualityFreeMechanicalSolver.hpp>
#include <delassus/numerics/sets/Infeasibility.hpp>
#include <delassus/numerics/sets/NaturalMapError.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {
MechanicalEliminationSolver::MechanicalEliminationSolver(MechanicalEliminationOptions options,
                                                         std::unique_ptr<MechanicalSolver> inner)
    : WithOptions("MechanicalEliminationSolver", options), inner_(std::move(inner)), singular_(options.rankTolerance) {
  // Tighter than required, since the error of the remaining problem is relative to other data.
  if (!inner_) inner_ = std::make_unique<EqualityFreeMechanicalSolver>(std::max(0.1 * options.tolerance, 1e-13));
}

bool MechanicalEliminationSolver::isLaidOutAs(const ProblemOverSets& problem) const {
  if (layout_.size() != problem.partCount()) return false;
  for (std::size_t part = 0; part < layout_.size(); ++part) {
    const LaidOut& laidOut = layout_[part];
    if (laidOut.rows != problem.rows(part)) return false;
    if (laidOut.set != problem.sharedSet(part) && laidOut.isFree != problem.set(part).isFree()) return false;
  }
  return true;
}

void MechanicalEliminationSolver::layOut(const ProblemOverSets& problem) {
  layout_.clear();
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    layout_.push_back({problem.sharedSet(part), problem.set(part).isFree(), problem.rows(part)});
  }
  place_.resize(problem.size());
  rest_.clear();
  equalities_ = problem.freeRows();
  std::size_t nextEquality = 0;
  std::size_t nextOther = equalities_;
  for (std::size_t part = 0; part < layout_.size(); ++part) {
    const bool isEquality = layout_[part].isFree;
    if (!isEquality) rest_.push_back(part);
    std::size_t& next = isEquality ? nextEquality : nextOther;
    for (std::size_t i = 0; i < layout_[part].rows; ++i) place_[problem.offset(part) + i] = next++;
  }
  layOutRest(problem);
}

void MechanicalEliminationSolver::layOutRest(const ProblemOverSets& problem) {
  const std::size_t size = problem.size() - equalities_;
  reduced_.parts().clear();
  reduced_.W().clear();
  for (const std::size_t part : rest_) {
    reduced_.parts().push_back({problem.sharedSet(part), problem.rows(part)});
    reduced_.W().beginRow(layout_[part].rows);
    for (std::size_t column = 0; column < rest_.size(); ++column) reduced_.W().addBlock(column);
  }
  reduced_.W().finish();
  for (Vector* const v : {&reduced_.q(), &reduced_.lower(), &reduced_.upper(), &restLambda_}) {
    if (v->size() != size) v->resize(size, false);
  }
}

// A part keeps its rows together, so that the columns of blocks are copied whole.
void MechanicalEliminationSolver::assemble(const ProblemOverSets& problem) {
  const BlockSparseMatrix& W = problem.matrix();
  const std::size_t n = problem.size();
  if (dense_.size1() != n) dense_.resize(n, n, false);
  double* const dense = data(dense_);
  std::fill_n(dense, n * n, 0.);
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t m = W.blockSize(row);
    double* const target = dense + place_[W.offset(row)];
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t first = place_[W.offset(W.column(k))];
      const double* const block = W.block(k);
      for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
        for (std::size_t i = 0; i < m; ++i) target[i + (first + j) * n] = block[i + j * m];
      }
    }
  }
}

void MechanicalEliminationSolver::factor(const ProblemOverSets& problem) {
  const bool sameParts = isLaidOutAs(problem);
  if (sameParts && stamp_ == problem.stamp()) return;
  if (!sameParts) layOut(problem);
  stamp_ = problem.stamp();
  assemble(problem);
  // A mechanism that had redundant rows will have them in the next step too.
  const bool wasSingular = redundant_ && redundantLayout_ == layout_;
  elimination_ = &regular_;
  if (wasSingular || !regular_.factor(dense_, equalities_)) {
    elimination_ = &singular_;
    singular_.factor(dense_, equalities_);
  }
  redundant_ = elimination_ == &singular_ && singular_.rank() < equalities_;
  if (redundant_) redundantLayout_ = layout_;
  fillRestMatrix();
  reduced_.W().adoptStamp(restored_.of(stamp_, reduced_.stamp()));
}

// Entries that are rounding of what they are the difference of become 0: left as they are, they would be the stiffness
// of rows that the equalities determine.
void MechanicalEliminationSolver::fillRestMatrix() {
  BlockSparseMatrix& S = reduced_.W();
  const double rounding = 10. * static_cast<double>(dense_.size1()) * std::numeric_limits<double>::epsilon();
  size_.resize(S.size());
  for (std::size_t i = 0; i < size_.size(); ++i) {
    size_[i] = std::sqrt(rounding * std::abs(dense_(equalities_ + i, equalities_ + i)));
  }
  const double* const schur = elimination_->schur();
  const std::size_t stride = elimination_->schurStride();
  for (std::size_t row = 0; row < S.blockRows(); ++row) {
    const std::size_t m = S.blockSize(row);
    for (std::size_t k = S.rowBegin(row); k < S.rowEnd(row); ++k) {
      const std::size_t column = S.column(k);
      double* const block = S.block(k);
      for (std::size_t j = 0; j < S.blockSize(column); ++j) {
        const double* const from = schur + S.offset(row) + (S.offset(column) + j) * stride;
        const double* const size = size_.data() + S.offset(row);
        const double sizeJ = size_[S.offset(column) + j];
        for (std::size_t i = 0; i < m; ++i) block[i + j * m] = std::abs(from[i]) <= size[i] * sizeJ ? 0. : from[i];
      }
    }
  }
  S.touch();
}

void MechanicalEliminationSolver::fillRest(const ProblemOverSets& problem, const Vector& lambda) {
  const std::size_t n = problem.size();
  if (ordered_.size() != n) ordered_.resize(n, false);
  for (std::size_t i = 0; i < n; ++i) ordered_(place_[i]) = problem.q()(i);
  elimination_->reduce(data(ordered_), data(reduced_.q()));
  for (std::size_t part = 0; part < rest_.size(); ++part) {
    reduced_.parts()[part].set = problem.sharedSet(rest_[part]);
    const std::size_t from = problem.offset(rest_[part]);
    const std::size_t to = reduced_.offset(part);
    for (std::size_t i = 0; i < reduced_.parts()[part].rows; ++i) {
      restLambda_(to + i) = lambda(from + i);
      if (!problem.set(rest_[part]).isBox()) continue;
      reduced_.lower()(to + i) = problem.lower()(from + i);
      reduced_.upper()(to + i) = problem.upper()(from + i);
    }
  }
}

// Solves a single part in closed form, without the cost of a solver: exact except for boxes of several rows.
void MechanicalEliminationSolver::solvePart() {
  if (rest_.empty()) return;
  if (restW_.size() != restLambda_.size()) restW_.resize(restLambda_.size(), false);
  reduced_.W().multiply(data(restLambda_), data(restW_));
  for (std::size_t i = 0; i < restW_.size(); ++i) restW_(i) += reduced_.q()(i);
  local_.prepare(reduced_);
  local_.update(reduced_, 0, data(restW_), data(restLambda_));
}

void MechanicalEliminationSolver::expand(const ProblemOverSets& problem, Vector& lambda) {
  elimination_->expand(data(restLambda_), data(ordered_));
  std::copy(restLambda_.begin(), restLambda_.end(), ordered_.begin() + static_cast<std::ptrdiff_t>(equalities_));
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda(i) = ordered_(place_[i]);
  error_ = errorOf(problem, measure(), lambda, w_, options_.tolerance);
}

void MechanicalEliminationSolver::refine(const ProblemOverSets& problem, Vector& lambda) {
  for (std::size_t step = 0; step < options_.maxIterations && error_ > options_.tolerance; ++step) {
    if (step_.size() != w_.size()) step_.resize(w_.size(), false);
    for (std::size_t i = 0; i < w_.size(); ++i) step_(place_[i]) = w_(i);
    elimination_->solve(data(step_));
    assign(lambda, ordered_);
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      if (place_[i] < equalities_) lambda(i) -= step_(place_[i]);
    }
    const double before = error_;
    error_ = errorOf(problem, measure(), lambda, w_, options_.tolerance);
    if (error_ < before) continue;
    assign(ordered_, lambda);
    error_ = errorOf(problem, measure(), lambda, w_, options_.tolerance);
    return;
  }
}

// The residual in the equality rows, less the part that λ_E can change, is a direction that no λ affects.
bool MechanicalEliminationSolver::contradicts(const ProblemOverSets& problem) {
  const std::size_t n = problem.size();
  step_.resize(n, false);
  proof_.resize(n, false);
  setZero(step_);
  for (std::size_t row = 0; row < n; ++row) {
    if (place_[row] >= equalities_) continue;
    for (std::size_t i = 0; i < equalities_; ++i) step_(i) += dense_(i, place_[row]) * w_(row);
  }
  elimination_->solve(data(step_));
  double product = 0.;
  for (std::size_t row = 0; row < n; ++row) {
    proof_(row) = place_[row] < equalities_ ? w_(row) - step_(place_[row]) : 0.;
    product += proof_(row) * problem.q()(row);
  }
  if (product > 0.) {
    for (double& entry : proof_.data()) entry = -entry;
  }
  return provesInfeasible(problem, proof_);
}

MechanicalEliminationSolver::Outcome MechanicalEliminationSolver::compute(const ProblemOverSets& problem,
                                                                          Vector& lambda) {
  if (!problem.hasMatrix()) return {SolveStatus::unsupported, 0, GenericMechanicalProblem::whyNotStated};
  if (problem.size() > options_.maxSize) {
    return {SolveStatus::unsupported, 0, "the problem has more rows than are eliminated dense"};
  }
  if (!problem.hasFree()) return {SolveStatus::unsupported, 0, "the problem has no equality rows"};
  factor(problem);
  fillRest(problem, lambda);
  if (rest_.size() <= 1) {
    solvePart();
    expand(problem, lambda);
    if (error_ <= options_.tolerance) return finish(problem, {SolveStatus::converged, 1, {}});
  }
  Outcome outcome{SolveStatus::converged, 1, {}};
  if (!rest_.empty()) {
    inner_->setTimeLimit(remainingTime());
    const SolveReport report = inner_->solve(reduced_, restLambda_, restW_);
    outcome = {report.status, report.iterations, report.reason};
    expand(problem, lambda);
  }
  refine(problem, lambda);
  return finish(problem, outcome);
}

// `outcome` is that of the solver of the remaining problem.
MechanicalEliminationSolver::Outcome MechanicalEliminationSolver::finish(const ProblemOverSets& problem,
                                                                         Outcome outcome) {
  observe(outcome.iterations, error_);
  adoptCertificate(error_, w_);
  if (error_ <= options_.tolerance) return {SolveStatus::converged, outcome.iterations, {}};
  if (elimination_->rank() < equalities_) {
    if (!elimination_->keepsRange()) {
      return {SolveStatus::numericalFailure, outcome.iterations,
              "the equality rows are dependent and W is not semidefinite"};
    }
    if (contradicts(problem))
      return {SolveStatus::infeasible, outcome.iterations, "equality rows contradict each other"};
  }
  if (outcome.status != SolveStatus::infeasible) return outcome;
  // This is a proof for rounded data, which may be far from the given data.
  return {SolveStatus::numericalFailure, outcome.iterations,
          "the rest, as the elimination of the equalities has rounded it, has no solution"};
}

void MechanicalEliminationSolver::serializeState(StateArchive& archive) {
  restored_.serializeState(archive, stamp_, reduced_.stamp());
  archive.value("redundant", redundant_);
  if (!redundant_) redundantLayout_.clear();
  redundantLayout_.resize(archive.count("parts", redundantLayout_.size()));
  for (LaidOut& part : redundantLayout_) {
    archive.value("isFree", part.isFree);
    archive.value("rows", part.rows);
  }
  inner_->serializeState(archive);
}

}  // namespace delassus::numerics
