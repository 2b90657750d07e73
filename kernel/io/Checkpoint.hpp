// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <filesystem>
#include <string>

namespace delassus {

/// Version of the layout of checkpoint files. It goes up with every change of what a class of the library saves.
constexpr std::uint32_t checkpointFormat = 4;

/// Writes everything that the run of `simulation` goes on from into a file: states and memories of systems,
/// interactions and relations, the scheme, the one-step problem and its solvers, statistics, observers, and the states
/// that were added with Simulation::addState. Only between steps.
///
/// The file is written beside its place ("name.part"), brought to the disk, and renamed: a checkpoint under its name is
/// always whole, and the one before is kept until then. Throws Error if that fails.
void saveCheckpoint(Simulation& simulation, const std::filesystem::path& path);

/// Brings `simulation`, of the same model built anew, to the state of a checkpoint: a run then goes on to the same bits
/// as one that was not interrupted (on the same machine with the same build and number of threads).
///
///     TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), LCP());
///     if (resume) restoreCheckpoint(simulation, "study.checkpoint");
///     simulation.run();
///
/// Throws Error if the file is none, truncated or damaged, of another format, or does not fit: another model, scheme,
/// problem or solver, other laws or parameters, functions that give other forces, observers or states that are missing
/// (but for those that are optional). The message names the first things that differ. The final time may be another one
/// if the instant of the checkpoint is one of this simulation. After an Error model and simulation are as they were
/// before (but initialised).
void restoreCheckpoint(Simulation& simulation, const std::filesystem::path& path);

/// What a checkpoint is of.
struct CheckpointInfo {
  std::string library;        ///< version that wrote it
  std::size_t stepIndex = 0;  ///< steps done
  double time = 0.;           ///< of the state
};

/// Looks at a checkpoint without restoring it. Throws Error if the file is none, truncated, damaged or of another
/// format.
CheckpointInfo checkpointInfo(const std::filesystem::path& path);

}  // namespace delassus
