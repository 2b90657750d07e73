// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/netlist/NetlistMeter.hpp>
#include <delassus/kernel/simulation/SimulationObserver.hpp>

namespace delassus {

/// Lets a meter look at what jumps in a run: at edges of sources and gates that are known, and event-driven at each
/// switching. In time stepping the values before an edge are those of the step that ends there, and those after it are
/// not known until the next step, whose values count from the edge on.
class NetlistMeterWatch final : public SimulationObserver {
 public:
  /// The meter must stay for the whole run; the program calls its look() after each step or output.
  explicit NetlistMeterWatch(NetlistMeter& meter) : meter_(meter) {}

  std::string_view name() const override { return "measures"; }
  bool isOptional() const override { return true; }
  void beforeActions(Simulation& simulation) override;
  void beforeEvents(Simulation& simulation) override;
  void afterEvents(Simulation& simulation) override;

 private:
  NetlistMeter& meter_;
};

}  // namespace delassus
