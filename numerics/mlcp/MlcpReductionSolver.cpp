// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <delassus/numerics/lcp/LinearInfeasibility.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

// Tighter than required, since the error of the LCP is relative to other data; enumeration stays affordable.
std::unique_ptr<LcpSolver> automaticFor(double tolerance) {
  AutomaticLcpOptions options;
  options.tolerance = std::clamp(0.1 * tolerance, 1e-12, 1e-8);
  options.enumerateSize = 12;
  return std::make_unique<AutomaticLcpSolver>(options);
}

}  // namespace

MlcpReductionSolver::MlcpReductionSolver(MlcpReductionOptions options, std::unique_ptr<LcpSolver> inner)
    : WithOptions("MlcpReductionSolver", options), inner_(std::move(inner)) {
  if (!inner_) inner_ = automaticFor(options.tolerance);
}

// The unknowns of the LCP are the z of the kept pairs, then the w of the swapped ones.
bool MlcpReductionSolver::prepare(const MixedLinearComplementarityProblem& problem) {
  if (lcpFrom_.isCurrent(problem.stamp())) return possible_;
  lcpFrom_.forget();
  possible_ = factor(problem);
  const std::uint64_t stamp = lcpFrom_.take(problem.stamp(), lcp_.stamp());
  if (possible_) lcp_.M().adoptStamp(stamp);
  return possible_;
}

bool MlcpReductionSolver::factor(const MixedLinearComplementarityProblem& problem) {
  const BoxView view = box_.view(problem);
  if (!elimination_.find(view)) return false;
  const auto& rows = elimination_.rows();
  const auto& columns = elimination_.columns();
  block_.resize(rows.size(), columns.size(), false);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) block_(i, j) = view.M(rows[i], columns[j]);
  }
  if (!factor_.tryFactor(block_)) return false;
  fillLcpMatrix(view);
  return true;
}

void MlcpReductionSolver::fillLcpMatrix(const BoxView& view) {
  const auto& rows = elimination_.rows();
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  const auto& swapped = elimination_.swapped();
  const std::size_t size = kept.size() + swapped.size();
  assignZero(response_, rows.size(), size);
  for (std::size_t p = 0; p < kept.size(); ++p) {
    for (std::size_t i = 0; i < rows.size(); ++i) response_(i, p) = -view.M(rows[i], view.pairColumns[kept[p]]);
  }
  swappedPosition_.resize(swapped.size());
  for (std::size_t p = 0; p < swapped.size(); ++p) {
    const auto row = std::find(rows.begin(), rows.end(), view.pairRows[swapped[p]]);
    response_(static_cast<std::size_t>(row - rows.begin()), kept.size() + p) = 1.;
    const auto column = std::find(columns.begin(), columns.end(), view.pairColumns[swapped[p]]);
    swappedPosition_[p] = static_cast<std::size_t>(column - columns.begin());
  }
  if (!rows.empty()) factor_.solve(response_);

  BlockSparseMatrix& S = lcp_.M();
  S.clear();
  S.beginRow(size);
  S.addBlock(0);
  S.finish();
  double* const entries = S.block(0);
  fillSums(view);
  for (std::size_t p = 0; p < size; ++p) {
    std::copy_n(data(sums_) + p * kept.size(), kept.size(), entries + p * size);
    for (std::size_t i = 0; i < swapped.size(); ++i) {
      entries[p * size + kept.size() + i] = response_(swappedPosition_[i], p);
    }
  }
  S.touch();
  if (lcp_.q().size() != size) lcp_.q().resize(size, false);
}

// sums_ := M_KK + M_KX G in the rows of the kept pairs.
void MlcpReductionSolver::fillSums(const BoxView& view) {
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  assignZero(sums_, kept.size(), response_.size2());
  assignZero(rowBlock_, kept.size(), columns.size());
  const auto take = [&](std::size_t column, double* to) {
    for (const std::size_t pair : kept) *to++ = view.M(view.pairRows[pair], column);
  };
  for (std::size_t p = 0; p < kept.size(); ++p) take(view.pairColumns[kept[p]], data(sums_) + p * kept.size());
  for (std::size_t x = 0; x < columns.size(); ++x) take(columns[x], data(rowBlock_) + x * kept.size());
  product_.add(1., rowBlock_, response_, sums_);
}

