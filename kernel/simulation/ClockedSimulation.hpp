// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/kernel/simulation/TimeDiscretisation.hpp>
#include <delassus/kernel/simulation/TimeEvents.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// A simulation with events at times that are known in advance, on clocks of their own: controllers that sample, and
/// switches. The state is that of such an instant when an action is called, whether it is on the grid of steps or
/// outputs or not; the action may change states, parameters and the model. State of the user's own (an integral, a duty
/// cycle) goes into checkpoints by addState().
///
///     simulation.addSampling("controller", TimeDiscretisation(0., 20e-6), [&] { duty = control(state->x()); });
///     simulation.addSwitching("off", [&](std::size_t k) { return (k + duty) * 20e-6; }, [&] { open(); });
///
/// Events are given before the first step; of one instant they come in the order in which they were given. What was not
/// called when an action throws is called first when the run goes on.
class ClockedSimulation : public Simulation {
 public:
  /// What an event does.
  using Action = TimeEvents::Action;

  /// At given times, ascending; those before t0 and after T never come. Functions of the model that depend on time may
  /// jump, or have a kink, at these and at no others. Throws Error if times do not ascend or are not finite.
  void addTimeEvents(std::string name, std::vector<double> times, Action action = {});
  /// At the instants of a discretisation, the first included. Throws Error if it begins before t0, has a period that is
  /// not a time beside T, or there is no action.
  void addSampling(std::string name, TimeDiscretisation instants, Action action);
  /// At instant(0) < instant(1) < …, infinity past the last one; those before t0 never come. An instant may be changed
  /// by other actions until it has passed, as the edge of a pulse by the controller that finds its width: it is asked
  /// for again before each step. Throws Error if the function or the action is empty; in the run, if an instant is NaN
  /// or does not come after the one before it.
  void addSwitching(std::string name, std::function<double(std::size_t k)> instant, Action action);

 protected:
  using Simulation::Simulation;

  /// Throws Error naming the event if the first step was made.
  void requireNotStarted(const std::string& name) const;
  /// Whether it was.
  virtual bool hasStarted() const = 0;

  /// fire(series) for each series that is due at t; one is no longer so when it is fired. Throws Error where events
  /// accumulate: a switching whose instants tend to one, or that actions move to before t again and again.
  template <class Fire>
  void fireDue(double t, const Fire& fire) {
    while (!due_.empty()) {
      const TimeEvents::Series& series = timeEvents_.series(due_.front());
      countAt(t, series.name);
      due_.erase(due_.begin());
      fire(series);
    }
  }
  /// Saves or restores positions in the series, and what is due.
  void serializeTimeEvents(StateArchive& archive);

  TimeEvents timeEvents_;         ///< all series
  std::vector<std::size_t> due_;  ///< series of the present instant that were not fired yet

 private:
  void countAt(double t, const std::string& name);

  double lastFired_ = 0.;
  std::size_t firedAtOnce_ = 0;
};

}  // namespace delassus
