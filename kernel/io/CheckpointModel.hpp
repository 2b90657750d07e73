// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/io/CheckpointFile.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <string>
#include <vector>

namespace delassus::detail {

/// Classes, names, sizes, links and parameters of a model and its simulation, one after the other; interactions that a
/// manager links and removes are left out.
std::vector<CheckpointContent::Named> describe(const Simulation& simulation);

/// The first few differences of two descriptions in words, "h is 0.1 here, 0.2 in the checkpoint; …"; empty if there
/// are none. Final time and number of steps may differ.
std::string differences(const std::vector<CheckpointContent::Named>& here,
                        const std::vector<CheckpointContent::Named>& checkpoint);

/// Masses, forces and vector fields of the systems, and outputs and inputs of the relations of interactions without a
/// manager, at the present state.
std::vector<CheckpointContent::Probe> probe(const Simulation& simulation);

/// The first few differences, to the last bit; empty if there are none.
std::string differences(const std::vector<CheckpointContent::Probe>& here,
                        const std::vector<CheckpointContent::Probe>& checkpoint, double time);

}  // namespace delassus::detail
