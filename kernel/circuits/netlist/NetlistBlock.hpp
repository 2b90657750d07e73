// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistStatement.hpp>
#include <delassus/kernel/circuits/netlist/NetlistText.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// A name and the text of its value, as they stand in `.param`, `.model` and the like.
struct NetlistAssignment {
  std::string name;             ///< in lower case
  std::string_view expression;  ///< as it stands in the line
  NetlistPlace place;           ///< where
};

/// `.model NAME TYPE(name=value …)`.
struct NetlistModel {
  std::string type;                           ///< in lower case
  std::vector<NetlistAssignment> parameters;  ///< in their order
  NetlistPlace place;                         ///< of its name
};

/// What is between `.subckt` and `.ends`, and the whole netlist as the outermost block, with its statements in order by
/// what they are. The lines must outlive it.
struct NetlistBlock {
  std::string name;                                         ///< as it was written; of the outermost block empty
  NetlistPlace place;                                       ///< of its name
  std::vector<std::string> ports;                           ///< in lower case
  std::vector<NetlistAssignment> defaults;                  ///< parameters of an instance
  std::vector<NetlistAssignment> parameters;                ///< `.param`
  std::map<std::string, NetlistModel, std::less<>> models;  ///< by their names in lower case
  std::vector<const NetlistLine*> elements;                 ///< in their order
  std::vector<const NetlistLine*> commands;                 ///< of the outermost block: `.tran` and the like
  std::map<std::string, std::unique_ptr<NetlistBlock>, std::less<>> blocks;  ///< subcircuits that are defined in it

  /// Sorts the statements of a text. Throws NetlistError.
  static NetlistBlock of(const NetlistText& text, const NetlistLimits& limits, std::vector<std::string>& notes);
};

/// `name = value` as often as it stands there.
void takeAssignments(NetlistStatement& statement, std::vector<NetlistAssignment>& assignments);

}  // namespace delassus
