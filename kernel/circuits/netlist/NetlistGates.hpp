// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/Gate.hpp>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace delassus {

/// Makes gates of control voltages. Where an independent source of a netlist is the control voltage by itself, as in
/// most gate drives, the instants at which a PULSE, a PWL or a constant passes the thresholds follow from its numbers:
/// both simulations then switch at these, to rounding, and also where the source jumps. Any other control voltage is
/// watched.
class NetlistGates {
 public:
  /// Looks at the sources of the netlist, which must outlive it.
  explicit NetlistGates(const Netlist& netlist);

  /// Closed where the voltage from `plus` to `minus` has risen to thresholds.closes, until it has fallen to
  /// thresholds.opens.
  Gate gate(const std::string& plus, const std::string& minus, const Gate::Thresholds& thresholds) const;

 private:
  std::unordered_map<std::string, const NetlistWaveform*> sources_;  // by both nodes, with a line end between
};

}  // namespace delassus
