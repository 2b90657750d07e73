// SPDX-License-Identifier: Apache-2.0
//
// The part of EventDriven that is about checkpoints.
#include <array>
#include <delassus/kernel/hybrid/EventLocator.hpp>
#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

void serialize(StateArchive& archive, Event& event) {
  archive.value("t", event.t);
  archive.value("kind", event.kind);
  archive.value("source", event.source);
  archive.value("q", event.q);
  archive.value("before", event.before);
  archive.value("after", event.after);
  archive.value("impulse", event.impulse);
  archive.value("duration", event.duration);
}

void requireName(StateArchive& archive, const char* what, const std::string& here) {
  std::string saved = here;
  archive.value(what, saved);
  if (saved == here) return;
  archive.refuse("The run that was saved has the " + std::string(what) + " '" + saved + "' where this one has '" +
                 here + "'.");
}

}  // namespace

Settings EventDriven::settings() const {
  const OdeOptions& ode = options_.integration;
  HybridMotionOptions contacts = options_.contacts;
  Settings settings;
  settings.add("t0", model_.t0());
  settings.add("T", model_.T());
  settings.add("outputs", steps_);
  if (outputs_.isUniform()) settings.add("h", outputs_.step(0));
  constexpr std::array<const char*, 3> methods = {"automatic", "rungeKutta", "bdf"};
  settings.add("integration.method", methods[static_cast<std::size_t>(ode.method)]);
  settings.add("integration.relativeTolerance", ode.relativeTolerance);
  settings.add("integration.absoluteTolerance", ode.absoluteTolerance);
  settings.add("integration.maximalStep", ode.maximalStep);
  settings.add("integration.minimalStep", ode.minimalStep);
  settings.add("integration.restartAfter", ode.restartAfter);
  settings.add("contacts", settingsOf(contacts.fields()));
  settings.add("modes.minimalDwell", options_.modes.minimalDwell);
  settings.add("modes.requireConsistentStart", options_.modes.requireConsistentStart);
  settings.add("keepEvents", options_.keepEvents);
  settings.add("mostEventsAtOnce", options_.mostEventsAtOnce);
  settings.add("impactProblem", motion_->impactProblem().name());
  settings.add("impactProblem", motion_->impactProblem().settings());
  return settings;
}

// An action that has thrown leaves a run between two outputs. The last output is at T exactly, which may not be one of
// a run that goes further.
bool EventDriven::hasInstant(std::size_t index, double time) const {
  if (index > steps_) return false;
  const double begin = outputInstant(index);
  if (time < begin - TimeEvents::resolution(begin)) return false;
  return index == steps_ ? time <= begin + TimeEvents::resolution(begin) : time < outputInstant(index + 1);
}

// A run that is not bound begins its next step with the states of the systems: before the first step, when an action
// has thrown, and when the model has changed since the last output.
void EventDriven::serializeOwnState(StateArchive& archive) {
  bool bound = started_ && boundTo_.isCurrent(model_.topology().version());
  std::size_t evaluated = evaluations();
  archive.value("started", started_);
  archive.value("bound", bound);
  archive.value("evaluations", evaluated);
  problem().serializeCounts(archive);
  watch_.serializeState(archive);
  if (archive.restores()) statistics_.motion = watch_.audit().report();
  serializeEvents(archive);
  if (archive.restores()) {
    boundTo_.forget();
    solver_.reset();
    locator_.reset();
    pastEvaluations_ = evaluated;
  }
  if (!started_) return;
  if (archive.restores()) attach();
  motion_->serializeMemory(archive);
  flow_->serializeMemory(archive);
  if (!bound) return;
  serializeMotion(archive);
  boundTo_.take(model_.topology().version());
}

// The log, and the positions in the user's series of events.
void EventDriven::serializeEvents(StateArchive& archive) {
  serializeTimeEvents(archive);
  const std::size_t count = archive.count("state events", stateEvents_.size());
  if (count != stateEvents_.size()) {
    archive.refuse("The run that was saved has " + std::to_string(count) + " state events, this one has " +
                   std::to_string(stateEvents_.size()) + ".");
  }
  for (StateEvent& event : stateEvents_) {
    requireName(archive, "state event", event.name);
    requireName(archive, "system of a state event", event.system->name());
    const Crossing here = event.crossing;
    Crossing saved = here;
    archive.value("crossing", saved);
    if (saved != here) archive.refuse("The state event '" + event.name + "' was saved with another crossing.");
  }
  archive.value("functions that were not zero", wasNonZero_);
  archive.value("functions that may return", returning_);
  archive.value("functions that were turned", turned_);
  events_.resize(archive.count("events", events_.size()));
  for (Event& event : events_) serialize(archive, event);
  archive.value("last event", lastEvent_);
  archive.value("events at once", eventsAtOnce_);
  archive.value("last user event", lastUserEvent_);
  archive.value("user events in a row", userEventsInARow_);
  archive.values("intervals of user events", userIntervals_.data(), userIntervals_.size());
  archive.value("shorter intervals in a row", shorterUserIntervals_);
  archive.value("steps", statistics_.steps);
  archive.value("evaluations", statistics_.evaluations);
  archive.value("events", statistics_.events);
  archive.value("impacts", statistics_.impacts);
  archive.value("restarts", statistics_.restarts);
}

// The state from which the next step continues, in its mode.
void EventDriven::serializeMotion(StateArchive& archive) {
  bool reset = !startedFrom_.isCurrent(stateResets());
  archive.value("states were reset", reset);
  archive.value("stateTime", stateTime_);
  archive.value("z", z_);
  archive.value("end of the piece", pieceEnd_);
  archive.value("root functions", values_);
  if (z_.size() != equations_->size() || values_.size() != equations_->roots()) {
    archive.refuse("The run that was saved has " + std::to_string(z_.size()) + " variables and " +
                   std::to_string(values_.size()) + " root functions, this one has " +
                   std::to_string(equations_->size()) + " and " + std::to_string(equations_->roots()) + ".");
  }
  equations_->serializeState(archive);
  resolution_.serializeState(archive);
  solver_->setMaximalStep(resolution_.limit());
  solver_->serializeState(archive);
  locator_->serializeMemory(archive);
  if (!archive.restores()) return;
  startedFrom_.take(stateResets());
  if (reset) startedFrom_.forget();
  restored_ = true;
}

// What comes before the first step after restoring: functions of the user may depend on states that were restored after
// this one.
void EventDriven::doAgain() {
  const auto repeat = [this](bool again) {
    equations_->forEach([=](HybridSystem& system, std::size_t, std::size_t) { system.repeat(again); });
  };
  equations_->forEach([](HybridSystem& system, std::size_t, std::size_t) { system.resume(); });
  repeat(true);
  try {
    solver_->resume();
  } catch (...) {
    repeat(false);
    throw;
  }
  repeat(false);
  restored_ = false;
}

}  // namespace delassus
