// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <delassus/kernel/io/StepList.hpp>
#include <filesystem>

namespace delassus::distributed {

/// Records a GranularSimulation in HDF5. A step is a file that all ranks write at the same time (parallel HDF5, by
/// PETSc), and "run.h5" lists them (StepList):
///
///     /steps/000120          attribute "time", s
///     /steps/000120/q        grains x 7: position and unit quaternion
///     /steps/000120/v        grains x 6: twist
///
/// Row k is that of the grain with number k, whatever the number of ranks. A step is written beside, renamed when it is
/// complete, and listed then, so that a run that is killed loses no step before. A run that goes on from a checkpoint
/// keeps the steps up to it; one that begins takes the place of a recording of this name. A recorder is for one run.
class GranularRecorder {
 public:
  /// Nothing is written before the first step.
  explicit GranularRecorder(std::filesystem::path file) : list_(std::move(file)) {}

  /// Collective. Records the present state. Throws AgreedError unless grains have the numbers 0, 1, … without gaps, or
  /// if a file cannot be written, there is another one of this name, or PETSc or Delassus has no HDF5; Error where
  /// PETSc fails to write.
  void record(const GranularSimulation& simulation);

 private:
  void prepare(const GranularSimulation& simulation, const std::filesystem::path& part);

  StepList list_;  // on the first rank
  bool hasList_ = false;
};

}  // namespace delassus::distributed
