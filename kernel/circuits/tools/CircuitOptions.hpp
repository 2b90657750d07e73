// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <optional>
#include <string>

namespace delassus::tools {

/// The options on the command line of delassus-circuit.
struct CircuitOptions {
  std::string file;
  bool isEventDriven = false;
  OdeMethod integrator = OdeMethod::automatic;  ///< event-driven
  double step = 0.;                             ///< s; 0: that of `.tran`
  double end = 0.;                              ///< s; 0: that of `.tran`
  double theta = 1.;                            ///< of Euler–Moreau's scheme
  std::string output;                           ///< .csv, or .h5 or .hdf5; empty: none
  std::string picture;                          ///< .png; empty: none
  bool reports = false;
  bool json = false;
  bool checks = false;  ///< reads the netlist and makes the circuit, and ends
};

/// Reads the command line into `options`; returns an exit code if the program must end (after --help, or a mistake
/// reported on standard error).
std::optional<int> parseCommandLine(int argc, char** argv, CircuitOptions& options);

}  // namespace delassus::tools
