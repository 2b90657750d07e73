// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/TimeDiscretisation.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

// Fraction of a step that counts as rounding in the user's T and h.
constexpr double stepTolerance = 1e-9;

}  // namespace

TimeDiscretisation::TimeDiscretisation(double t0, double h) : t0_(t0), h_(h) {
  if (!std::isfinite(t0)) {
    throw Error("TimeDiscretisation", "the initial time t0 must be finite, got " + toText(t0) + ".");
  }
  if (!(h > 0.) || !std::isfinite(h)) {
    throw Error("TimeDiscretisation", "the step h must be positive and finite, got " + toText(h) + ".");
  }
}

TimeDiscretisation::TimeDiscretisation(std::vector<double> instants) : instants_(std::move(instants)) {
  if (instants_.size() < 2) {
    throw Error("TimeDiscretisation", "expected at least two instants, got " + std::to_string(instants_.size()) + ".");
  }
  for (std::size_t k = 0; k < instants_.size(); ++k) {
    const bool increasing = k == 0 || instants_[k] > instants_[k - 1];
    if (std::isfinite(instants_[k]) && increasing) continue;
    throw Error("TimeDiscretisation", "instants must be finite and increasing, but instant " + std::to_string(k) +
                                          " is " + toText(instants_[k]) +
                                          (k == 0 ? "." : " after " + toText(instants_[k - 1]) + "."));
  }
  t0_ = instants_.front();
}

std::size_t TimeDiscretisation::stepsUntil(double T) const {
  if (isUniform()) {
    const double steps = (T - t0_) / h_;
    if (!(steps < 9e15)) {
      throw Error("TimeDiscretisation", "the step h = " + toText(h_) + " is too small for T = " + toText(T) +
                                            ": the number of steps is not representable.");
    }
    if (!(steps > 0.)) return 0;
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(steps * (1. - 1e-15) - stepTolerance)));
  }
  if (instants_.back() > T) {
    throw Error("TimeDiscretisation",
                "the last instant, " + toText(instants_.back()) + ", is after the final time T = " + toText(T) + ".");
  }
  return instants_.size() - 1;
}

double TimeDiscretisation::instant(std::size_t k) const {
  return isUniform() ? std::fma(static_cast<double>(k), h_, t0_) : instants_.at(k);
}

double TimeDiscretisation::step(std::size_t k) const {
  return isUniform() ? h_ : instants_.at(k + 1) - instants_.at(k);
}

}  // namespace delassus
