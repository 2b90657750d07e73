// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/EnumerationProof.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

// Sums of products with larger ones may overflow.
constexpr double largestBound = 1e150;

std::unique_ptr<LcpSolver> orLemke(std::unique_ptr<LcpSolver> inner, double tolerance) {
  if (inner) return inner;
  LemkeOptions options;
  options.tolerance = tolerance;
  return std::make_unique<LemkeSolver>(options);
}

}  // namespace

RelayLemkeSolver::RelayLemkeSolver(RelayLemkeOptions options, std::unique_ptr<LcpSolver> inner)
    : WithOptions("RelayLemkeSolver", options),
      reduction_(MlcpReductionOptions{options.tolerance}, orLemke(std::move(inner), options.tolerance)) {
}

void RelayLemkeSolver::classify(const RelayProblem& problem) {
  kinds_.resize(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower()(i);
    const double upper = problem.upper()(i);
    const bool hasLower = lower > -largestBound;
    const bool hasUpper = upper < largestBound;
    if (lower == upper) {
      kinds_[i] = Kind::fixed;
    } else if (!hasLower) {
      kinds_[i] = hasUpper ? Kind::above : Kind::free;
    } else {
      kinds_[i] = hasUpper ? Kind::box : Kind::below;
    }
  }
}

// The unknowns are the components that are not fixed (free ones themselves, the others as x), then b.
void RelayLemkeSolver::build(const RelayProblem& problem) {
  const std::size_t n = problem.size();
  problem.M().toDense(dense_);
  moving_.clear();
  boxed_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] == Kind::free) moving_.push_back(i);
  }
  const std::size_t equalities = moving_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] == Kind::fixed || kinds_[i] == Kind::free) continue;
    moving_.push_back(i);
    if (kinds_[i] == Kind::box) boxed_.push_back(i);
  }
  const double largest = normMax(dense_);
  assignZero(scale_, n);
  for (std::size_t i = 0; i < n; ++i) {
    scale_(i) = dense_(i, i) > 0. ? dense_(i, i) : (largest > 0. ? largest : 1.);
  }
  const std::size_t size = moving_.size() + boxed_.size();
  Matrix M(size, size);
  for (std::size_t j = 0; j < moving_.size(); ++j) {
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      M(i, j) = sign(moving_[i]) * dense_(moving_[i], moving_[j]) * sign(moving_[j]);
    }
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    if (kinds_[moving_[i]] != Kind::box) continue;
    M(i, moving_.size() + next) = scale_(moving_[i]);
    M(moving_.size() + next, i) = -scale_(moving_[i]);
    ++next;
  }
  using Row = MixedLinearComplementarityProblem::Row;
  std::vector<Row> rows(equalities, Row::equality);
  rows.resize(size, Row::complementarity);
  mlcp_ = MixedLinearComplementarityProblem(std::move(M), Vector(size), std::move(rows));
  const std::uint64_t stamp = mlcpFrom_.take(problem.stamp(), mlcp_.stamp());
  if (builtKinds_ == kinds_) mlcp_.adoptStamp(stamp);
  builtKinds_ = kinds_;
}

void RelayLemkeSolver::fillVector(const RelayProblem& problem) {
  const std::size_t n = problem.size();
  assignZero(base_, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] != Kind::free) base_(i) = kinds_[i] == Kind::above ? problem.upper()(i) : problem.lower()(i);
  }
  assign(problem.q(), shifted_);
  multiply(1., dense_, base_, 1., shifted_);
  Vector& q = mlcp_.q();
  for (std::size_t i = 0; i < moving_.size(); ++i) q(i) = sign(moving_[i]) * shifted_(moving_[i]);
  for (std::size_t k = 0; k < boxed_.size(); ++k) {
    const std::size_t i = boxed_[k];
    q(moving_.size() + k) = scale_(i) * (problem.upper()(i) - problem.lower()(i));
  }
}

void RelayLemkeSolver::expand(const RelayProblem& problem, Vector& z) const {
  assign(base_, z);
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    z(moving_[i]) += sign(moving_[i]) * x_(i);
  }
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = std::clamp(z(i), problem.lower()(i), problem.upper()(i));
}

RelayLemkeSolver::Outcome RelayLemkeSolver::compute(const RelayProblem& problem, Vector& z) {
  classify(problem);
  if (!mlcpFrom_.isCurrent(problem.stamp()) || kinds_ != builtKinds_) build(problem);
  fillVector(problem);
  if (!allFinite(mlcp_.q())) return {SolveStatus::numericalFailure, 0, "the LCP overflows with these bounds"};
  assignZero(x_, mlcp_.size());
  reduction_.setTimeLimit(remainingTime());
  const SolveReport report = reduction_.solve(mlcp_, x_, w_);
  observe(report.iterations, report.error);
  expand(problem, z);
  // What is proved is proved of the LCP, whose data are rounded.
  if (report.status == SolveStatus::infeasible) {
    if (!provesUnsolvable(box_.view(problem), [this] { return timeIsUp(); })) {
      return {SolveStatus::numericalFailure, report.iterations,
              "the LCP has no solution, which is not proved of the problem"};
    }
  }
  return {report.status, report.iterations, report.reason};
}

void RelayLemkeSolver::serializeState(StateArchive& archive) {
  mlcpFrom_.serializeState(archive, mlcp_.stamp());
  std::vector<char> kinds;
  for (const Kind kind : builtKinds_) kinds.push_back(static_cast<char>(kind));
  archive.value("kinds", kinds);
  builtKinds_.clear();
  for (const char kind : kinds) builtKinds_.push_back(static_cast<Kind>(kind));
  reduction_.serializeState(archive);
}

}  // namespace delassus::numerics
