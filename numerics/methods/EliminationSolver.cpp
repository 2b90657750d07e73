// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/EliminationSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double tightest = 1e-13;  // tolerance of the rest
constexpr std::string_view overflows = "the elimination of the equalities overflows";

}  // namespace

template <class Equalities>
EliminationSolver<Equalities>::EliminationSolver(typename Equalities::Options options,
                                                 std::unique_ptr<SolverOverSets> inner)
    : EliminationSolver::WithOptions(Equalities::name, options),
      inner_(std::move(inner)),
      isOwn_(!inner_),
      equalities_(options) {
  if (isOwn_) inner_ = automaticWithoutEqualities(options.tolerance);
}

template <class Equalities>
bool EliminationSolver<Equalities>::isLaidOutAs(const ProblemOverSets& problem) const {
  if (layout_.size() != problem.partCount()) return false;
  std::size_t row = 0;
  for (std::size_t part = 0; part < layout_.size(); ++part) {
    const Part& laidOut = layout_[part];
    if (laidOut.rows != problem.rows(part)) return false;
    const std::size_t end = row + laidOut.rows;
    // Bounds may have changed.
    const bool isSame = laidOut.set == problem.sharedSet(part) && !laidOut.set->isBox();
    for (; !isSame && row < end; ++row) {
      if ((place_[row] < equalityRows_) != problem.isFreeRow(part, row)) return false;
    }
    row = end;
  }
  return true;
}

template <class Equalities>
void EliminationSolver<Equalities>::layOut(const ProblemOverSets& problem) {
  layout_.clear();
  rest_.clear();
  restRows_.clear();
  reduced_.parts().clear();
  place_.resize(problem.size());
  equalityRows_ = problem.freeRows();
  std::size_t nextEquality = 0, row = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    layout_.push_back({problem.sharedSet(part), problem.rows(part)});
    const std::size_t before = restRows_.size();
    for (const std::size_t end = row + problem.rows(part); row < end; ++row) {
      const bool isEquality = problem.isFreeRow(part, row);
      place_[row] = isEquality ? nextEquality++ : equalityRows_ + restRows_.size();
      if (!isEquality) restRows_.push_back(row);
    }
    if (restRows_.size() == before) continue;
    rest_.push_back(part);
    reduced_.parts().push_back({problem.sharedSet(part), restRows_.size() - before});
  }
  reduced_.W().clear();
  for (const Part& part : reduced_.parts()) {
    reduced_.W().beginRow(part.rows);
    for (std::size_t column = 0; column < rest_.size(); ++column) reduced_.W().addBlock(column);
  }
  reduced_.W().finish();
  for (Vector* const v : {&reduced_.q(), &reduced_.lower(), &reduced_.upper(), &restLambda_}) {
    if (v->size() != reduced_.W().size()) v->resize(reduced_.W().size(), false);
  }
}

// Gives why it cannot be done, or nothing.
template <class Equalities>
std::string_view EliminationSolver<Equalities>::factor(const ProblemOverSets& problem) {
  const bool sameParts = isLaidOutAs(problem);
  if (sameParts && reducedFrom_.isCurrent(problem.stamp())) return failure_;
  reducedFrom_.forget();
  if (!sameParts) layOut(problem);
  const bool isRegular = equalities_.factor(problem.matrix(), place_, equalityRows_);
  failure_ = !isRegular ? "W of the equality rows is singular" : fillRestMatrix() ? "" : overflows;
  const std::uint64_t stamp = reducedFrom_.take(problem.stamp(), reduced_.stamp());
  if (failure_.empty()) reduced_.W().adoptStamp(stamp);
  return failure_;
}

// False if an entry is not finite.
template <class Equalities>
bool EliminationSolver<Equalities>::fillRestMatrix() {
  BlockSparseMatrix& S = reduced_.W();
  const double* const schur = equalities_.elimination().schur();
  const std::size_t stride = equalities_.elimination().schurStride();
  double sum = 0.;  // of 0·x, which is NaN once an x is not finite
  for (std::size_t row = 0; row < S.blockRows(); ++row) {
    const std::size_t m = S.blockSize(row);
    for (std::size_t k = S.rowBegin(row); k < S.rowEnd(row); ++k) {
      double* const block = S.block(k);
      for (std::size_t j = 0; j < S.blockSize(S.column(k)); ++j) {
        const double* const from = schur + S.offset(row) + (S.offset(S.column(k)) + j) * stride;
        for (std::size_t i = 0; i < m; ++i) {
          block[i + j * m] = from[i];
          sum += 0. * from[i];
        }
      }
    }
  }
  S.touch();
  return sum == 0.;
}

