// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <memory>
#include <string>

namespace delassus {

class CircuitState;

/// Looks at a circuit after each step of time stepping, and after each event of an event-driven run.
class CircuitWatch final : public SimulationObserver {
 public:
  /// The simulation is the one that it observes.
  CircuitWatch(std::shared_ptr<CircuitState> circuit, const std::string& name, const Simulation& simulation,
               bool hasEvents);

  std::string_view name() const override { return name_; }
  bool isOptional() const override { return true; }
  void begin(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override;
  void beforeActions(Simulation& simulation) override;
  void beforeEvents(Simulation& simulation) override;
  void onEvent(Simulation& simulation, const Event& event) override;

  double time() const;                                                            ///< of the simulation's present state
  bool observes(const Simulation& other) const { return simulation_ == &other; }  ///< whether it is that one's

 private:
  std::shared_ptr<CircuitState> circuit_;
  std::string name_;
  const Simulation* simulation_;
  bool hasEvents_;
};

}  // namespace delassus
