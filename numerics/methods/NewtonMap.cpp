// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/NewtonMap.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::numerics {

void NewtonMap::begin(const ProblemOverSets& problem, NewtonFunction function) {
  problem_ = &problem;
  function_ = function;
  scales_.compute(problem);
  starts_.resize(problem.partCount());
  std::size_t entries = 0;
  for (std::size_t part = 0; part < starts_.size(); ++part) {
    starts_[part] = entries;
    entries += problem.rows(part) * problem.rows(part);
  }
  // Off the diagonals of parts without cone they stay zero.
  byVelocity_.assign(entries, 0.);
  byReaction_.assign(entries, 0.);
  for (Vector* const v : {&w_, &value_}) {
    if (v->size() != problem.size()) v->resize(problem.size(), false);
  }
  const double norm = scales_.velocityNorm(data(problem.q()));
  norm_ = norm < 1e-150 ? 1. : norm;
}

double NewtonMap::evaluate(const Vector& lambda) {
  problem_->multiply(data(lambda), data(w_));
  for (std::size_t i = 0; i < w_.size(); ++i) w_(i) += problem_->q()(i);
  const auto function = function_ == NewtonFunction::alartCurnier ? &ConvexSet::alartCurnier : &ConvexSet::naturalMap;
  for (std::size_t part = 0; part < starts_.size(); ++part) {
    const std::size_t first = problem_->offset(part);
    (problem_->set(part).*function)(scales_.rows(*problem_, part), data(w_) + first, data(lambda) + first,
                                    data(value_) + first, byVelocity_.data() + starts_[part],
                                    byReaction_.data() + starts_[part]);
  }
  double squares = 0.;
  for (std::size_t i = 0; i < w_.size(); ++i) squares += value_(i) * value_(i) * scales_.weight[i];
  const double error = std::sqrt(squares) / norm_;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

void NewtonMap::fill(const BlockSparseMatrix& W, double epsilon, NewtonSystem& system) const {
  system.begin(W);
  fillBlocks(epsilon, system);
}

void NewtonMap::fill(double epsilon, NewtonSystem& system) const {
  system.begin(*problem_);
  fillBlocks(epsilon, system);
}

void NewtonMap::fillBlocks(double epsilon, NewtonSystem& system) const {
  for (std::size_t part = 0; part < starts_.size(); ++part) {
    const std::size_t m = problem_->rows(part), first = problem_->offset(part);
    const double* const A = byVelocity(part);
    const double* const B = byReaction(part);
    double* const E = system.local(part);
    std::copy_n(A, m * m, problem_->set(part).couplesRows() ? system.left(part) : system.diagonalLeft(part));
    for (std::size_t j = 0; j < m; ++j) {
      const double c = scales_.c[first + j];
      const double shift = epsilon * scales_.d[first + j] / (c * c);
      for (std::size_t i = 0; i < m; ++i) E[i + m * j] = B[i + m * j] + shift * A[i + m * j];
    }
  }
}

}  // namespace delassus::numerics
