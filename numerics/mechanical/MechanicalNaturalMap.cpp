// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalNaturalMap.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/mechanical/ContactCone.hpp>
#include <limits>

namespace delassus::numerics {

void MechanicalNaturalMap::begin(const GenericMechanicalProblem& problem) {
  problem_ = &problem;
  scales_.compute(problem);
  starts_.resize(problem.parts().size());
  std::size_t entries = 0;
  for (std::size_t part = 0; part < starts_.size(); ++part) {
    starts_[part] = entries;
    entries += problem.parts()[part].rows * problem.parts()[part].rows;
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

// An equality is a box without bounds.
void MechanicalNaturalMap::evaluateRows(std::size_t part, const Vector& lambda) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t m = problem_->parts()[part].rows;
  const bool bounded = problem_->parts()[part].kind == PartKind::box;
  double* const A = byVelocity_.data() + starts_[part];
  double* const B = byReaction_.data() + starts_[part];
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t row = problem_->offset(part) + i;
    const double d = scales_.d[row];
    const double x = d * lambda(row) - w_(row);
    const double lower = bounded ? d * problem_->lower()(row) : -infinity;
    const double upper = bounded ? d * problem_->upper()(row) : infinity;
    const bool inside = lower < x && x < upper;
    value_(row) = inside ? w_(row) : d * lambda(row) - std::clamp(x, lower, upper);
    A[i * (m + 1)] = inside ? 1. : 0.;
    B[i * (m + 1)] = inside ? 0. : d;
  }
}

void MechanicalNaturalMap::evaluateContact(std::size_t part, const Vector& lambda) {
  const std::size_t m = problem_->parts()[part].rows;
  const std::size_t first = problem_->offset(part);
  const double* const d = scales_.d.data() + first;
  const double* const c = scales_.c.data() + first;
  const ContactCone cone(problem_->parts()[part], scales_.rollingLength(*problem_, part));
  double u[ContactCone::mostRows], r[ContactCone::mostRows];
  for (std::size_t i = 0; i < m; ++i) {
    u[i] = c[i] * w_(first + i);
    r[i] = d[i] * lambda(first + i) / c[i];
  }
  double* const A = byVelocity_.data() + starts_[part];
  double* const B = byReaction_.data() + starts_[part];
  cone.naturalMap(u, r, data(value_) + first, A, B);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      A[i + m * j] *= c[j];
      B[i + m * j] *= d[j] / c[j];
    }
  }
}

double MechanicalNaturalMap::evaluate(const Vector& lambda) {
  problem_->W().multiply(data(lambda), data(w_));
  for (std::size_t i = 0; i < w_.size(); ++i) w_(i) += problem_->q()(i);
  for (std::size_t part = 0; part < starts_.size(); ++part) {
    problem_->parts()[part].isContact() ? evaluateContact(part, lambda) : evaluateRows(part, lambda);
  }
  double squares = 0.;
  for (std::size_t i = 0; i < w_.size(); ++i) squares += value_(i) * value_(i) / scales_.d[i];
  const double error = std::sqrt(squares) / norm_;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace delassus::numerics
