// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistFrame.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNames.hpp>
#include <delassus/kernel/circuits/netlist/NetlistStatement.hpp>
#include <string>
#include <string_view>
#include <unordered_set>

namespace delassus {

/// Reads the statements that begin with a point and say what is done with the circuit.
class NetlistCommands {
 public:
  /// Reads the commands of the outermost block, `whole`, into `netlist`.
  NetlistCommands(NetlistFrame& whole, NetlistNames& names, Netlist& netlist)
      : whole_(whole), names_(names), netlist_(netlist) {}

  /// `.global`, before any element.
  void readGlobals();
  /// All others, after all elements. Throws NetlistError.
  void read();

 private:
  void readOne(NetlistStatement& statement);
  void transient(NetlistStatement& statement);
  void initialValues(NetlistStatement& statement);
  void measure(NetlistStatement& statement);
  void outputs(NetlistStatement& statement);
  NetlistSignal signal(NetlistStatement& statement);
  NetlistSignal spelled(const NetlistSignal& signal, const NetlistStatement& statement) const;
  double value(NetlistStatement& statement, std::string_view what);

  NetlistFrame& whole_;
  NetlistNames& names_;
  Netlist& netlist_;
  std::unordered_set<std::string> measures_, outputs_, inductors_;  // that there are, in lower case
};

}  // namespace delassus
