// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/StopRequest.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace delassus {
namespace {

// A name stands for one system in messages and recordings.
void warnOfEqualNames(const NonSmoothDynamicalSystem& model) {
  std::unordered_set<std::string_view> names;
  for (const auto& system : model.systems()) {
    if (!names.insert(system->name()).second)
      Log::warning("Two systems of the model have the name '" + system->name() + "'.");
  }
}

}  // namespace

Simulation::Simulation(NonSmoothDynamicalSystem& model) : model_(model), time_(model.t0()), observers_(*this) {
  warnOfEqualNames(model);
}

void Simulation::addState(std::string name, std::function<void(StateArchive&)> serialize) {
  if (!serialize) throw Error(std::string(className()), "the function of the state '" + name + "' is empty.");
  for (const UserState& other : states_) {
    if (other.name != name) continue;
    throw Error(std::string(className()), "there is a state '" + name + "' already; states have different names.");
  }
  states_.push_back({std::move(name), std::move(serialize)});
}

void Simulation::setStatistics(std::string name, std::function<void(StateArchive&)> serialize) {
  if (!serialize) throw Error(std::string(className()), "the function of the statistics '" + name + "' is empty.");
  for (UserState& other : statisticsStates_) {
    if (other.name != name) continue;
    other.serialize = std::move(serialize);
    return;
  }
  statisticsStates_.push_back({std::move(name), std::move(serialize)});
}

bool Simulation::hasInstant(std::size_t index, double time) const {
  return index <= steps_ && time >= model_.t0() && time <= model_.T();
}

// Observers begin with the present state: after a checkpoint was restored, or one of them was added.
void Simulation::beginObservers() {
  while (!observers_.allBegun()) {
    initialise();
    observers_.begin();
  }
}

// Workspaces and multipliers of a simulation go on from its own last step.
void Simulation::requireOwnMotion() const {
  if (!moves_ || *moves_ == model_.moves()) return;
  throw Error(std::string(className()),
              "another simulation has moved the model since the last step of this one, to t = " + toText(time_) +
                  ": a model is moved by one simulation until that is at its end. Make a model for each.");
}

void Simulation::move() {
  requireOwnMotion();
  clock_.beginStep(firstPhase_);
  moves_ = model_.countMove();
  computeStep();
  clock_.enter(Phase::output);
}

void Simulation::step() {
  beginObservers();
  move();
  observers_.afterStep();
  clock_.endStep();
}

void Simulation::run(const std::function<void()>& afterStep) {
  clock_.beginRun();
  try {
    initialise();
    beginObservers();
    observers_.beginRun();
    stopRequested_ = false;
    while (hasNextStep() && !stopRequested_) {
      beginObservers();
      move();
      if (afterStep) afterStep();
      observers_.afterStep();
      clock_.endStep();
    }
    beginObservers();
  } catch (const Interrupted&) {
    // The state is the one before the step that was abandoned.
  } catch (...) {
    clock_.endRun();
    observers_.end(RunEnd::failed);
    throw;
  }
  clock_.endRun();
  observers_.end(hasNextStep() ? RunEnd::stopped : RunEnd::completed);
}

void Simulation::serializeState(StateArchive& archive) {
  archive.section(className());
  archive.value("stepIndex", stepIndex_);
  archive.value("time", time_);
  for (const auto& system : model_.topology().systems()) {
    archive.section("system '" + system->name() + "'");
    system->serializeState(archive);
  }
  archive.section("links");
  serializeLinks(archive);
  for (const auto& interaction : model_.topology().interactions()) {
    archive.section("interaction '" + interaction->name() + "'");
    interaction->serializeState(archive);
  }
  for (const auto& element : model_.elements()) {
    archive.section("force element '" + element->name() + "'");
    element->serializeState(archive);
  }
  archive.section("state of the simulation");
  serializeOwnState(archive);
  // Another simulation on the model must not go on from these states.
  if (archive.restores()) moves_ = model_.countMove();
}

}  // namespace delassus
