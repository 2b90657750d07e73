// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitWatch.hpp>

#include <delassus/kernel/circuits/CircuitState.hpp>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <utility>

namespace delassus {

CircuitWatch::CircuitWatch(std::shared_ptr<CircuitState> circuit, const std::string& name, const Simulation& simulation,
                           bool hasEvents)
    : circuit_(std::move(circuit)), name_("circuit " + name), simulation_(&simulation), hasEvents_(hasEvents) {
}

void CircuitWatch::begin(Simulation&) {
  if (hasEvents_) {
    circuit_->examineStart();
  } else {
    circuit_->examineAll();
  }
}

// Gates of an event-driven run are located by its own functions; between events no thyristor stops.
void CircuitWatch::afterStep(Simulation&) {
  if (!hasEvents_) circuit_->examineAll();
}

void CircuitWatch::beforeActions(Simulation&) {
  if (!hasEvents_) circuit_->examineAll();
}

void CircuitWatch::beforeEvents(Simulation&) {
  circuit_->forgetImpulses();
}

// A control voltage that jumps with a state passes its threshold without a zero.
void CircuitWatch::onEvent(Simulation&, const Event& event) {
  if (!hasEvents_) return;
  circuit_->forgetImpulsesBefore(event.t);
  if (event.kind == EventKind::stateJump) {
    circuit_->takeImpulse(event);
    circuit_->examineAll();
  } else {
    circuit_->examineLatches();
  }
  circuit_->examineClocked(event.t);
}

double CircuitWatch::time() const {
  return simulation_->time();
}

}  // namespace delassus
