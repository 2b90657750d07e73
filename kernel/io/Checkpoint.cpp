// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/CheckpointArchive.hpp>
#include <delassus/kernel/io/CheckpointFile.hpp>
#include <delassus/kernel/io/CheckpointModel.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <exception>

namespace delassus {
namespace {

using detail::CheckpointContent;
using Named = CheckpointContent::Named;

template <class Serialize>
std::string saved(Serialize serialize) {
  detail::SavingArchive archive;
  serialize(archive);
  return archive.isEmpty() ? std::string() : std::move(archive).bytes();
}

template <class Serialize>
void restored(const std::string& bytes, const std::string& label, Serialize serialize) {
  detail::RestoringArchive archive(bytes, label);
  serialize(archive);
  archive.requireEnd();
}

std::vector<Named> savedStates(const std::vector<Simulation::UserState>& states) {
  std::vector<Named> all;
  all.reserve(states.size());
  for (const Simulation::UserState& state : states) {
    all.emplace_back(state.name, saved([&](StateArchive& archive) { state.serialize(archive); }));
  }
  return all;
}

// The observers that have something to save.
std::vector<Named> savedObservers(const Simulation& simulation, bool optional) {
  std::vector<Named> all;
  for (const auto& observer : simulation.observers()) {
    if (observer->isOptional() != optional) continue;
    std::string bytes = saved([&](StateArchive& archive) { observer->serializeState(archive); });
    if (!bytes.empty()) all.emplace_back(observer->name(), std::move(bytes));
  }
  return all;
}

const std::string* find(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& entry) { return entry.first == name; });
  return found == all.end() ? nullptr : &found->second;
}

void restoreStates(const std::vector<Named>& all, const std::vector<Simulation::UserState>& states,
                   const std::string& label) {
  for (const Simulation::UserState& state : states) {
    const std::string* const bytes = find(all, state.name);
    if (bytes == nullptr || bytes->empty()) continue;
    restored(*bytes, label + ", state '" + state.name + "'", [&](StateArchive& archive) { state.serialize(archive); });
  }
}

void restoreObservers(const std::vector<Named>& all, Simulation& simulation, const std::string& label) {
  for (const auto& observer : simulation.observers()) {
    const std::string* const bytes = find(all, observer->name());
    if (bytes == nullptr) continue;
    restored(*bytes, label + ", observer '" + std::string(observer->name()) + "'",
             [&](StateArchive& archive) { observer->serializeState(archive); });
    simulation.beginAgain(*observer);
  }
}

// An observer without data in the checkpoint may have seen steps that the restored run does not contain.
void restoreOptionalObservers(const std::vector<Named>& all, Simulation& simulation, const std::string& label) {
  for (const auto& observer : simulation.observers()) {
    if (!observer->isOptional() || find(all, observer->name()) != nullptr) continue;
    observer->wasAdded(simulation);
    simulation.beginAgain(*observer);
  }
  restoreObservers(all, simulation, label);
}

// Functions of the model may use the user's states and change them.
std::vector<CheckpointContent::Probe> probeAndKeepStates(const Simulation& simulation) {
  const std::vector<Named> states = savedStates(simulation.states());
  std::vector<CheckpointContent::Probe> probes = detail::probe(simulation);
  restoreStates(states, simulation.states(), "Checkpoint");
  return probes;
}

void saveInto(Simulation& simulation, CheckpointContent& content) {
  content.time = simulation.time();
  content.stepIndex = simulation.stepIndex();
  content.states = savedStates(simulation.states());
  content.state = saved([&](StateArchive& archive) { simulation.serializeState(archive); });
  content.observers = savedObservers(simulation, false);
  content.optionalObservers = savedObservers(simulation, true);
  content.statistics = savedStates(simulation.statisticsStates());
}

void restoreModel(const CheckpointContent& content, Simulation& simulation, const std::string& label) {
  restored(content.state, label, [&](StateArchive& archive) { simulation.serializeState(archive); });
  restoreStates(content.states, simulation.states(), label);
}

void restoreWhatLooksOn(const CheckpointContent& content, Simulation& simulation, const std::string& label) {
  restoreObservers(content.observers, simulation, label);
  restoreOptionalObservers(content.optionalObservers, simulation, label);
  restoreStates(content.statistics, simulation.statisticsStates(), label);
}

// One part of undoing a refused restore; errors here are ignored, since the reason for the refusal is reported.
template <class Restore>
void attempt(const std::string& label, Restore restore) {
  try {
    restore();
  } catch (const std::exception& error) {
    Log::warning(label + ": it is refused, and not all is as before. " + error.what());
  }
}

