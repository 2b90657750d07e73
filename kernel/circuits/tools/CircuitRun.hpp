// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "CircuitOptions.hpp"

namespace delassus::tools {

/// What came of a run.
struct CircuitResult {
  std::vector<std::pair<std::string, double>> parameters;  ///< those of `.step`
  std::vector<std::pair<std::string, double>> measures;
  std::size_t steps = 0;
  double seconds = 0.;  ///< wall time of the simulation
  std::string report;   ///< where it was asked for
  std::string summary;
};

/// Simulates a run of a netlist. Its files have `suffix` before their extension. Throws Error.
CircuitResult runCircuit(const NetlistDocument& document, std::size_t run, const std::string& suffix,
                         const CircuitOptions& options);

/// "out.csv" with "-2" is "out-2.csv".
std::filesystem::path withSuffix(const std::filesystem::path& file, const std::string& suffix);

}  // namespace delassus::tools
