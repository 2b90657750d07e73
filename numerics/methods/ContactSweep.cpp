// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <delassus/numerics/contact/ContactPattern.hpp>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

// Below, the order in which contacts were found is as good.
constexpr std::size_t fewestForSlabs = 1000;
constexpr std::size_t rangeSize = 4096;  // contacts that a thread extrapolates at once

}  // namespace

ContactSweep::ContactSweep(std::shared_ptr<const OneContactSolver> local)
    : local_(std::move(local)), mayPack_(local_ == nullptr) {
  if (!local_) local_ = std::make_shared<HybridOneContactSolver>();
}

bool ContactSweep::has(const FrictionContactProblem& problem) const {
  if (!operatorFrom_.isCurrent(&problem.W(), problem.W().stamp())) return false;
  // What is packed holds the values, and does not care whether the matrix was built since.
  return isPacked_ || matrixFrom_.isCurrent(problem.W().matrix(), problem.stamp());
}

void ContactSweep::prepare(const FrictionContactProblem& problem) {
  const DelassusOperator& W = problem.W();
  operatorFrom_.forget();
  if (W.matrix() != nullptr && pack(problem)) return;
  isPacked_ = false;
  contactScales(problem, scales_);
  slabs_.takeWhole(problem.contacts());
  W.renew(sweep_);
  const std::size_t entries = problem.dimension() * problem.dimension();
  blocks_.resize(entries * problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    W.diagonalBlock(contact, blocks_.data() + entries * contact);
  }
  take(problem);
}

bool ContactSweep::pack(const FrictionContactProblem& problem) {
  const DelassusOperator& W = problem.W();
  if (!mayPack_ || problem.dimension() != 3 || !W.findPattern(pattern_)) return false;
  if (!W.isMatrixProduct() && !matrixPays(pattern_)) return false;
  operatorFrom_.forget();
  contactScales(problem, scales_);
  if (problem.contacts() >= fewestForSlabs) {
    slabs_.find(pattern_);
  } else {
    slabs_.takeWhole(problem.contacts());
  }
  packed_.pack(W, pattern_, scales_, slabs_.order());
  isPacked_ = true;
  take(problem);
  return true;
}

void ContactSweep::take(const FrictionContactProblem& problem) {
  operatorFrom_.take(&problem.W(), problem.W().stamp());
  matrixFrom_.take(problem.W().matrix(), problem.stamp());
}

void ContactSweep::begin(const FrictionContactProblem& problem, const Vector& r) {
  if (isPacked_) return packed_.begin(problem.q(), problem.mu(), r);
  sweep_->begin(data(r));
  r_.assign(r.begin(), r.end());
  before_ = r_;
}

void ContactSweep::sweep(const FrictionContactProblem& problem, std::span<const std::uint32_t> places,
                         double relaxation, double* squares) {
  if (isPacked_) {
    return slabs_.forEach(places,
                          [&](std::span<const std::uint32_t> part) { packed_.sweep(part, relaxation, squares); });
  }
  for (const std::size_t contact : places) squares[contact] = update(problem, contact, relaxation);
}

void ContactSweep::extrapolate(const FrictionContactProblem& problem, std::size_t begin, std::size_t end,
                               double factor) {
  if (isPacked_) {
    return forRanges(end - begin, rangeSize,
                     [&](std::size_t a, std::size_t b) { packed_.extrapolate(begin + a, begin + b, factor); });
  }
  const std::size_t d = problem.dimension();
  std::array<double, 3> change{};
  for (std::size_t contact = begin; contact < end; ++contact) {
    for (std::size_t i = d * contact; i < d * (contact + 1); ++i) {
      change[i - d * contact] = factor * (r_[i] - before_[i]);
      before_[i] = r_[i];
      r_[i] += change[i - d * contact];
    }
    if (factor != 0.) sweep_->add(contact, change.data());
  }
}

void ContactSweep::read(Vector& r) const {
  if (isPacked_) return packed_.read(r);
  std::copy(r_.begin(), r_.end(), r.begin());
}

double ContactSweep::update(const FrictionContactProblem& problem, std::size_t contact, double relaxation) {
  const std::size_t d = problem.dimension();
  const std::size_t first = d * contact;
  const double* const block = blocks_.data() + d * first;
  double* const own = r_.data() + first;
  std::array<double, 3> free{}, solved{}, change{};
  sweep_->velocity(contact, free.data());
  for (std::size_t i = 0; i < d; ++i) {
    free[i] += problem.q()(first + i);
    for (std::size_t j = 0; j < d; ++j) free[i] -= block[i + d * j] * own[j];
    solved[i] = own[i];
  }
  local_->solve(d, block, free.data(), problem.mu()(contact), solved.data());
  if (relaxation != 1.) {
    for (std::size_t i = 0; i < d; ++i) solved[i] = own[i] + relaxation * (solved[i] - own[i]);
    const double mu = problem.mu()(contact), limit = mu * std::max(0., solved[0]), slip = tangentNorm(d, solved.data());
    if (relaxation > 1. && (solved[0] < 0. || slip > limit)) {
      solved[0] = std::max(0., solved[0]);
      for (std::size_t i = 1; i < d; ++i) solved[i] *= slip > limit ? limit / slip : 1.;
    }
  }
  double squares = 0.;
  for (std::size_t i = 0; i < d; ++i) {
    change[i] = solved[i] - own[i];
    own[i] = solved[i];
    squares += change[i] * change[i];
  }
  if (squares == 0.) return 0.;
  sweep_->add(contact, change.data());
  return scales_[contact] * scales_[contact] * squares;
}

}  // namespace delassus::numerics
