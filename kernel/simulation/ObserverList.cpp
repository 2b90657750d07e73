// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/simulation/ObserverList.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/numerics/Error.hpp>
#include <exception>
#include <string>
#include <utility>

namespace delassus {
namespace {

// Counts the calls in progress, however they end.
class Counted {
 public:
  explicit Counted(std::size_t& calls) : calls_(calls) { ++calls_; }
  ~Counted() { --calls_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::size_t& calls_;
};

}  // namespace

void ObserverList::add(std::shared_ptr<SimulationObserver> observer) {
  const std::string where(simulation_.className());
  if (!observer) throw Error(where, "the observer is null.");
  const std::string name(observer->name());
  for (const auto& other : observers_) {
    if (other->name() != name) continue;
    throw Error(where, "there is an observer '" + name + "' already; observers have different names.");
  }
  if (calls_ > 0) {
    throw Error(where, "the observer '" + name +
                           "' was added by an observer; expected it before the run or in the function of run().");
  }
  auto place = observers_.end();
  if (!observer->comesLast()) {
    place = std::find_if(observers_.begin(), observers_.end(), [](const auto& other) { return other->comesLast(); });
  }
  told_.insert(told_.begin() + (place - observers_.begin()), Told{});
  const auto added = observers_.insert(place, std::move(observer));
  allBegun_ = false;
  (*added)->wasAdded(simulation_);
}

void ObserverList::beginAgain(const SimulationObserver& observer) {
  const auto found =
      std::find_if(observers_.begin(), observers_.end(), [&](const auto& other) { return other.get() == &observer; });
  if (found == observers_.end()) {
    throw Error(std::string(simulation_.className()),
                "it does not have the observer '" + std::string(observer.name()) + "'.");
  }
  told_[static_cast<std::size_t>(found - observers_.begin())].begun = false;
  allBegun_ = false;
}

void ObserverList::begin() {
  if (allBegun_) return;
  const Counted counted(calls_);
  for (std::size_t k = 0; k < observers_.size(); ++k) {
    if (told_[k].begun) continue;
    // Before the call: a checkpoint that it restores makes all begin again.
    told_[k].begun = true;
    try {
      observers_[k]->begin(simulation_);
    } catch (...) {
      told_[k].begun = false;
      throw;
    }
    told_[k].everBegun = true;
  }
  allBegun_ = std::all_of(told_.begin(), told_.end(), [](const Told& told) { return told.begun; });
}

// If one of them restores a checkpoint, the others begin again and are not notified then.
template <class Call>
void ObserverList::call(bool Told::*which, Call call) {
  const Counted counted(calls_);
  for (std::size_t k = 0; k < observers_.size(); ++k) {
    if (told_[k].*which) call(*observers_[k]);
  }
}

void ObserverList::beginRun() {
  call(&Told::begun, [this](SimulationObserver& observer) { observer.beginRun(simulation_); });
}

void ObserverList::afterStep() {
  call(&Told::begun, [this](SimulationObserver& observer) { observer.afterStep(simulation_); });
}

void ObserverList::withinStep(double t) {
  call(&Told::begun, [this, t](SimulationObserver& observer) { observer.withinStep(simulation_, t); });
}

void ObserverList::beforeActions() {
  call(&Told::begun, [this](SimulationObserver& observer) { observer.beforeActions(simulation_); });
}

void ObserverList::beforeEvents() {
  call(&Told::begun, [this](SimulationObserver& observer) { observer.beforeEvents(simulation_); });
}

void ObserverList::afterEvents() {
  call(&Told::begun, [this](SimulationObserver& observer) { observer.afterEvents(simulation_); });
}

void ObserverList::onEvent(const Event& event) {
  call(&Told::begun, [&](SimulationObserver& observer) { observer.onEvent(simulation_, event); });
}

void ObserverList::end(RunEnd how) {
  std::exception_ptr first;
  call(&Told::everBegun, [&](SimulationObserver& observer) {
    try {
      observer.end(simulation_, how);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  });
  if (first && how != RunEnd::failed) std::rethrow_exception(first);
}

}  // namespace delassus
