// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/ClockedSimulation.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

void ClockedSimulation::requireNotStarted(const std::string& name) const {
  if (!hasStarted()) return;
  throw Error(std::string(className()), "the event '" + name + "' comes too late: give events before the first step.");
}

void ClockedSimulation::addTimeEvents(std::string name, std::vector<double> times, Action action) {
  requireNotStarted(name);
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (std::isfinite(times[k]) && (k == 0 || times[k] > times[k - 1])) continue;
    throw Error(std::string(className()), "the times of the events '" + name +
                                              "' must be finite and ascend, but number " + std::to_string(k) + " is " +
                                              toText(times[k]) + '.');
  }
  const auto instant = [times = std::move(times)](std::size_t k) { return k < times.size() ? times[k] : never; };
  timeEvents_.add({std::move(name), EventKind::user, instant, std::move(action), 0});
}

void ClockedSimulation::addSampling(std::string name, TimeDiscretisation instants, Action action) {
  requireNotStarted(name);
  if (!action) throw Error(std::string(className()), "the sampling '" + name + "' has no action.");
  TimeDiscretisation all = std::move(instants).startingWith(model().t0());
  const double T = model().T(), span = std::max(std::abs(model().t0()), std::abs(T));
  if (all.t0() < model().t0() - TimeEvents::resolution(span)) {
    throw Error(std::string(className()), "the sampling '" + name + "' begins at t = " + toText(all.t0()) +
                                              ", before the model does at t0 = " + toText(model().t0()) + '.');
  }
  if (all.isUniform() && !(all.step(0) > TimeEvents::resolution(span))) {
    throw Error(std::string(className()), "the period of the sampling '" + name + "', " + toText(all.step(0)) +
                                              " s, is too short for times up to T = " + toText(T) + '.');
  }
  const auto instant = [all = std::move(all), T](std::size_t k) {
    if (!all.isUniform() && k > all.stepsUntil(never)) return never;
    const double t = all.instant(k);
    return t > T + TimeEvents::resolution(T) ? never : t;
  };
  timeEvents_.add({std::move(name), EventKind::sample, instant, std::move(action), 0});
}

void ClockedSimulation::addSwitching(std::string name, std::function<double(std::size_t)> instant, Action action) {
  requireNotStarted(name);
  if (!instant || !action) {
    throw Error(std::string(className()), "the function or the action of the switching '" + name + "' is empty.");
  }
  timeEvents_.add({std::move(name), EventKind::user, std::move(instant), std::move(action), 0, true});
}

void ClockedSimulation::countAt(double t, const std::string& name) {
  constexpr std::size_t most = 10000;
  firedAtOnce_ = t == lastFired_ ? firedAtOnce_ + 1 : 0;
  lastFired_ = t;
  if (firedAtOnce_ < most) return;
  throw Error(std::string(className()), "events accumulate: that of '" + name + "' is number " + std::to_string(most) +
                                            " at t = " + toText(t) + '.');
}

void ClockedSimulation::serializeTimeEvents(StateArchive& archive) {
  timeEvents_.serializeState(archive);
  archive.value("due time events", due_);
}

}  // namespace delassus
