// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/GuardResolution.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Places within a step: a cubic goes through the guards at the first four, and is compared with them at the others. No
// period is a simple fraction of the distances between the places.
constexpr std::array<double, 7> places = {0., 0.3, 0.7236067977499790, 1., 0.12, 0.5, 0.88};
constexpr std::size_t supports = 4;

// The largest deviations, as parts of what a guard varies by. A sine is resolved by steps of up to 1.6/ω whatever its
// phase is, and by none from 3.7/ω on.
constexpr double resolved = 0.01, well = 0.002;

using Samples = std::array<double, places.size()>;

// The cubic through the values at the first four places.
double interpolated(const Samples& values, double place) {
  double sum = 0.;
  for (std::size_t i = 0; i < supports; ++i) {
    double weight = 1.;
    for (std::size_t j = 0; j < supports; ++j) {
      if (j != i) weight *= (place - places[j]) / (places[i] - places[j]);
    }
    sum += weight * values[i];
  }
  return sum;
}

}  // namespace

void GuardResolution::enterMode() {
  isSettled_ = false;
  known_ = 0.;
  since_ = atLimit_ = refused_ = 0;
}

bool GuardResolution::accepts(HybridEquations& equations, double t0, const Vector& z0, double t1) {
  constexpr std::size_t others = 20;  // steps between two looks that need not be
  const double h = t1 - t0;
  if (equations.guards() == 0 || isSettled_ || h <= shortest_ || (h <= known_ && ++since_ < others)) return true;
  since_ = 0;
  if (!sample(equations, t0, z0, h)) {
    limit_ = infinity;
    known_ = std::max(known_, h);
    return true;
  }
  const Deviation deviation = largestDeviation();
  if (deviation.ofGuard > resolved) {
    refuse(t0, h, deviation.ofGuard);
    return false;
  }
  if (deviation.ofVariation <= well) known_ = std::max(known_, h);
  tryLonger(h, deviation.ofGuard);
  return true;
}

// A step of twice the length has sixteen times the deviation; now and then one is tried all the same.
void GuardResolution::tryLonger(double h, double deviation) {
  constexpr std::size_t patience = 20;
  if (h < 0.5 * limit_ || (deviation > resolved / 16. && ++atLimit_ < patience)) return;
  atLimit_ = 0;
  limit_ *= 2.;
}

// A quarter of a step from the same start has some hundredth of the deviation, of what is smooth. What has not has a
// kink or a jump there, or is rounding, and shorter steps do not help.
void GuardResolution::refuse(double t0, double h, double deviation) {
  constexpr std::size_t most = 6;
  constexpr double shorter = 0.25, saturated = 0.3, third = 1. / 3.;
  const bool isAgain = refused_ > 0 && t0 == refusedAt_;
  const bool isRough =
      isAgain && h < third * refusedStep_ && refusedDeviation_ < saturated && deviation > third * refusedDeviation_;
  refused_ = isAgain ? refused_ + 1 : 1;
  refusedAt_ = t0;
  refusedStep_ = h;
  refusedDeviation_ = deviation;
  isSettled_ = refused_ > most || isRough || shorter * h <= shortest_;
  limit_ = isSettled_ ? infinity : shorter * h;
  known_ = std::min(known_, limit_);
}

// False if no guard depends on time by itself, or if the guards have no values there: the state may be far from where
// the motion is.
bool GuardResolution::sample(HybridEquations& equations, double t0, const Vector& z0, double h) {
  bool dependsOnTime = false;
  try {
    for (std::size_t k = 0; k < places.size(); ++k) {
      guards_[k].resize(equations.guards());
      equations.sampleGuards(t0 + places[k] * h, data(z0), guards_[k].data());
      for (const double g : guards_[k]) {
        if (!std::isfinite(g)) return false;
      }
      dependsOnTime = dependsOnTime || guards_[k] != guards_[0];
      if (k == 2 && !dependsOnTime) return false;
    }
  } catch (const Error&) {
    return false;
  }
  return true;
}

// The deviations are parts of what a guard varies by, the second one of a hundredth of the guard where that is more: a
// guard that varies by less does not come to zero.
GuardResolution::Deviation GuardResolution::largestDeviation() const {
  constexpr double relative = 0.01, absolute = 1e-9;
  Deviation largest;
  for (std::size_t i = 0; i < guards_[0].size(); ++i) {
    Samples values;
    for (std::size_t k = 0; k < places.size(); ++k) values[k] = guards_[k][i];
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    const double size = std::max(std::abs(*lowest), std::abs(*highest));
    const double variation = std::max(*highest - *lowest, absolute);
    double deviation = 0.;
    for (std::size_t k = supports; k < places.size(); ++k) {
      deviation = std::max(deviation, std::abs(values[k] - interpolated(values, places[k])));
    }
    largest.ofVariation = std::max(largest.ofVariation, deviation / variation);
    largest.ofGuard = std::max(largest.ofGuard, deviation / std::max(variation, relative * size));
  }
  return largest;
}

void GuardResolution::serializeState(StateArchive& archive) {
  archive.value("longest step that shows guards", limit_);
  archive.value("longest step that was well resolved", known_);
  archive.value("steps since the last look", since_);
  archive.value("looks at steps at the limit", atLimit_);
  archive.value("no more looks", isSettled_);
  archive.value("how often a step was refused", refused_);
  archive.value("start of the refused step", refusedAt_);
  archive.value("length of the refused step", refusedStep_);
  archive.value("deviation of the refused step", refusedDeviation_);
}

}  // namespace delassus
