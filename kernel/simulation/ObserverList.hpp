// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// The observers of a simulation and the notifications each has had: an observer is begun before it is notified of
/// steps, and each one that has begun is notified of the end.
class ObserverList {
 public:
  /// An empty list; it keeps the reference, for calls and messages.
  explicit ObserverList(Simulation& simulation) : simulation_(simulation) {}

  /// Appends an observer; those with comesLast() stay after the others. Throws Error if it is null, another one has its
  /// name, or an observer is being called.
  void add(std::shared_ptr<SimulationObserver> observer);
  /// In the order in which they are called.
  const std::vector<std::shared_ptr<SimulationObserver>>& all() const { return observers_; }

  /// False if begin() would call an observer.
  bool allBegun() const { return allBegun_; }
  /// Begins those that have not begun or must begin again. One that throws is begun by the next call.
  void begin();
  /// Makes an observer begin again before its next notification. Throws Error if it is not in the list.
  void beginAgain(const SimulationObserver& observer);

  /// Notifies those that have begun; an exception is passed on at once, and the later ones are not notified.
  ///@{
  void beginRun();
  void afterStep();
  void withinStep(double t);
  void onEvent(const Event& event);
  void beforeActions();
  void beforeEvents();
  void afterEvents();
  ///@}
  /// Notifies all, even if one throws; unless the run has failed, the first exception is passed on.
  void end(RunEnd how);

 private:
  struct Told {
    bool begun = false;      // it has begun and is notified of steps
    bool everBegun = false;  // it has begun once and is notified of the end
  };
  template <class Call>
  void call(bool Told::*which, Call call);

  Simulation& simulation_;
  std::vector<std::shared_ptr<SimulationObserver>> observers_;
  std::vector<Told> told_;  // of each observer
  bool allBegun_ = true;
  std::size_t calls_ = 0;  // nested calls in progress
};

}  // namespace delassus
