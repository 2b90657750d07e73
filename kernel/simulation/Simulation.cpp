// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/numerics/Error.hpp>
#include <exception>

namespace delassus {

Simulation::Simulation(NonSmoothDynamicalSystem& model) : model_(model), time_(model.t0()) {
}

void Simulation::addObserver(std::shared_ptr<SimulationObserver> observer) {
  if (!observer) throw Error(std::string(className()), "the observer is null.");
  for (const auto& other : observers_) {
    if (other->name() != observer->name()) continue;
    throw Error(std::string(className()),
                "there is an observer '" + std::string(other->name()) + "' already; observers have different names.");
  }
  auto place = observers_.end();
  if (!observer->comesLast()) {
    place = std::find_if(observers_.begin(), observers_.end(), [](const auto& other) { return other->comesLast(); });
  }
  begun_.insert(begun_.begin() + (place - observers_.begin()), 0);
  const auto added = observers_.insert(place, std::move(observer));
  allBegun_ = false;
  (*added)->wasAdded(*this);
}

void Simulation::beginAgain(SimulationObserver& observer) {
  const auto found =
      std::find_if(observers_.begin(), observers_.end(), [&](const auto& other) { return other.get() == &observer; });
  if (found == observers_.end()) {
    throw Error(std::string(className()), "it has not the observer '" + std::string(observer.name()) + "'.");
  }
  begun_[static_cast<std::size_t>(found - observers_.begin())] = 0;
  allBegun_ = false;
  observer.wasAdded(*this);
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

// One that throws is begun again by the next step or run.
void Simulation::begin() {
  for (std::size_t k = 0; k < observers_.size(); ++k) {
    if (begun_[k] != 0) continue;
    observers_[k]->begin(*this);
    begun_[k] = 1;
  }
  allBegun_ = true;
}

void Simulation::notifyStep() {
  for (std::size_t k = 0; k < observers_.size(); ++k) {
    if (begun_[k] != 0) observers_[k]->afterStep(*this);
  }
}

void Simulation::notifyEvent(const Event& event) {
  for (std::size_t k = 0; k < observers_.size(); ++k) {
    if (begun_[k] != 0) observers_[k]->onEvent(*this, event);
  }
}

// All are told, whatever one of them throws.
void Simulation::end(RunEnd how) {
  std::exception_ptr first;
  for (std::size_t k = 0; k < observers_.size(); ++k) {
    if (begun_[k] == 0) continue;
    try {
      observers_[k]->end(*this, how);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first && how != RunEnd::failed) std::rethrow_exception(first);
}

void Simulation::step() {
  if (!allBegun_) {
    initialise();
    begin();
  }
  clock_.beginStep(firstPhase_);
  computeStep();
  clock_.enter(Phase::output);
  notifyStep();
  clock_.endStep();
}

void Simulation::run(const std::function<void()>& afterStep) {
  clock_.beginRun();
  try {
    initialise();
    begin();
    for (const auto& observer : observers_) observer->beginRun(*this);
    stopRequested_ = false;
    while (hasNextStep() && !stopRequested_) {
      if (!allBegun_) begin();  // one was added, or a checkpoint restored, after the last step
      clock_.beginStep(firstPhase_);
      computeStep();
      clock_.enter(Phase::output);
      if (afterStep) afterStep();
      notifyStep();
      clock_.endStep();
    }
  } catch (...) {
    clock_.endRun();
    end(RunEnd::failed);
    throw;
  }
  clock_.endRun();
  end(hasNextStep() ? RunEnd::stopped : RunEnd::completed);
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
  archive.section("state of the simulation");
  serializeOwnState(archive);
  if (!archive.restores()) return;
  // Observers, which have not seen the steps up to here, begin with what is restored.
  std::fill(begun_.begin(), begun_.end(), 0);
  allBegun_ = false;
}

}  // namespace delassus
