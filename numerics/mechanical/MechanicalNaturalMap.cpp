// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalNaturalMap.hpp>

#include <cmath>
#include <limits>

namespace delassus::numerics {

void MechanicalNaturalMap::begin(const ProblemOverSets& problem) {
  problem_ = &problem;
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

double MechanicalNaturalMap::evaluate(const Vector& lambda) {
  problem_->matrix().multiply(data(lambda), data(w_));
  for (std::size_t i = 0; i < w_.size(); ++i) w_(i) += problem_->q()(i);
  for (std::size_t part = 0; part < starts_.size(); ++part) {
    const std::size_t first = problem_->offset(part);
    problem_->set(part).naturalMap(scales_.rows(*problem_, part), data(w_) + first, data(lambda) + first,
                                   data(value_) + first, byVelocity_.data() + starts_[part],
                                   byReaction_.data() + starts_[part]);
  }
  double squares = 0.;
  for (std::size_t i = 0; i < w_.size(); ++i) squares += value_(i) * value_(i) * scales_.weight[i];
  const double error = std::sqrt(squares) / norm_;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace delassus::numerics
