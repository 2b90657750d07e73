// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/Gate.hpp>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <optional>
#include <string>
#include <unordered_map>

namespace delassus {

/// Makes gates of control voltages. Where independent sources of a netlist are the control voltage by themselves, as in
/// most gate drives, and all but one of them are constant, the instants at which a PULSE, a PWL or a constant passes
/// the thresholds follow from its numbers: both simulations then switch at these, to rounding, and also where the
/// source jumps. So a transistor whose source is at a supply has instants as one at ground has, of the same drive. Any
/// other control voltage is watched.
class NetlistGates {
 public:
  /// Looks at the sources of the netlist, which must outlive it.
  explicit NetlistGates(const Netlist& netlist);

  /// Closed where the voltage from `plus` to `minus` has risen to thresholds.closes, until it has fallen to
  /// thresholds.opens; the other way round where thresholds.closes is the lower one.
  Gate gate(const std::string& plus, const std::string& minus, const Gate::Thresholds& thresholds) const;

 private:
  // A control voltage: a constant and a wave, or nothing, times a sign.
  struct Sum {
    double constant = 0.;
    const NetlistWaveform* wave = nullptr;
    double sign = 1.;
  };
  // Where a node hangs in a tree of sources: the voltage from it to `above` is sign · wave.
  struct Place {
    std::string above;  // empty at the root
    const NetlistWaveform* wave = nullptr;
    double sign = 1.;
    std::size_t depth = 0;
  };

  std::optional<Sum> sumOf(std::string plus, std::string minus) const;

  std::unordered_map<std::string, Place> places_;  // of nodes that sources have
};

}  // namespace delassus
