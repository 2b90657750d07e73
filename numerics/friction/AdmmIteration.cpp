// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/AdmmIteration.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>

namespace delassus::numerics {
namespace {

constexpr double balanceThreshold = 5.;
constexpr double pointWork = 20.;  // of projections and updates, a component

}  // namespace

bool AdmmIteration::begin(const FrictionContactProblem& problem, const BlockSparseMatrix& W, double penaltyFactor,
                          const Vector& r) {
  problem_ = &problem;
  W_ = &W;
  factor_ = penaltyFactor;
  balanceInterval_ = 0;
  const double norm = norm2(problem.q());
  normOfData_ = norm > 0. ? norm : 1.;
  contactScales(problem, scales_);
  setPenalties();
  if (!factorised_.factor(W, penalties_)) return false;
  for (Vector* const v : {&a_, &change_, &before_}) {
    if (v->size() != problem.size()) v->resize(problem.size(), false);
  }
  map_.begin(problem, penalties_);
  map_.pointOf(r, a_);
  residual_ = map_.evaluate(a_) / normOfData_;
  return true;
}

void AdmmIteration::holdCorrection(const Vector& correction) {
  map_.holdCorrection(correction);
  residual_ = map_.evaluate(a_) / normOfData_;
}

void AdmmIteration::setPenalties() {
  penalties_.resize(scales_.size());
  for (std::size_t contact = 0; contact < scales_.size(); ++contact) penalties_[contact] = factor_ * scales_[contact];
}

bool AdmmIteration::setPenaltyFactor(double factor) {
  factor_ = factor;
  setPenalties();
  if (!factorised_.factor(*W_, penalties_)) return false;
  map_.setPenalties(penalties_);
  map_.pointOf(map_.reaction(), map_.velocity(), a_);
  residual_ = map_.evaluate(a_) / normOfData_;
  return true;
}

bool AdmmIteration::balancePenalty(std::size_t interval) {
  if (interval == 0) return true;
  if (balanceInterval_ == 0) untilBalance_ = balanceInterval_ = interval;
  if (--untilBalance_ > 0) return true;
  // Less and less often, since each change costs a factorisation and convergence is proven for a penalty that is
  // eventually constant.
  balanceInterval_ += balanceInterval_ / 2;
  untilBalance_ = balanceInterval_;
  if (!(primal_ > 0.) || !(dual_ > 0.)) return true;
  const double ratio = primal_ / dual_;
  if (ratio < balanceThreshold && ratio > 1. / balanceThreshold) return true;
  return setPenaltyFactor(std::clamp(factor_ * std::clamp(ratio, 0.1, 10.), 1e-6, 1e6));
}

double AdmmIteration::stepWork() const {
  return factorised_.solveWork() + 2. * static_cast<double>(W_->storedEntries()) +
         pointWork * static_cast<double>(a_.size());
}

void AdmmIteration::moveTo(const Vector& a) {
  assign(a, a_);
  residual_ = map_.evaluate(a_) / normOfData_;
}

void AdmmIteration::step(double relaxation) {
  const std::size_t d = problem_->dimension();
  assign(map_.residual(), change_);
  factorised_.solve(data(change_));
  assign(map_.reaction(), before_);
  const double* const lambda = data(map_.velocity());
  for (std::size_t i = 0; i < a_.size(); ++i) {
    change_(i) = before_(i) - relaxation * change_(i);
    a_(i) = change_(i) - lambda[i] / penalties_[i / d];
  }
  residual_ = map_.evaluate(a_) / normOfData_;
  primal_ = 0.;
  dual_ = 0.;
  const double* const y = data(map_.reaction());
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double R = penalties_[i / d];
    const double apart = R * (change_(i) - y[i]) / factor_;
    const double moved = R * (y[i] - before_(i));
    primal_ += apart * apart;
    dual_ += moved * moved;
  }
  primal_ = std::sqrt(primal_);
  dual_ = std::sqrt(dual_);
}

}  // namespace delassus::numerics
