// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <delassus/kernel/hybrid/HybridSystem.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <vector>

namespace delassus::test {

/// Integrates a hybrid system by itself with the classical Runge–Kutta method at a fixed step and bisection for the
/// instants where guards fall: a second opinion for what EventDriven does, and accurate enough where its errors (h⁴) do
/// not matter. The integration restarts after each event.
class HybridLoop {
 public:
  HybridLoop(HybridSystem& system, const NonSmoothDynamicalSystem& model, double step)
      : system_(system), time_(model.t0()), step_(step) {
    system_.bind(model, time_);
    state_.resize(system_.size());
    system_.start(time_, true, state_.data());
    system_.enter(time_, state_.data(), events_);
    guards_.resize(system_.guards());
    slopes_.resize(system_.guards());
  }

  void advanceTo(double end, const std::function<void()>& eachStep = {}) {
    std::size_t here = 0;  // events in a row without progress
    while (time_ < end) {
      const double h = std::min(step_, end - time_);
      const double after = h == end - time_ ? end : time_ + h;
      std::vector<double> next = stepped(h);
      if (fallen(after, next).empty()) {
        time_ = after;
        state_ = next;
        here = 0;
        if (eachStep) eachStep();
        continue;
      }
      double below = 0., above = h;
      for (int k = 0; k < 60 && time_ + below < time_ + above; ++k) {
        const double middle = 0.5 * (below + above);
        (fallen(time_ + middle, stepped(middle)).empty() ? below : above) = middle;
      }
      state_ = stepped(above);
      const double at = time_ + above;
      here = above > 0. && at > time_ ? 0 : here + 1;
      if (here > 50) throw Error("HybridLoop", "events without end at t = " + toText(at));
      time_ = at;
      const std::vector<std::size_t> guards = fallen(time_, state_);
      system_.cross(time_, state_.data(), guards, events_);
      ++crossings_;
    }
  }

  void accept() { system_.accept(time_, state_.data()); }

  double time() const { return time_; }
  const std::vector<double>& state() const { return state_; }
  const std::vector<Event>& events() const { return events_; }
  std::size_t crossings() const { return crossings_; }

 private:
  std::vector<double> stepped(double h) {
    const std::size_t n = state_.size();
    std::vector<double> k(n), stage(n), sum = state_;
    const double weights[] = {h / 6., h / 3., h / 3., h / 6.};
    const double places[] = {0., 0.5 * h, 0.5 * h, h};
    for (int s = 0; s < 4; ++s) {
      stage = state_;
      for (std::size_t i = 0; s > 0 && i < n; ++i) stage[i] += places[s] * k[i];
      system_.rates(time_ + places[s], stage.data(), k.data());
      for (std::size_t i = 0; i < n; ++i) sum[i] += weights[s] * k[i];
    }
    return sum;
  }

  std::vector<std::size_t> fallen(double t, const std::vector<double>& z) {
    system_.computeGuards(t, z.data(), guards_.data(), slopes_.data());
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      if (guards_[i] < 0.) result.push_back(i);
    }
    return result;
  }

  HybridSystem& system_;
  double time_, step_;
  std::vector<double> state_, guards_, slopes_;
  std::vector<Event> events_;
  std::size_t crossings_ = 0;
};

}  // namespace delassus::test
