// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionNormalMap.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/FrictionCone.hpp>

namespace delassus::numerics {

void FrictionNormalMap::begin(const FrictionContactProblem& problem, const std::vector<double>& penalties) {
  problem_ = &problem;
  penalties_ = penalties;
  held_.clear();
  for (Vector* const v : {&y_, &lambda_, &F_}) {
    if (v->size() != problem.size()) v->resize(problem.size(), false);
  }
}

void FrictionNormalMap::holdCorrection(const Vector& correction) {
  held_.assign(correction.begin(), correction.end());
}

void FrictionNormalMap::pointOf(const Vector& r, Vector& a) {
  const std::size_t d = problem_->dimension();
  problem_->W().multiply(data(r), data(lambda_));
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    double* const u = data(lambda_) + d * contact;
    for (std::size_t i = 0; i < d; ++i) u[i] += problem_->q()(d * contact + i);
    u[0] += problem_->mu()(contact) * tangentNorm(d, u);
  }
  pointOf(r, lambda_, a);
}

void FrictionNormalMap::pointOf(const Vector& r, const Vector& lambda, Vector& a) const {
  const std::size_t d = problem_->dimension();
  for (std::size_t i = 0; i < r.size(); ++i) a(i) = r(i) - lambda(i) / penalties_[i / d];
}

double FrictionNormalMap::evaluate(const Vector& a) {
  const std::size_t d = problem_->dimension();
  double* const y = data(y_);
  double* const lambda = data(lambda_);
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    const std::size_t first = d * contact;
    for (std::size_t i = first; i < first + d; ++i) y[i] = a(i);
    projectOnCone(d, problem_->mu()(contact), y + first);
    for (std::size_t i = first; i < first + d; ++i) lambda[i] = penalties_[contact] * (y[i] - a(i));
  }
  problem_->W().multiply(y, data(F_));
  const double* const q = data(problem_->q());
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    const std::size_t first = d * contact;
    F_(first) += held_.empty() ? problem_->mu()(contact) * tangentNorm(d, lambda + first) : held_[contact];
    for (std::size_t i = first; i < first + d; ++i) F_(i) += q[i] - lambda[i];
  }
  return norm2(F_);
}

void FrictionNormalMap::projectionJacobian(std::size_t contact, const Vector& a, double* D) const {
  const std::size_t d = problem_->dimension();
  const double mu = problem_->mu()(contact);
  const double* const x = data(a) + d * contact;
  const double tangent = tangentNorm(d, x);
  std::fill_n(D, d * d, 0.);
  if (mu * tangent <= -x[0]) return;
  if (tangent <= mu * x[0] && mu > 0.) {
    for (std::size_t i = 0; i < d; ++i) D[i * (d + 1)] = 1.;
    return;
  }
  // Without friction the cone is the normal half line.
  if (mu == 0.) {
    D[0] = 1.;
    return;
  }
  double ray[3] = {1., 0., 0.};
  for (std::size_t i = 1; i < d; ++i) ray[i] = mu * x[i] / tangent;
  const double scale = 1. + mu * mu;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) D[i + d * j] = ray[i] * ray[j] / scale;
  }
  if (d == 2) return;
  // The circle of radius μ y_N turns with the direction of a_T.
  const double curvature = mu * (x[0] + mu * tangent) / (scale * tangent);
  for (std::size_t j = 1; j < 3; ++j) {
    for (std::size_t i = 1; i < 3; ++i) {
      D[i + 3 * j] += curvature * ((i == j ? 1. : 0.) - x[i] * x[j] / (tangent * tangent));
    }
  }
}

void FrictionNormalMap::addLocalJacobian(std::size_t contact, const double* D, double* E) const {
  const std::size_t d = problem_->dimension();
  const double R = penalties_[contact];
  const double* const lambda = data(lambda_) + d * contact;
  const double slip = tangentNorm(d, lambda);
  for (std::size_t j = 0; j < d; ++j) {
    double along = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      const double change = R * ((i == j ? 1. : 0.) - D[i + d * j]);
      E[i + d * j] += change;
      if (i > 0 && slip > 0.) along += lambda[i] / slip * change;
    }
    E[d * j] -= problem_->mu()(contact) * along;
  }
}

}  // namespace delassus::numerics
