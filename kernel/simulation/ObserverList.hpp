// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// The observers of a simulation and what each of them was told: one begins before it is told of steps, and whoever has
/// begun is told of the end.
class ObserverList {
 public:
  /// An empty list; it keeps the reference, for calls and messages.
  explicit ObserverList(Simulation& simulation) : simulation_(simulation) {}

  /// In the order of being added, those that come last after the others. Throws Error if it is null, another one has
  /// its name, or an observer is being called.
  void add(std::shared_ptr<SimulationObserver> observer);
  /// In the order in which they are called.
  const std::vector<std::shared_ptr<SimulationObserver>>& all() const { return observers_; }

  /// False if begin() would call an observer.
  bool allBegun() const { return allBegun_; }
  /// Begins those that have not begun, or are to begin again. One that throws is begun by the next call.
  void begin();
  /// Has an observer begin again before it is told of anything else. Throws Error if it is not in the list.
  void beginAgain(const SimulationObserver& observer);

  /// Tells those that have begun; an exception of one goes on at once, and the ones after it are not told.
  ///@{
  void beginRun();
  void afterStep();
  void onEvent(const Event& event);
  ///@}
  /// All are told, whatever one of them throws; unless the run has failed, the first exception goes on.
  void end(RunEnd how);

 private:
  struct Told {
    bool begun = false;      // and is told of steps
    bool everBegun = false;  // and is told of the end
  };
  template <class Call>
  void call(bool Told::*which, Call call);

  Simulation& simulation_;
  std::vector<std::shared_ptr<SimulationObserver>> observers_;
  std::vector<Told> told_;  // of each observer
  bool allBegun_ = true;
  std::size_t calls_ = 0;  // that are going on, one in the other
};

}  // namespace delassus