// Restores the model and the user's states as they were before, as far as possible.
void goBack(const CheckpointContent& before, Simulation& simulation, const std::string& label) {
  attempt(label,
          [&] { restored(before.state, label, [&](StateArchive& archive) { simulation.serializeState(archive); }); });
  for (const Simulation::UserState& state : simulation.states()) {
    attempt(label, [&] { restoreStates(before.states, {state}, label); });
  }
}

std::string namesMissing(const std::vector<Named>& wanted, const std::vector<Named>& there) {
  std::string names;
  for (const Named& entry : wanted) {
    if (find(there, entry.first) == nullptr) names += (names.empty() ? "'" : ", '") + entry.first + "'";
  }
  return names;
}

void requireSameNames(const char* what, const char* how, const std::vector<Named>& here,
                      const std::vector<Named>& checkpoint, const std::string& label) {
  const std::string missing = namesMissing(checkpoint, here);
  if (!missing.empty()) {
    throw Error(label,
                std::string("it has ") + what + " that this simulation does not have: " + missing + "; " + how + '.');
  }
  const std::string extra = namesMissing(here, checkpoint);
  if (extra.empty()) return;
  throw Error(label, std::string("it lacks ") + what + " that this simulation has: " + extra + ".");
}

void requireSameModel(const CheckpointContent& content, const CheckpointContent& here, const Simulation& simulation,
                      const std::string& label) {
  const std::string different = detail::differences(here.description, content.description);
  if (!different.empty()) throw Error(label, "it is of another model or simulation: " + different + '.');
  if (!simulation.hasInstant(content.stepIndex, content.time)) {
    throw Error(label, "it is of step " + std::to_string(content.stepIndex) + " at t = " + toText(content.time) +
                           ", which is not an instant of this simulation, of " + std::to_string(simulation.steps()) +
                           " steps until T = " + toText(simulation.model().T()) + '.');
  }
  requireSameNames("states", "add them with addState", here.states, content.states, label);
  requireSameNames("observers", "add them with addObserver", here.observers, content.observers, label);
}

std::string labelOf(const std::filesystem::path& path) {
  return "Checkpoint '" + path.string() + "'";
}

}  // namespace

void saveCheckpoint(Simulation& simulation, const std::filesystem::path& path) {
  simulation.initialise();
  CheckpointContent content;
  content.library = libraryVersion;
  content.description = detail::describe(simulation);
  content.probes = probeAndKeepStates(simulation);
  saveInto(simulation, content);
  detail::writeCheckpoint(content, path);
}

void restoreCheckpoint(Simulation& simulation, const std::filesystem::path& path) {
  const std::string label = labelOf(path);
  const CheckpointContent content = detail::readCheckpoint(path);
  simulation.initialise();
  CheckpointContent before;
  before.description = detail::describe(simulation);
  saveInto(simulation, before);
  requireSameModel(content, before, simulation, label);
  try {
    restoreModel(content, simulation, label);
    const std::string different =
        detail::differences(probeAndKeepStates(simulation), content.probes, simulation.time());
    if (!different.empty()) {
      throw Error(label, "a function or a parameter of the model has changed: " + different + '.');
    }
  } catch (...) {
    goBack(before, simulation, label);
    throw;
  }
  try {
    restoreWhatLooksOn(content, simulation, label);
  } catch (...) {
    goBack(before, simulation, label);
    attempt(label, [&] { restoreWhatLooksOn(before, simulation, label); });
    throw;
  }
  // All begin with the restored state, since they have not seen the steps before it.
  for (const auto& observer : simulation.observers()) simulation.beginAgain(*observer);
}

Snapshot::Snapshot(Simulation& simulation) : simulation_(simulation) {
  simulation.initialise();
  userStates_ = savedStates(simulation.states());
  observers_ = savedObservers(simulation, false);
  state_ = saved([&](StateArchive& archive) { simulation.serializeState(archive); });
}

void Snapshot::restore() const {
  requireSameNames("states", "make it after addState", savedStates(simulation_.states()), userStates_, "Snapshot");
  restored(state_, "Snapshot", [&](StateArchive& archive) { simulation_.serializeState(archive); });
  restoreStates(userStates_, simulation_.states(), "Snapshot");
  restoreObservers(observers_, simulation_, "Snapshot");
  for (const auto& observer : simulation_.observers()) simulation_.beginAgain(*observer);
}

CheckpointInfo checkpointInfo(const std::filesystem::path& path) {
  const CheckpointContent content = detail::readCheckpoint(path);
  return {content.library, static_cast<std::size_t>(content.stepIndex), content.time};
}

}  // namespace delassus
