// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/numerics/Error.hpp>

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
  observers_.push_back(std::move(observer));
}

void Simulation::addState(std::string name, std::function<void(StateArchive&)> serialize) {
  if (!serialize) throw Error(std::string(className()), "the function of the state '" + name + "' is empty.");
  for (const UserState& other : states_) {
    if (other.name != name) continue;
    throw Error(std::string(className()), "there is a state '" + name + "' already; states have different names.");
  }
  states_.push_back({std::move(name), std::move(serialize)});
}

bool Simulation::hasInstant(std::size_t index, double time) const {
  return index <= steps_ && time >= model_.t0() && time <= model_.T();
}

void Simulation::begin() {
  while (begun_ < observers_.size()) observers_[begun_++]->begin(*this);
}

void Simulation::notifyStep() {
  for (const bool last : {false, true}) {
    for (const auto& observer : observers_) {
      if (observer->comesLast() == last) observer->afterStep(*this);
    }
  }
}

void Simulation::notifyEvent(const Event& event) {
  for (std::size_t k = 0; k < begun_; ++k) observers_[k]->onEvent(*this, event);
}

void Simulation::end(RunEnd how) {
  for (const bool last : {false, true}) {
    for (const auto& observer : observers_) {
      if (observer->comesLast() == last) observer->end(*this, how);
    }
  }
}

void Simulation::step() {
  if (begun_ < observers_.size()) {
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
  initialise();
  begin();
  stopRequested_ = false;
  try {
    while (hasNextStep() && !stopRequested_) {
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
}

}  // namespace delassus
