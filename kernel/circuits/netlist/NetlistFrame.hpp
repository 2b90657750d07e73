// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistBlock.hpp>
#include <delassus/kernel/circuits/netlist/ParameterScope.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace delassus {

/// A block in place: an instance of a subcircuit, or the whole netlist. Models, subcircuits and parameters that the
/// block does not define are those of the block around its definition, in the instance that it was found in.
struct NetlistFrame {
  /// `lexical`: the frame that has the definition; null: the whole netlist.
  NetlistFrame(const NetlistBlock& its, NetlistFrame* lexical, std::size_t parameterDepth)
      : block(its), around(lexical), scope(lexical != nullptr ? &lexical->scope : nullptr, parameterDepth) {}

  /// A model by its name in lower case, with the frame that has it; null where there is none.
  std::pair<const NetlistModel*, NetlistFrame*> model(std::string_view name);
  /// A subcircuit, likewise.
  std::pair<const NetlistBlock*, NetlistFrame*> subcircuit(std::string_view name);

  const NetlistBlock& block;                           ///< what is in place
  NetlistFrame* around;                                ///< the frame that has its definition
  const NetlistFrame* caller = nullptr;                ///< the frame with the X statement
  ParameterScope scope;                                ///< its parameters
  std::string path;                                    ///< "X1.X2.", before names of elements and nodes
  std::unordered_map<std::string, std::string> ports;  ///< in lower case, with the nodes that they are
  std::size_t depth = 0;                               ///< of subcircuits in each other
};

}  // namespace delassus
