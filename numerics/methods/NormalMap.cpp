// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/NormalMap.hpp>

namespace delassus::numerics {

void NormalMap::begin(const ProblemOverSets& problem, double penaltyFactor) {
  problem_ = &problem;
  sets_.begin(problem);
  setPenaltyFactor(penaltyFactor);
  for (Vector* const v : {&y_, &lambda_, &F_}) {
    if (v->size() != problem.size()) v->resize(problem.size(), false);
  }
}

void NormalMap::setPenaltyFactor(double factor) {
  penalties_.resize(problem_->size());
  for (std::size_t i = 0; i < penalties_.size(); ++i) penalties_[i] = factor * sets_.metric()[i];
}

void NormalMap::pointOf(const Vector& r, Vector& a) {
  problem_->multiply(data(r), data(lambda_));
  for (std::size_t i = 0; i < r.size(); ++i) lambda_(i) += problem_->q()(i);
  sets_.addShift(data(lambda_), data(lambda_));
  pointOf(r, lambda_, a);
}

void NormalMap::pointOf(const Vector& r, const Vector& lambda, Vector& a) const {
  for (std::size_t i = 0; i < r.size(); ++i) a(i) = r(i) - lambda(i) / penalties_[i];
}

void NormalMap::project(const Vector& a) {
  const std::size_t n = a.size();
  double *const y = data(y_), *const lambda = data(lambda_);
  std::copy_n(data(a), n, y);
  sets_.project(y);
  for (std::size_t i = 0; i < n; ++i) lambda[i] = penalties_[i] * (y[i] - a(i));
}

double NormalMap::evaluate(const Vector& a) {
  project(a);
  double *const lambda = data(lambda_), *const F = data(F_);
  const double* const q = data(problem_->q());
  problem_->multiply(data(y_), F);
  for (std::size_t i = 0; i < a.size(); ++i) F[i] += q[i] - lambda[i];
  sets_.addShift(lambda, F);
  return sets_.residualNorm(F);
}

// At w = 0 the natural map is a − P_C(a), its rows those of a / c.
void NormalMap::projectionJacobian(std::size_t part, std::size_t first, const Vector& a, double* jacobian) {
  const std::size_t m = problem_->rows(part);
  zeros_.assign(m, 0.);
  value_.resize(m);
  byReaction_.resize(m * m);
  const ConvexSet::Rows rows = sets_.rows(first, m);
  problem_->set(part).naturalMap(rows, zeros_.data(), data(a) + first, value_.data(), jacobian, byReaction_.data());
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) jacobian[i + m * j] *= rows.c[i] / (rows.c[j] * rows.c[j]);
  }
}

}  // namespace delassus::numerics
