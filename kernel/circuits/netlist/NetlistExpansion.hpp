// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistBlock.hpp>
#include <delassus/kernel/circuits/netlist/NetlistFrame.hpp>
#include <delassus/kernel/circuits/netlist/NetlistLimits.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNames.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// Makes the flat netlist of a block: subcircuits in place, parameters and models as values.
class NetlistExpansion {
 public:
  /// `block` and its lines must outlive the expansion.
  NetlistExpansion(const NetlistBlock& block, const NetlistLimits& limits)
      : limits_(limits), names_(limits), whole_(block, nullptr, limits.parameterDepth) {}

  /// The netlist with these values in place of what `.param` says. Throws NetlistError.
  Netlist expand(const std::vector<std::pair<std::string, double>>& parameters);

 private:
  void defineParameters(NetlistFrame& frame);
  void addElements(NetlistFrame& frame);
  void addInstance(NetlistStatement& statement, NetlistFrame& frame);
  void addSubcircuit(const NetlistBlock& block, NetlistFrame& owner, NetlistStatement& statement,
                     const std::vector<std::string_view>& nodes, NetlistFrame& caller);
  void connect(NetlistFrame& frame, const std::vector<std::string_view>& nodes, const NetlistFrame& caller,
               const NetlistStatement& statement);
  void requireNoRecursion(const NetlistBlock& block, const NetlistFrame& caller, const NetlistStatement& statement);
  void add(NetlistElement element, const NetlistStatement& statement);
  void findReferences();

  NetlistLimits limits_;
  NetlistNames names_;
  NetlistFrame whole_;
  Netlist netlist_;
  std::set<std::string> notes_;
};

}  // namespace delassus
