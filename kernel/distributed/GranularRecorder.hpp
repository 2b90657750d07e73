// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <filesystem>

namespace delassus::distributed {

/// Records a GranularSimulation in one HDF5 file that all ranks write at the same time (parallel HDF5, by PETSc):
///
///     /steps/000120          attribute "time", s
///     /steps/000120/q        grains x 7: position and unit quaternion
///     /steps/000120/v        grains x 6: twist
///
/// Row k is that of the grain with number k, whatever the number of ranks. The file is closed after each step that is
/// recorded, and complete then; a run that is killed while it writes may spoil it. Going on from a checkpoint writes
/// steps anew that are already there.
class GranularRecorder {
 public:
  /// Folders are created with the first step. Steps of a file that exists stay.
  explicit GranularRecorder(std::filesystem::path file) : file_(std::move(file)) {}

  /// Collective. Records the present state. Throws AgreedError unless grains have the numbers 0, 1, … without gaps, or
  /// if the file cannot be opened or is no HDF5 file, or PETSc has no HDF5; Error where PETSc fails to write.
  void record(const GranularSimulation& simulation);

 private:
  std::filesystem::path file_;
};

}  // namespace delassus::distributed
