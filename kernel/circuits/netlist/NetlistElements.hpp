// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistFrame.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNames.hpp>
#include <delassus/kernel/circuits/netlist/NetlistStatement.hpp>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

/// Reads the statement of one element into a record.
class NetlistElementReader {
 public:
  /// `notes` takes what is read and not used.
  NetlistElementReader(NetlistStatement& statement, NetlistFrame& frame, NetlistNames& names,
                       std::set<std::string>& notes)
      : statement_(statement), frame_(frame), names_(names), notes_(notes) {}

  /// An element of any letter but X. Throws NetlistError.
  NetlistElement read();
  /// True for the name of a device of an X statement: "opamp".
  static bool isDevice(std::string_view model);
  /// An X statement of such a device. `model` is behind its nodes.
  NetlistElement readDevice(const std::vector<std::string_view>& nodes, const std::string& model);

 private:
  void start(NetlistKind kind);
  void twoTerminal(NetlistKind kind, std::string_view valueName);
  void coupling();
  void independentSource(NetlistKind kind);
  void voltageControlled(NetlistKind kind);
  void currentControlled(NetlistKind kind);
  void table();
  void diode();
  void voltageSwitch();
  void mosfet();
  void igbt();

  void nodes(std::size_t count);
  void reference(std::string_view word);
  double value(std::string_view what);
  void parameter(const std::string& name, double value) { element_.parameters.emplace_back(name, value); }
  void assigned(std::initializer_list<std::string_view> known);
  void requireNotNegative(std::initializer_list<std::string_view> names) const;
  void requirePositive(double value, std::string_view what) const;

  std::string model(std::initializer_list<std::string_view> types, std::initializer_list<std::string_view> used,
                    std::initializer_list<std::string_view> idle);
  void thresholdOfDiode();

  void waveform();
  void values(std::string_view what, std::size_t fewest, std::size_t most);
  void sineValues();
  void pulseValues();
  void lineValues();
  void exponentialValues();
  void complete(std::initializer_list<double> defaults);

  NetlistStatement& statement_;
  NetlistFrame& frame_;
  NetlistNames& names_;
  std::set<std::string>& notes_;
  NetlistElement element_;
  std::string modelLabel_;  // place and name
};

}  // namespace delassus
