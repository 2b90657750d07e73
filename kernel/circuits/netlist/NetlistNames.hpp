// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistFrame.hpp>
#include <delassus/kernel/circuits/netlist/NetlistLimits.hpp>
#include <delassus/kernel/circuits/netlist/NetlistStatement.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace delassus {

/// The nodes and elements of a flat netlist by name. Names that differ in the case of letters only are one, which keeps
/// the spelling in which it came first. It also counts what the netlist has grown to.
class NetlistNames {
 public:
  /// Stops at limits.expandedBytes.
  explicit NetlistNames(const NetlistLimits& limits) : bytesLeft_(limits.expandedBytes), limits_(limits) {}

  /// A node that has its own name in all subcircuits: `.global`.
  void addGlobal(std::string_view word) { globals_.insert(lower(word)); }
  /// The node that `word` is in a frame; "0" for ground. Throws NetlistError at the statement beyond the limit.
  std::string node(const NetlistFrame& frame, std::string_view word, const NetlistStatement& statement);
  /// Adds an element. Throws NetlistError at the statement if there is one of this name.
  void addElement(const std::string& name, const NetlistStatement& statement);

  /// The spelling of a node that there is.
  std::optional<std::string> knownNode(std::string_view name) const { return known(nodes_, name); }
  /// The spelling of an element that there is.
  std::optional<std::string> knownElement(std::string_view name) const { return known(elements_, name); }

  /// Counts bytes. Throws NetlistError at the statement beyond the limit.
  void charge(std::size_t bytes, const NetlistStatement& statement);

 private:
  using Spellings = std::unordered_map<std::string, std::string>;
  static std::string lower(std::string_view name);
  static std::optional<std::string> known(const Spellings& spellings, std::string_view name);

  Spellings nodes_, elements_;
  std::unordered_set<std::string> globals_;
  std::size_t bytesLeft_;
  NetlistLimits limits_;
};

}  // namespace delassus
