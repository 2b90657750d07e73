// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/AdmmIteration.hpp>

#include <array>
#include <cmath>

namespace delassus::numerics {
namespace {

constexpr double pointWork = 20.;  // of projections and updates, a component

}  // namespace

bool AdmmIteration::hasMass(const ProblemOverSets& problem) {
  return problem.factors() != nullptr && problem.factors()->mayPenalise;
}

bool AdmmIteration::takes(const ProblemOverSets& problem) {
  problem.renew(ofProduct_);
  return ofProduct_ || hasMass(problem) || problem.requireMatrix();
}

PenalisedOperator& AdmmIteration::penalised() {
  if (ofProduct_) return *ofProduct_;
  return hasMass(*problem_) ? static_cast<PenalisedOperator&>(ofMass_) : ofMatrix_;
}

bool AdmmIteration::begin(const ProblemOverSets& problem, double penaltyFactor, const Vector& r) {
  problem_ = &problem;
  problem.renew(ofProduct_);
  if (hasMass(problem)) {
    ofMass_.refer(*problem.factors());
  } else if (!ofProduct_) {
    ofMatrix_.refer(problem.matrix());
  }
  factor_ = penaltyFactor;
  balance_.restart();
  map_.begin(problem, factor_);
  if (!penalised().factor(map_.penalties())) return false;
  for (Vector* const v : {&a_, &change_, &before_}) {
    if (v->size() != problem.size()) v->resize(problem.size(), false);
  }
  map_.pointOf(r, a_);
  residual_ = map_.evaluate(a_);
  isMeasured_ = true;
  return true;
}

bool AdmmIteration::setPenaltyFactor(double factor) {
  factor_ = factor;
  map_.setPenaltyFactor(factor);
  if (!penalised().factor(map_.penalties())) return false;
  map_.pointOf(map_.reaction(), map_.velocity(), a_);
  residual_ = map_.evaluate(a_);
  isMeasured_ = true;
  return true;
}

bool AdmmIteration::balancePenalty(std::size_t interval) {
  const double next = balance_.next(interval, factor_, primal_, dual_);
  return next == factor_ || setPenaltyFactor(next);
}

double AdmmIteration::stepWork() {
  return penalised().work() + pointWork * static_cast<double>(a_.size());
}

void AdmmIteration::moveTo(const Vector& a) {
  assign(a, a_);
  residual_ = map_.evaluate(a_);
  isMeasured_ = true;
}

void AdmmIteration::step(double relaxation) {
  isMeasured_ ? moveByResidual(relaxation) : moveByData(relaxation);
  residual_ = map_.evaluate(a_);
  isMeasured_ = true;
  compare();
}

void AdmmIteration::stepUnmeasured(double relaxation) {
  isMeasured_ ? moveByResidual(relaxation) : moveByData(relaxation);
  map_.project(a_);
  isMeasured_ = false;
  compare();
}

void AdmmIteration::moveByResidual(double relaxation) {
  const double *const R = map_.penalties().data(), *const lambda = data(map_.velocity());
  assign(map_.residual(), change_);
  penalised().solve(data(change_));
  assign(map_.reaction(), before_);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    change_(i) = before_(i) - relaxation * change_(i);
    a_(i) = change_(i) - lambda[i] / R[i];
  }
}

void AdmmIteration::moveByData(double relaxation) {
  const double* const R = map_.penalties().data();
  const double *const lambda = data(map_.velocity()), *const q = data(problem_->q());
  assign(map_.reaction(), before_);
  assignZero(change_, a_.size());
  map_.sets().addShift(lambda, data(change_));
  for (std::size_t i = 0; i < a_.size(); ++i) change_(i) = R[i] * before_(i) + lambda[i] - q[i] - change_(i);
  penalised().solve(data(change_));
  for (std::size_t i = 0; i < a_.size(); ++i) {
    change_(i) = (1. - relaxation) * before_(i) + relaxation * change_(i);
    a_(i) = change_(i) - lambda[i] / R[i];
  }
}

// The primal and the dual residual of a step.
void AdmmIteration::compare() {
  const std::size_t n = a_.size();
  const double *const R = map_.penalties().data(), *const weights = map_.sets().weights().data();
  std::array<double, 2> sums{};
  auto& [apart, moved] = sums;
  const double* const y = data(map_.reaction());
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = R[i] * R[i] * weights[i];
    apart += weight * (change_(i) - y[i]) * (change_(i) - y[i]);
    moved += weight * (y[i] - before_(i)) * (y[i] - before_(i));
  }
  problem_->sum(sums);
  primal_ = std::sqrt(apart) / factor_;
  dual_ = std::sqrt(moved);
}

}  // namespace delassus::numerics
