// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/AutomaticOdeSolver.hpp>
#include <delassus/kernel/hybrid/BdfSolver.hpp>
#include <delassus/kernel/hybrid/RungeKuttaSolver.hpp>

namespace delassus {
namespace {

constexpr std::size_t patience = 50;  // steps towards one end before stiffness is looked for, and between two looks
constexpr std::size_t suspicion = 8;  // the same where the piece before was stiff
constexpr std::size_t window = 5;     // steps whose mean is compared with the fastest rate

}  // namespace

AutomaticOdeSolver::AutomaticOdeSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots)
    : equations_(equations),
      options_(options),
      withRoots_(withRoots),
      explicit_(std::make_unique<RungeKuttaSolver>(equations, options, withRoots)) {
  takeResults();
}

void AutomaticOdeSolver::makeImplicit() {
  if (!implicit_) implicit_ = std::make_unique<BdfSolver>(equations_, options_, withRoots_);
}

void AutomaticOdeSolver::takeResults() {
  const OdeSolver& now = solver();
  t_ = now.time();
  stepEnd_ = now.stepEnd();
  z_ = now.state();
  found_ = now.foundRoots();
  steps_ = explicit_->steps() + (implicit_ ? implicit_->steps() : 0);
  evaluations_ = evaluationsHere_ + explicit_->evaluations() + (implicit_ ? implicit_->evaluations() : 0);
}

void AutomaticOdeSolver::restart(double t, const Vector& z) {
  isImplicit_ = false;
  stepsToEnd_ = 0;
  explicit_->restart(t, z);
  takeResults();
}

OdeSolver::Outcome AutomaticOdeSolver::step(double end) {
  const Outcome outcome = solver().step(end);
  takeResults();
  if (isImplicit_) return outcome;
  stepsToEnd_ = outcome == Outcome::step ? stepsToEnd_ + 1 : 0;
  if (stepsToEnd_ == 0 || !isHeldBack()) return outcome;
  makeImplicit();
  implicit_->restart(t_, z_);
  isImplicit_ = true;
  takeResults();
  return outcome;
}

// The mean of some steps: one that is limited by stability is followed by one that is rejected and shorter.
bool AutomaticOdeSolver::isHeldBack() {
  const std::size_t interval = isStiff_ ? suspicion : patience, phase = stepsToEnd_ % interval;
  if (phase == interval - window) countedFrom_ = t_;
  if (phase != 0) return false;
  constexpr double limit = 2.;
  isStiff_ = (t_ - countedFrom_) / static_cast<double>(window) * spectralRadius() > limit;
  return isStiff_;
}

// In the units of the tolerances.
double AutomaticOdeSolver::norm(const Vector& change) const {
  double sum = 0.;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double weighted = change(i) / (options_.relativeTolerance * std::abs(z_(i)) + options_.absoluteTolerance);
    sum += weighted * weighted;
  }
  return std::sqrt(sum);
}

double AutomaticOdeSolver::spectralRadius() {
  constexpr int iterations = 10;     // fast rates are apart by orders of magnitude where they matter
  constexpr double relative = 1e-7;  // between rounding and curvature
  const std::size_t n = z_.size();
  for (Vector* const vector : {&rate_, &change_, &changedRate_, &changed_}) vector->resize(n, false);
  equations_.computeRates(t_, data(z_), data(rate_));
  evaluationsHere_ += 1 + iterations;
  const double floor = options_.absoluteTolerance / options_.relativeTolerance;
  // Signs without a pattern, so that no mode is left out.
  for (std::size_t i = 0; i < n; ++i) {
    change_(i) = (std::sin(static_cast<double>(i + 1)) > 0. ? relative : -relative) * (std::abs(z_(i)) + floor);
  }
  const double size = norm(change_);
  double radius = 0.;
  for (int k = 0; k < iterations; ++k) {
    for (std::size_t i = 0; i < n; ++i) changed_(i) = z_(i) + change_(i);
    equations_.computeRates(t_, data(changed_), data(changedRate_));
    for (std::size_t i = 0; i < n; ++i) changedRate_(i) -= rate_(i);
    const double grown = norm(changedRate_);
    radius = grown / size;
    if (!(grown > 0.) || !std::isfinite(grown)) break;
    for (std::size_t i = 0; i < n; ++i) change_(i) = changedRate_(i) * (size / grown);
  }
  return radius;
}

void AutomaticOdeSolver::serializeState(StateArchive& archive) {
  archive.value("implicit", isImplicit_);
  archive.value("stiff", isStiff_);
  if (isImplicit_) makeImplicit();
  solver().serializeState(archive);
  if (isImplicit_) explicit_->serializeMemory(archive);
  stepsToEnd_ = 0;
  takeResults();
}

void AutomaticOdeSolver::resume() {
  solver().resume();
  takeResults();
}

void AutomaticOdeSolver::serializeMemory(StateArchive& archive) {
  archive.value("stiff", isStiff_);
  explicit_->serializeMemory(archive);
}

}  // namespace delassus
