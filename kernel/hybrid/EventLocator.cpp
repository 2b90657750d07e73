// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/EventLocator.hpp>
#include <limits>

namespace delassus {
namespace {

// Trial times that differ by no more than these last bits are equal.
double resolution(double t, double end) {
  return 2. * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(end));
}

}  // namespace

EventLocator::EventLocator(HybridEquations& equations, const OdeOptions& options)
    : equations_(equations), solver_(OdeSolver::make(equations, options, false)) {
  values_.assign(equations.roots(), 0.);
}

void EventLocator::setBegin(double t, const Vector& z) {
  begin_ = t;
  assign(z, stateAtBegin_);
}

void EventLocator::moveTo(double t) {
  t_ = t;
  if (t <= begin_) {
    assign(stateAtBegin_, z_);
  } else {
    solver_->restart(begin_, stateAtBegin_);
    while (solver_->step(t) != OdeSolver::Outcome::end) {
    }
    assign(solver_->state(), z_);
  }
  equations_.computeRoots(t, data(z_), values_.data());
}

bool EventLocator::locate(std::size_t root, double guess, double end) {
  moveTo(end);
  sign_ = values_[root] > 0. ? -1. : 1.;
  if (root < equations_.guards() && sign_ < 0.) return false;
  locateBetween(root, begin_, guess, end);
  return true;
}

bool EventLocator::locateReturn(std::size_t root, double end) {
  // Guards of contacts end as close to the root as possible; a user's function so close could not be distinguished from
  // rounding.
  const int mostHalvings = root < equations_.guards() ? 50 : 12;
  moveTo(end);
  sign_ = values_[root] > 0. ? -1. : 1.;
  if (equations_.rootDirection(root) * sign_ > 0.) return false;
  double high = end;
  for (int k = 0; k < mostHalvings; ++k) {
    const double middle = begin_ + 0.5 * (high - begin_);
    if (high - begin_ <= resolution(begin_, end)) return false;
    moveTo(middle);
    if (value(root) > 0.) {
      locateBetween(root, middle, high, high);
      return true;
    }
    high = middle;
  }
  return false;
}

// Between `low`, before the root, and `high`, after it.
void EventLocator::locateBetween(std::size_t root, double low, double guess, double high) {
  constexpr int mostTrials = 60;
  double t = std::clamp(guess, low, high);
  double lastTime = t_;
  double lastValue = value(root);
  for (int k = 0; k < mostTrials && high - low > resolution(high, high); ++k) {
    moveTo(t);
    const double g = value(root);
    (g > 0. ? low : high) = t;
    const bool hasRate = root < equations_.guards() && values_[equations_.firstMinimum() + root] != 1.;
    const double slope = hasRate ? values_[equations_.firstMinimum() + root] : (g - lastValue) / (t - lastTime);
    lastTime = t;
    lastValue = g;
    double next = t - g / slope;
    if (g == 0. || std::abs(next - t) <= resolution(t, high)) break;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    t = next;
  }
  endJustAfter(root, high);
}

// From a time at the root up to rounding to one where the function is not positive.
void EventLocator::endJustAfter(std::size_t root, double end) {
  for (double shift = resolution(t_, end); value(root) > 0. && t_ < end; shift *= 2.) moveTo(std::min(t_ + shift, end));
}

}  // namespace delassus
