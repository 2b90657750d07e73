// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/PhaseClock.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus {
namespace {

constexpr double share = 0.003;  // fraction of the time that the clock may take
constexpr double longestInterval = 2000.;

double secondsBetween(PhaseClock::Clock::time_point from, PhaseClock::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// The minimum of a few: the others were interrupted.
double durationOfAReading() {
  double least = 1.;
  auto before = PhaseClock::Clock::now();
  for (int k = 0; k < 20; ++k) {
    const auto now = PhaseClock::Clock::now();
    const double duration = secondsBetween(before, now);
    if (duration > 0.) least = std::min(least, duration);
    before = now;
  }
  return least;
}

}  // namespace

std::string_view toString(Phase phase) {
  switch (phase) {
    case Phase::preparation:
      return "preparation";
    case Phase::collision:
      return "collision detection";
    case Phase::freeState:
      return "free state, factorisation";
    case Phase::assembly:
      return "assembly";
    case Phase::solve:
      return "solver";
    case Phase::update:
      return "update, Newton test, outputs";
    case Phase::projection:
      return "projection";
    case Phase::integration:
      return "integration";
    case Phase::eventLocation:
      return "location of events";
    case Phase::modes:
      return "impacts and modes";
    case Phase::output:
      return "observers, output";
  }
  return "other";
}

void PhaseClock::beginRun() {
  runs_ = true;
  runBegin_ = last_ = Clock::now();
  left_ = interval_ = 1;
}

void PhaseClock::endRun() {
  runTime_ += secondsBetween(runBegin_, Clock::now());
  runs_ = measures_ = false;
}

void PhaseClock::begin(Phase phase) {
  if (reading_ == 0.) reading_ = durationOfAReading();
  measures_ = true;
  phase_ = phase;
  marks_ = 1;
  step_.fill(0.);
  last_ = Clock::now();
}

void PhaseClock::change(Phase phase) {
  const Clock::time_point now = Clock::now();
  ++marks_;
  step_[static_cast<std::size_t>(phase_)] += std::max(0., secondsBetween(last_, now) - reading_);
  phase_ = phase;
  last_ = now;
}

void PhaseClock::end() {
  change(phase_);
  measures_ = false;
  ++measured_;
  const double weight = static_cast<double>(interval_);
  for (std::size_t i = 0; i < phases; ++i) total_[i] += weight * step_[i];
  const double duration = std::accumulate(step_.begin(), step_.end(), 0.);
  if (!runs_) outside_ += weight * duration;
  chooseInterval(duration);
}

void PhaseClock::chooseInterval(double duration) {
  const double least = static_cast<double>(marks_) * reading_ / (share * std::max(duration, 1e-8));
  interval_ = static_cast<std::uint64_t>(std::clamp(std::ceil(least), 1., longestInterval));
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  interval_ += (random_ >> 33) % (interval_ / 4 + 1);
  left_ = interval_;
}

double PhaseClock::sum() const {
  return std::accumulate(total_.begin(), total_.end(), 0.);
}

double PhaseClock::wallTime() const {
  const double present = runs_ ? secondsBetween(runBegin_, Clock::now()) : 0.;
  return runTime_ + outside_ + present;
}

double PhaseClock::seconds(Phase phase) const {
  const double all = sum();
  return all > 0. ? total_[static_cast<std::size_t>(phase)] / all * wallTime() : 0.;
}

}  // namespace delassus