template <class Equalities>
void EliminationSolver<Equalities>::fillRest(const ProblemOverSets& problem, const Vector& lambda) {
  const std::size_t n = problem.size();
  if (ordered_.size() != n) ordered_.resize(n, false);
  for (std::size_t i = 0; i < n; ++i) ordered_(place_[i]) = problem.q()(i);
  equalities_.elimination().reduce(data(ordered_), data(reduced_.q()));
  for (std::size_t part = 0; part < rest_.size(); ++part) {
    reduced_.parts()[part].set = problem.sharedSet(rest_[part]);
  }
  const bool hasBounds = problem.lower().size() > 0;
  for (std::size_t k = 0; k < restRows_.size(); ++k) {
    restLambda_(k) = lambda(restRows_[k]);
    if (!hasBounds) continue;
    reduced_.lower()(k) = problem.lower()(restRows_[k]);
    reduced_.upper()(k) = problem.upper()(restRows_[k]);
  }
}

// Solves a single part in closed form, without the cost of a solver: exact except for boxes of several rows.
template <class Equalities>
void EliminationSolver<Equalities>::solvePart() {
  if (rest_.empty()) return;
  if (restW_.size() != restLambda_.size()) restW_.resize(restLambda_.size(), false);
  reduced_.W().multiply(data(restLambda_), data(restW_));
  for (std::size_t i = 0; i < restW_.size(); ++i) restW_(i) += reduced_.q()(i);
  local_.prepare(reduced_);
  local_.update(reduced_, 0, data(restW_), data(restLambda_));
}

template <class Equalities>
void EliminationSolver<Equalities>::expand(const ProblemOverSets& problem, Vector& lambda) {
  equalities_.elimination().expand(data(restLambda_), data(ordered_));
  std::copy(restLambda_.begin(), restLambda_.end(), ordered_.begin() + equalityRows_);
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda(i) = ordered_(place_[i]);
  error_ = errorOf(problem, this->measure(), lambda, w_, this->tolerance());
}

template <class Equalities>
void EliminationSolver<Equalities>::refine(const ProblemOverSets& problem, Vector& lambda) {
  const double tolerance = this->tolerance();
  for (std::size_t step = 0; step < this->options_.maxIterations && error_ > tolerance; ++step) {
    if (step_.size() != w_.size()) step_.resize(w_.size(), false);
    for (std::size_t i = 0; i < w_.size(); ++i) step_(place_[i]) = w_(i);
    equalities_.elimination().solve(data(step_));
    assign(lambda, ordered_);
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      if (place_[i] < equalityRows_) lambda(i) -= step_(place_[i]);
    }
    const double before = error_;
    error_ = errorOf(problem, this->measure(), lambda, w_, tolerance);
    if (error_ < before) continue;
    assign(ordered_, lambda);
    error_ = errorOf(problem, this->measure(), lambda, w_, tolerance);
    return;
  }
}

// The residual in the equality rows, less the part that λ_E can change, is a direction that no λ affects if W is
// symmetric; provesInfeasible looks whether it is one.
template <class Equalities>
bool EliminationSolver<Equalities>::contradicts(const ProblemOverSets& problem) {
  const std::size_t n = problem.size();
  for (Vector* const v : {&ordered_, &step_, &proof_}) v->resize(n, false);
  for (std::size_t row = 0; row < n; ++row) proof_(row) = place_[row] < equalityRows_ ? w_(row) : 0.;
  problem.multiply(data(proof_), data(ordered_));
  for (std::size_t row = 0; row < n; ++row) step_(place_[row]) = ordered_(row);
  equalities_.elimination().solve(data(step_));
  double product = 0.;
  for (std::size_t row = 0; row < n; ++row) {
    if (place_[row] < equalityRows_) proof_(row) -= step_(place_[row]);
    product += proof_(row) * problem.q()(row);
  }
  if (product > 0.) {
    for (double& entry : proof_.data()) entry = -entry;
  }
  return provesInfeasible(problem, proof_);
}

