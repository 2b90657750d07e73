// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/CircuitInstance.hpp>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace delassus::tools {

/// What `--report` tells of a run: which elements conduct together and how long, the energy that each element takes up,
/// and the balance of power at each step, Σ v i = 0 (Tellegen). Energies are by the trapezoidal rule, event-driven from
/// event to event. Where the state jumps, charges q and fluxes φ that an element carries at once give q v + φ i, by the
/// means of v and i before and after.
class CircuitReport {
 public:
  /// Of a circuit that is attached to a simulation.
  CircuitReport(const Netlist& netlist, const CircuitInstance& circuit);

  void look(double t);  ///< at the state after a step that ends at t
  void cut(double t);   ///< just before an event
  void goOn();          ///< just after it
  /// The report, of several lines.
  std::string text() const;

 private:
  struct Element {
    std::string name;
    NetlistKind kind = NetlistKind::resistor;
    bool switches = false;
    std::function<double()> power, current;
    double last = 0.;                        // power at the instant before, W
    double voltage = 0., currentThere = 0.;  // before an event
    double energy = 0.;                      // taken up so far, J
    double largestCurrent = 0.;
  };

  std::string modesText() const;
  std::string energiesText() const;
  std::string balanceText() const;
  double energyOf(const std::function<bool(NetlistKind)>& isIt) const;

  CircuitInstance circuit_;
  std::vector<Element> elements_;
  std::map<std::vector<bool>, double> modes_;  // conducting elements, with the time that they were together
  std::vector<bool> mode_;
  double worstSum_ = 0.;  // of |Σ v i| / Σ |v i|
  double time_ = 0.;
  bool hasLast_ = false;
};

}  // namespace delassus::tools
