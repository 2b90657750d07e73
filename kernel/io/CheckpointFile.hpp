// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Settings.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace delassus::detail {

/// What is in a checkpoint file.
struct CheckpointContent {
  /// Numbers that functions of the model gave at the state of the checkpoint; none where they threw.
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

/// Puts it in its place when it is whole. Throws Error if the disk does not take it. (Archives take what they save by
/// reference; it is not changed.)
void writeCheckpoint(CheckpointContent& content, const std::filesystem::path& path);

/// Throws Error, beginning with "Checkpoint 'path'", if it is no checkpoint, not whole, or of another format.
CheckpointContent readCheckpoint(const std::filesystem::path& path);

}  // namespace delassus::detail
