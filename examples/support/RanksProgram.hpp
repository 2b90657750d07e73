// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/distributed/Ranks.hpp>
#include <functional>

#include "CommandLine.hpp"

/// As runProgram(), over the ranks of mpirun: help, mistakes and results are told by the first rank, errors of all
/// ranks alike (AgreedError) once; any other error ends all ranks, with the message of the one that it came from.
int runProgramOnRanks(int argc, char** argv, const char* description,
                      const std::function<void(CommandLine&)>& addOptions,
                      const std::function<void(const delassus::distributed::Ranks&)>& work);