// Without equality rows the problem itself remains.
template <class Equalities>
typename EliminationSolver<Equalities>::Outcome EliminationSolver<Equalities>::passOn(const ProblemOverSets& problem,
                                                                                      Vector& lambda) {
  inner_->setMeasure(this->measure());
  inner_->setLeniency(this->leniency());
  inner_->setTimeLimit(this->remainingTime());
  const SolveReport report = inner_->solve(problem, lambda, w_);
  this->observe(report.iterations, report.error);
  return {report.status, report.iterations, report.reason};
}

template <class Equalities>
typename EliminationSolver<Equalities>::Outcome EliminationSolver<Equalities>::compute(const ProblemOverSets& problem,
                                                                                       Vector& lambda) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, ProblemOverSets::whyNoMatrix};
  const std::size_t equalityRows = problem.freeRows();
  if (equalityRows == 0) return passOn(problem, lambda);
  const std::string_view refusal = equalities_.refusal(equalityRows, problem.size() - equalityRows);
  if (!refusal.empty()) return {SolveStatus::unsupported, 0, refusal};
  const std::string_view failure = factor(problem);
  if (!failure.empty()) return {SolveStatus::numericalFailure, 0, failure};
  // Rows that are dropped as redundant would not be met, so that the rest need not be solved.
  if (isRankDeficient() && !equalities_.elimination().keepsRange()) {
    return {SolveStatus::numericalFailure, 0,
            "the equality rows are dependent, and columns of the other rows are not in their range"};
  }
  fillRest(problem, lambda);
  if (!allFinite(reduced_.q())) return {SolveStatus::numericalFailure, 0, overflows};
  if (rest_.size() <= 1) {
    solvePart();
    expand(problem, lambda);
    if (error_ <= this->tolerance()) return finish(problem, {SolveStatus::converged, 1, {}});
  }
  Outcome outcome{SolveStatus::converged, 1, {}};
  if (rest_.empty()) {
    refine(problem, lambda);
    return finish(problem, outcome);
  }
  outcome = solveRest(problem, *inner_, lambda);
  const bool isNear = outcome.status == SolveStatus::converged && error_ > this->tolerance();
  if (isNear && isOwn_ && this->tolerance() > tightest) sharpen(problem, outcome, lambda);
  return finish(problem, outcome);
}

// The error of the rest is relative to other data than that of the problem.
template <class Equalities>
void EliminationSolver<Equalities>::sharpen(const ProblemOverSets& problem, Outcome& outcome, Vector& lambda) {
  const double before = error_;
  assign(lambda, before_);
  const Outcome sharper = solveRest(problem, makeTighter(), lambda);
  if (error_ < before) {
    outcome = {sharper.status, outcome.iterations + sharper.iterations, sharper.reason};
    return;
  }
  outcome.iterations += sharper.iterations;
  assign(before_, lambda);
  error_ = errorOf(problem, this->measure(), lambda, w_, this->tolerance());
}

template <class Equalities>
SolverOverSets& EliminationSolver<Equalities>::makeTighter() {
  if (!tighter_) tighter_ = automaticWithoutEqualities(std::max(0.1 * this->tolerance(), tightest));
  return *tighter_;
}

template <class Equalities>
typename EliminationSolver<Equalities>::Outcome EliminationSolver<Equalities>::solveRest(const ProblemOverSets& problem,
                                                                                         SolverOverSets& solver,
                                                                                         Vector& lambda) {
  solver.setMeasure(ErrorMeasure::scaled);
  solver.setLeniency(this->leniency());
  solver.setTimeLimit(this->remainingTime());
  const SolveReport report = solver.solve(reduced_, restLambda_, restW_);
  expand(problem, lambda);
  refine(problem, lambda);
  return {report.status, report.iterations, report.reason};
}