void MlcpReductionSolver::fillLcpVector(const BoxView& view) {
  const auto& rows = elimination_.rows();
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  if (constant_.size() != rows.size()) constant_.resize(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) constant_(i) = -view.q(rows[i]);
  if (!rows.empty()) factor_.solve(constant_);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    double sum = view.q(view.pairRows[kept[i]]);
    double magnitude = std::abs(sum);
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const double term = view.M(view.pairRows[kept[i]], columns[x]) * constant_(x);
      sum += term;
      magnitude += std::abs(term);
    }
    lcp_.q()(i) = std::abs(sum) <= roundingOfSums(columns.size()) * magnitude ? 0. : sum;
  }
  for (std::size_t i = 0; i < swappedPosition_.size(); ++i) lcp_.q()(kept.size() + i) = constant_(swappedPosition_[i]);
}

void MlcpReductionSolver::start(const BoxView& view, const Vector& z) {
  const auto& kept = elimination_.kept();
  assignZero(lcpZ_, lcp_.q().size());
  for (std::size_t i = 0; i < kept.size(); ++i) lcpZ_(i) = std::max(0., z(view.pairColumns[kept[i]]));
}

void MlcpReductionSolver::expand(const BoxView& view, Vector& z) {
  const auto& columns = elimination_.columns();
  const auto& kept = elimination_.kept();
  setZero(z);
  for (std::size_t i = 0; i < kept.size(); ++i) z(view.pairColumns[kept[i]]) = lcpZ_(i);
  if (columns.empty()) return;
  multiply(1., response_, lcpZ_, 1., constant_);
  for (std::size_t x = 0; x < columns.size(); ++x) z(columns[x]) = constant_(x);
  view.enterBox(z);
}

double MlcpReductionSolver::polish(const MixedLinearComplementarityProblem& problem, const BoxView& view, Vector& z) {
  const double error = certifiedError(problem, z);
  if (error <= options_.tolerance) return error;
  basis_.guess(view, z);
  if (!basis_.solve(view, polished_)) return error;
  view.enterBox(polished_);
  const double polishedError = certifiedError(problem, polished_);
  if (!(polishedError < error)) return error;
  assign(polished_, z);
  return polishedError;
}

// The conditions of the equality rows alone.
bool MlcpReductionSolver::equalitiesContradict(const BoxView& view) const {
  if (elimination_.redundant().empty()) return false;
  LinearConditions conditions(view.M, view.q);
  for (const std::size_t row : view.equalityRows) conditions.require(row, LinearConditions::Sign::zero);
  return conditions.areContradictory([this] { return timeIsUp(); });
}

// What the LCP has is not proved of the problem: its data are rounded, and a resolved pair was a choice; another choice
// might have given a solution.
MlcpReductionSolver::Outcome MlcpReductionSolver::unsolved(const MixedLinearComplementarityProblem& problem,
                                                           const SolveReport& report) {
  if (equalitiesContradict(box_.view(problem))) {
    return {SolveStatus::infeasible, report.iterations, "equality rows contradict each other"};
  }
  if (report.status != SolveStatus::infeasible) return {report.status, report.iterations, report.reason};
  if (provesUnsolvable(box_.view(problem), [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, report.iterations, report.reason};
  }
  return {SolveStatus::numericalFailure, report.iterations,
          "the LCP after elimination has no solution, which is not proved of the problem"};
}

MlcpReductionSolver::Outcome MlcpReductionSolver::compute(const MixedLinearComplementarityProblem& problem, Vector& z) {
  if (!prepare(problem)) {
    return {SolveStatus::unsupported, 0, "the equality rows do not determine the free unknowns"};
  }
  const BoxView view = box_.view(problem);
  fillLcpVector(view);
  start(view, z);
  inner_->setTimeLimit(remainingTime());
  const SolveReport report = inner_->solve(lcp_, lcpZ_, lcpW_);
  observe(report.iterations, report.error);
  expand(view, z);
  if (polish(problem, view, z) <= options_.tolerance) return {SolveStatus::converged, report.iterations, {}};
  return unsolved(problem, report);
}

void MlcpReductionSolver::serializeState(StateArchive& archive) {
  lcpFrom_.serializeState(archive, lcp_.stamp());
  inner_->serializeState(archive);
}

}  // namespace delassus::numerics
