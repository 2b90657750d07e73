// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/AutomaticOdeSolver.hpp>
#include <delassus/kernel/hybrid/BdfSolver.hpp>
#include <delassus/kernel/hybrid/RungeKuttaSolver.hpp>

namespace delassus {
namespace {

constexpr std::size_t patience = 50;  // steps before stiffness is looked for, and between two looks
constexpr std::size_t suspicion = 8;  // the same where a piece before was stiff
constexpr std::size_t looks = 4;      // in a row that have to find it, where none was

}  // namespace

AutomaticOdeSolver::AutomaticOdeSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots)
    : equations_(equations),
      options_(options),
      maximalStep_(options.maximalStep),
      withRoots_(withRoots),
      explicit_(std::make_unique<RungeKuttaSolver>(equations, options, withRoots)) {
  takeResults();
}

void AutomaticOdeSolver::makeImplicit() {
  if (implicit_) return;
  implicit_ = std::make_unique<BdfSolver>(equations_, options_, withRoots_);
  implicit_->setMaximalStep(maximalStep_);
}

void AutomaticOdeSolver::setMaximalStep(double step) {
  maximalStep_ = step;
  explicit_->setMaximalStep(step);
  if (implicit_) implicit_->setMaximalStep(step);
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
  stepsSinceLook_ = inRow_ = held_ = 0;
  explicit_->restart(t, z);
  takeResults();
}

OdeSolver::Outcome AutomaticOdeSolver::step(double end) {
  if (inRow_ == 0) times_.back() = t_;
  const Outcome outcome = solver().step(end);
  takeResults();
  if (outcome == Outcome::end) inRow_ = 0;
  // A step with a root in it goes on.
  if (isImplicit_ || outcome != Outcome::step) return outcome;
  ++inRow_;
  ++stepsSinceLook_;
  std::rotate(times_.begin(), times_.begin() + 1, times_.end());
  times_.back() = t_;
  if (!isHeldBack()) return outcome;
  makeImplicit();
  implicit_->restart(t_, z_);
  isImplicit_ = true;
  takeResults();
  return outcome;
}

// By the mean of some steps: one that is limited by stability is followed by one that is rejected and shorter.
bool AutomaticOdeSolver::isHeldBack() {
  constexpr double limit = 2., loose = 1e-5;  // tolerances that allow steps of that length by themselves
  if (options_.relativeTolerance > loose) return false;
  const std::size_t mean = times_.size() - 1;
  if (inRow_ < mean || stepsSinceLook_ < (isStiff_ ? suspicion : patience)) return false;
  stepsSinceLook_ = 0;
  const bool isHeld = (times_.back() - times_.front()) / static_cast<double>(mean) * spectralRadius() > limit;
  held_ = isHeld ? held_ + 1 : 0;
  isStiff_ = held_ >= looks || (isStiff_ && isHeld);
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
  ++evaluationsHere_;
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
    ++evaluationsHere_;
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
  archive.value("steps since the last look", stepsSinceLook_);
  archive.value("looks that found it", held_);
  if (isImplicit_) makeImplicit();
  solver().serializeState(archive);
  if (isImplicit_) explicit_->serializeMemory(archive);
  inRow_ = 0;
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
