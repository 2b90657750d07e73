// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Settings.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace delassus::detail {

/// The contents of a checkpoint file.
struct CheckpointContent {
  /// Results of functions of the model at the state of the checkpoint; empty if they threw.
  struct Probe {
    std::string name;
    std::vector<double> values;
  };
  using Named = std::pair<std::string, std::string>;  // name, bytes of a SavingArchive

  std::string library;
  double time = 0.;
  std::uint64_t stepIndex = 0;
  std::vector<Named> description;  // of model and simulation: what, and its value
  std::vector<Probe> probes;
  std::string state;
  std::vector<Named> observers, states;
  std::vector<Named> optionalObservers, statistics;  // may be there or not
};

/// Gives the file its final name once it is complete. Throws Error if the disk does not take it. (Archives take what
/// they save by reference; it is not changed.)
void writeCheckpoint(CheckpointContent& content, const std::filesystem::path& path);

/// Throws Error, beginning with "Checkpoint 'path'", if it is not a checkpoint, is incomplete, or has another format.
CheckpointContent readCheckpoint(const std::filesystem::path& path);

}  // namespace delassus::detail
