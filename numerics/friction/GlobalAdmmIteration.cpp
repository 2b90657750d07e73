// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalAdmmIteration.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/FrictionCone.hpp>

namespace delassus::numerics {
namespace {

double orOne(double size) {
  return size > 0. ? size : 1.;
}

}  // namespace

bool GlobalAdmmIteration::begin(const GlobalFrictionContactProblem& problem, double penaltyFactor, const Vector& x) {
  problem_ = &problem;
  balance_.restart();
  scalesFrom_.renew(problem.stamp(), [&] { contactScales(problem, scales_); });
  for (Vector* const v : {&z_, &force_, &relative_}) {
    if (v->size() != problem.contactSize()) v->resize(problem.contactSize(), false);
  }
  if (generalised_.size() != problem.degreesOfFreedom()) {
    generalised_.resize(problem.degreesOfFreedom(), false);
    forces_.resize(problem.degreesOfFreedom(), false);
  }
  if (!setPenaltyFactor(penaltyFactor)) return false;
  moveTo(x);
  return true;
}

bool GlobalAdmmIteration::setPenaltyFactor(double factor) {
  factor_ = factor;
  penalties_.resize(scales_.size());
  for (std::size_t contact = 0; contact < scales_.size(); ++contact)
    penalties_[contact] = factor / scales_[contact].mean;
  return mass_.factor(*problem_, penalties_);
}

// r := P_K(target), z := (r − target) / R.
void GlobalAdmmIteration::project(const Vector& target) {
  const std::size_t d = problem_->dimension();
  double* const r = data(x_) + problem_->degreesOfFreedom();
  std::copy(target.begin(), target.end(), r);
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    projectOnCone(d, problem_->mu()(contact), r + d * contact);
    for (std::size_t i = d * contact; i < d * (contact + 1); ++i) z_(i) = (r[i] - target(i)) / penalties_[contact];
  }
}

void GlobalAdmmIteration::moveTo(const Vector& x) {
  assign(x, x_);
  const std::size_t d = problem_->dimension();
  const std::size_t freedoms = problem_->degreesOfFreedom();
  assign(problem_->b(), relative_);
  multiplyTransposed(1., problem_->H(), data(x_), 1., data(relative_));
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    double* const u = data(relative_) + d * contact;
    u[0] += problem_->mu()(contact) * tangentNorm(d, u);
    for (std::size_t i = 0; i < d; ++i)
      force_(d * contact + i) = x_(freedoms + d * contact + i) - penalties_[contact] * u[i];
  }
  project(force_);
}

void GlobalAdmmIteration::step(double relaxation) {
  const std::size_t d = problem_->dimension();
  const std::size_t freedoms = problem_->degreesOfFreedom();
  const Vector& b = problem_->b();
  double* const v = data(x_);
  double* const r = v + freedoms;
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    const double correction = problem_->mu()(contact) * tangentNorm(d, data(z_) + d * contact);
    for (std::size_t i = 0; i < d; ++i) {
      const std::size_t k = d * contact + i;
      relative_(k) = b(k) + (i == 0 ? correction : 0.);
      force_(k) = r[k] + penalties_[contact] * (z_(k) - relative_(k));
    }
  }
  std::copy(problem_->f().begin(), problem_->f().end(), v);
  multiply(1., problem_->H(), data(force_), 1., v);
  mass_.solve(v);
  multiplyTransposed(1., problem_->H(), v, 1., data(relative_));

  // The force for which v is the exact answer, and in relative_ the point that is projected.
  for (std::size_t k = 0; k < force_.size(); ++k) {
    const double penalty = penalties_[k / d];
    force_(k) = r[k] + penalty * (z_(k) - relative_(k));
    relative_(k) = r[k] - penalty * (relaxation * relative_(k) + (1. - relaxation) * z_(k));
  }
  project(relative_);
  for (std::size_t k = 0; k < force_.size(); ++k) force_(k) -= r[k];
  computeResidual();
}

void GlobalAdmmIteration::computeResidual() {
  const std::size_t d = problem_->dimension();
  multiply(1., problem_->H(), data(force_), 0., data(generalised_));
  // Relative to the larger force, as the scaled certificate is: f may be 0.
  multiply(1., problem_->H(), data(x_) + problem_->degreesOfFreedom(), 0., data(forces_));
  dynamicsResidual_ = norm2(generalised_) / orOne(std::max(norm2(problem_->f()), norm2(forces_)));
  assign(problem_->b(), relative_);
  multiplyTransposed(1., problem_->H(), data(x_), 1., data(relative_));
  double squares = 0.;
  double size = 0.;
  for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
    double* const u = data(relative_) + d * contact;
    for (std::size_t i = 0; i < d; ++i) {
      const double hv = u[i] - problem_->b()(d * contact + i);
      size += hv * hv;
    }
    u[0] += problem_->mu()(contact) * tangentNorm(d, u);
    for (std::size_t i = 0; i < d; ++i) {
      const double apart = u[i] - z_(d * contact + i);
      squares += apart * apart;
    }
  }
  velocityResidual_ = std::sqrt(squares) / orOne(std::max(norm2(problem_->b()), std::sqrt(size)));
  residual_ = std::hypot(velocityResidual_, dynamicsResidual_);
}

// (r, z) stays: it meets the cone conditions for every penalty.
bool GlobalAdmmIteration::balancePenalty(std::size_t interval) {
  const double next = balance_.next(interval, factor_, velocityResidual_, dynamicsResidual_);
  return next == factor_ || setPenaltyFactor(next);
}

}  // namespace delassus::numerics
