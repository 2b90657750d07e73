// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus {

/// Bounds on what a netlist may ask for, so that no file takes more memory or time than they say. With the defaults the
/// reader and the flat netlist stay below 1 GB, and below a minute.
struct NetlistLimits {
  std::size_t textBytes = 16'000'000;       ///< of all files together, those included twice counted twice
  std::size_t statementBytes = 1'000'000;   ///< of a statement with its continuations
  std::size_t statements = 1'000'000;       ///< of all files together
  std::size_t expandedBytes = 256'000'000;  ///< of the flat netlist: the text that it stands for, names and values
  std::size_t subcircuitDepth = 50;         ///< subcircuits within subcircuits
  std::size_t includeDepth = 16;            ///< files within files
  std::size_t parameterDepth = 20;          ///< parameters that refer to later parameters, in a chain
  std::size_t runs = 100'000;               ///< of all `.step` together
};

}  // namespace delassus
