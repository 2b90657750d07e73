// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// Version of the layout of checkpoint files. It increases with every change of what a class of the library saves.
constexpr std::uint32_t checkpointFormat = 20;

/// Writes everything that the run of `simulation` needs to continue into a file: states and memories of systems,
/// interactions and relations, the scheme, the one-step problem and its solvers, statistics, observers, and the states
/// that were added with Simulation::addState. Only between steps.
///
/// The file is written as "name.part", forced to the disk, and renamed: a checkpoint under its final name is always
/// complete, and the previous one is kept until then. Throws Error if that fails.
void saveCheckpoint(Simulation& simulation, const std::filesystem::path& path);

/// Brings `simulation`, of the same model built again, to the state of a checkpoint: a run then continues to the same
/// bits as one that was not interrupted (on the same machine with the same build and number of threads).
///
///     TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
///     if (resume) restoreCheckpoint(simulation, "study.checkpoint");
///     simulation.run();
///
/// Throws Error if the file is not a checkpoint, is truncated or damaged, has another format, or does not fit: another
/// model, scheme, problem or solver, other laws or parameters, functions that give other forces, observers or states
/// that are missing (except optional ones). The message names the first differences. The final time may differ if the
/// instant of the checkpoint is one of this simulation. After an Error model and simulation are as they were before
/// (but initialised).
void restoreCheckpoint(Simulation& simulation, const std::filesystem::path& path);

/// The state of a simulation in memory, to which it can go back any number of times: for trials, of which only some are
/// kept. It has what a checkpoint has but for statistics, and for observers that a checkpoint may lack.
class Snapshot {
 public:
  /// Keeps the present state; initialises the simulation, which must outlive the snapshot.
  explicit Snapshot(Simulation& simulation);
  /// Brings the simulation back; its observers begin again. Throws Error if its model has other systems or interactions
  /// than then, or states were added since (Simulation::addState), with the simulation between both states.
  void restore() const;

 private:
  Simulation& simulation_;
  std::string state_;
  std::vector<std::pair<std::string, std::string>> userStates_, observers_;
};

/// What a checkpoint belongs to.
struct CheckpointInfo {
  std::string library;        ///< version that wrote it
  std::size_t stepIndex = 0;  ///< steps done
  double time = 0.;           ///< of the state
};

/// Reads the description of a checkpoint without restoring it. Throws Error if the file is not a checkpoint, is
/// truncated, damaged or of another format.
CheckpointInfo checkpointInfo(const std::filesystem::path& path);

}  // namespace delassus
