// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/LcpFormSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/problem/LinearConditions.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

// Sums of products with larger ones may overflow.
constexpr double largestBound = 1e150;

}  // namespace

bool HalfLineForm::sort(const BoxView& view) {
  const std::size_t n = view.size();
  const bool wasPlain = isPlain_;
  bool isNew = kinds_.size() != n;
  kinds_.resize(n);
  isPlain_ = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double lower = view.lower(i), upper = view.upper(i);
    const bool hasLower = lower > -largestBound, hasUpper = upper < largestBound;
    const Kind kind = lower == upper ? fixed
                      : hasLower     ? (hasUpper ? box : fromLower)
                                     : (hasUpper ? fromUpper : equality);
    isPlain_ = isPlain_ && (kind == equality || (kind == fromLower && lower == 0.));
    isNew = isNew || kinds_[i] != kind;
    kinds_[i] = kind;
  }
  return isNew || isPlain_ != wasPlain;
}

void HalfLineForm::takeMatrix(const BoxView& view) {
  moving_.clear();
  boxed_.clear();
  free_.clear();
  bounded_.clear();
  const std::size_t n = view.size();
  if (isPlain_) {
    for (std::size_t i = 0; i < n; ++i) (kinds_[i] == equality ? free_ : bounded_).push_back(i);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] == equality) moving_.push_back(i);
  }
  for (std::size_t k = 0; k < moving_.size(); ++k) free_.push_back(k);
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] == equality || kinds_[i] == fixed) continue;
    if (kinds_[i] == box) boxed_.push_back(moving_.size());
    moving_.push_back(i);
  }
  const std::size_t count = moving_.size(), size = count + boxed_.size();
  for (std::size_t k = free_.size(); k < size; ++k) bounded_.push_back(k);
  const double largest = normMax(view.M);
  assignZero(M_, size, size);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < count; ++i) {
      const double entry = view.M(moving_[i], moving_[j]);
      M_(i, j) = goesDown(moving_[i]) == goesDown(moving_[j]) ? entry : -entry;
    }
  }
  scale_.resize(boxed_.size(), false);
  for (std::size_t k = 0; k < boxed_.size(); ++k) {
    const double diagonal = view.M(moving_[boxed_[k]], moving_[boxed_[k]]);
    scale_(k) = diagonal > 0. ? diagonal : (largest > 0. ? largest : 1.);
    M_(boxed_[k], count + k) = scale_(k);
    M_(count + k, boxed_[k]) = -scale_(k);
  }
}

void HalfLineForm::takeVectors(const BoxView& view) {
  if (isPlain_) return;
  assignZero(base_, view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (kinds_[i] != equality) base_(i) = goesDown(i) ? view.upper(i) : view.lower(i);
  }
  assign(view.q, shifted_);
  multiply(1., view.M, base_, 1., shifted_);
  if (q_.size() != M_.size1()) q_.resize(M_.size1(), false);
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    q_(k) = goesDown(moving_[k]) ? -shifted_(moving_[k]) : shifted_(moving_[k]);
  }
  for (std::size_t k = 0; k < boxed_.size(); ++k) {
    const std::size_t i = moving_[boxed_[k]];
    q_(moving_.size() + k) = scale_(k) * (view.upper(i) - view.lower(i));
  }
}

void HalfLineForm::start(const BoxView& view, const Vector& z, Vector& x) const {
  if (isPlain_) return assign(z, x);
  assignZero(x, M_.size1());
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const std::size_t i = moving_[k];
    x(k) = kinds_[i] == equality ? z(i) : goesDown(i) ? view.upper(i) - z(i) : z(i) - view.lower(i);
  }
}

void HalfLineForm::expand(const BoxView& view, const Vector& x, Vector& z) const {
  if (isPlain_) {
    assign(x, z);
  } else {
    assign(base_, z);
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      const std::size_t i = moving_[k];
      z(i) += goesDown(i) ? -x(k) : x(k);
    }
  }
  view.enterBox(z);
}

LcpFormSolver::LcpFormSolver(LcpFormOptions options, std::unique_ptr<SolverOverSets> inner)
    : WithOptions("LcpFormSolver", options), inner_(std::move(inner)) {
  // Tighter than required, since the error of the LCP is relative to other data; enumeration stays affordable.
  if (!inner_)
    inner_ = automaticForIntervals(std::clamp(0.1 * options.tolerance, 1e-12, 1e-8), 12, options.maxIterations);
}

bool LcpFormSolver::prepare(const ProblemOverSets& problem, const BoxView& view) {
  const bool isNew = form_.sort(view);
  if (!isNew && lcpFrom_.isCurrent(problem.stamp())) return isPossible_;
  lcpFrom_.forget();
  if (isNew) lcpFrom_.forgetRestored();
  form_.takeMatrix(view);
  isPossible_ = reduction_.factor(form_.mixed(view));
  const std::uint64_t stamp = lcpFrom_.take(problem.stamp(), reduction_.lcp().stamp());
  if (isPossible_) reduction_.lcp().M().adoptStamp(stamp);
  return isPossible_;
}

double LcpFormSolver::polish(const ProblemOverSets& problem, const BoxView& view, Vector& z) {
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
bool LcpFormSolver::equalitiesContradict(const BoxView& view) const {
  if (!view.isGiven || !reduction_.hasRedundant()) return false;
  LinearConditions conditions(view.M, view.q);
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (view.isFree(i)) conditions.require(i, LinearConditions::Sign::zero);
  }
  return conditions.areContradictory([this] { return timeIsUp(); });
}

// What the LCP has is not proved of the problem: its data are rounded, and a row whose x and w were both set to zero
// was a choice; another choice might have given a solution.
LcpFormSolver::Outcome LcpFormSolver::unsolved(const BoxView& view, const SolveReport& report) const {
  if (equalitiesContradict(view)) {
    return {SolveStatus::infeasible, report.iterations, "equality rows contradict each other"};
  }
  if (report.status != SolveStatus::infeasible) return {report.status, report.iterations, report.reason};
  if (provesUnsolvable(view, [this] { return timeIsUp(); })) {
    return {SolveStatus::infeasible, report.iterations, report.reason};
  }
  return {SolveStatus::numericalFailure, report.iterations,
          "the LCP has no solution, which is not proved of the problem"};
}

LcpFormSolver::Outcome LcpFormSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  if (!prepare(problem, *view)) {
    return {SolveStatus::unsupported, 0, "the equality rows do not determine the free unknowns"};
  }
  form_.takeVectors(*view);
  reduction_.takeVector(form_.mixed(*view));
  const LinearComplementarityProblem& lcp = reduction_.lcp();
  if (!allFinite(lcp.q())) return {SolveStatus::numericalFailure, 0, "the LCP overflows with these bounds"};
  form_.start(*view, z, x_);
  reduction_.start(x_, v_);
  inner_->setTimeLimit(remainingTime());
  const SolveReport report = inner_->solve(lcp, v_, lcpW_);
  observe(report.iterations, report.error);
  reduction_.expand(v_, x_);
  form_.expand(*view, x_, z);
  if (polish(problem, *view, z) <= options_.tolerance) {
    adoptCertificate();
    return {SolveStatus::converged, report.iterations, {}};
  }
  return unsolved(*view, report);
}

void LcpFormSolver::serializeState(StateArchive& archive) {
  lcpFrom_.serializeState(archive, reduction_.lcp().stamp());
  form_.serializeState(archive);
  inner_->serializeState(archive);
}

}  // namespace delassus::numerics