// `outcome` is that of the solver of the remaining problem.
template <class Equalities>
typename EliminationSolver<Equalities>::Outcome EliminationSolver<Equalities>::finish(const ProblemOverSets& problem,
                                                                                      Outcome outcome) {
  this->observe(outcome.iterations, error_);
  this->adoptCertificate(error_, w_);
  if (error_ <= this->tolerance()) return {SolveStatus::converged, outcome.iterations, {}};
  if (isRankDeficient() && contradicts(problem)) {
    return {SolveStatus::infeasible, outcome.iterations, "equality rows contradict each other"};
  }
  if (outcome.status != SolveStatus::infeasible) return outcome;
  // This is a proof for rounded data, which may be far from the given data.
  return {SolveStatus::numericalFailure, outcome.iterations,
          "the rest, as the elimination of the equalities has rounded it, has no solution"};
}

template <class Equalities>
void EliminationSolver<Equalities>::serializeState(StateArchive& archive) {
  reducedFrom_.serializeState(archive, reduced_.stamp());
  equalities_.serializeState(archive);
  inner_->serializeState(archive);
  bool isTighter = static_cast<bool>(tighter_);
  archive.value("tighter", isTighter);
  if (archive.restores()) tighter_.reset();
  if (isTighter) makeTighter().serializeState(archive);
}

template class EliminationSolver<DenseEqualities>;
template class EliminationSolver<SparseEqualities>;

bool DenseEqualities::factor(const BlockSparseMatrix& W, const std::vector<std::size_t>& place,
                             std::size_t equalities) {
  const std::size_t n = W.size();
  if (dense_.size1() != n) dense_.resize(n, n, false);
  double* const dense = data(dense_);
  std::fill_n(dense, n * n, 0.);
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t m = W.blockSize(row);
    const std::size_t* const places = place.data() + W.offset(row);
    // Rows of most parts stay together, so that columns of blocks are copied whole.
    std::size_t together = 1;
    while (together < m && places[together] == places[0] + together) ++together;
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t first = W.offset(W.column(k));
      const double* const block = W.block(k);
      for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
        double* const column = dense + place[first + j] * n;
        std::copy_n(block + j * m, together, column + places[0]);
        for (std::size_t i = together; i < m; ++i) column[places[i]] = block[i + j * m];
      }
    }
  }
  // A mechanism that had redundant rows will have them in the next step too.
  const bool wasRedundant = redundant_ == equalities && redundantSize_ == n;
  isRegular_ = !wasRedundant && regular_.factor(dense_, equalities);
  if (!isRegular_) singular_.factor(dense_, equalities);
  redundant_ = elimination().rank() < equalities ? equalities : 0;
  redundantSize_ = n;
  return true;
}

void DenseEqualities::serializeState(StateArchive& archive) {
  archive.value("redundant", redundant_);
  archive.value("redundantSize", redundantSize_);
}

bool SparseEqualities::factor(const BlockSparseMatrix& W, const std::vector<std::size_t>& place,
                              std::size_t equalities) {
  constexpr double leastCondition = 1e-14;
  const std::size_t rest = W.size() - equalities;
  std::vector<Triplet> own, across;
  resize(equalities, rest);
  for (std::size_t blockRow = 0; blockRow < W.blockRows(); ++blockRow) {
    for (std::size_t k = W.rowBegin(blockRow); k < W.rowEnd(blockRow); ++k) {
      const double* entry = W.block(k);
      for (std::size_t j = W.offset(W.column(k)); j < W.offset(W.column(k) + 1); ++j) {
        const std::size_t column = place[j];
        for (std::size_t i = W.offset(blockRow); i < W.offset(blockRow + 1); ++i, ++entry) {
          const std::size_t row = place[i];
          if (*entry == 0.) continue;
          if (column >= equalities) {
            (row < equalities ? response_(row, column - equalities) : S_(row - equalities, column - equalities)) =
                *entry;
          } else if (row < equalities) {
            own.push_back({row, column, *entry});
          } else {
            across.push_back({row - equalities, column, *entry});
          }
        }
      }
    }
  }
  across_ = sparseFromTriplets(rest, equalities, std::move(across));
  const SparseMatrix block = sparseFromTriplets(equalities, equalities, std::move(own));
  if (!factor_.tryFactor(block) || !(factor_.reciprocalCondition() > leastCondition)) return false;
  eliminate();
  return true;
}

}  // namespace delassus::numerics
