// SPDX-License-Identifier: Apache-2.0
//
// Replaces StudyOnThreads.cpp in a build with MPI.
#include <delassus/kernel/distributed/MpiWorkers.hpp>

#include "RanksProgram.hpp"
#include "StudyProgram.hpp"

using delassus::distributed::MpiWorkers;
using delassus::distributed::Ranks;

int runStudyProgram(int argc, char** argv, const char* description, const std::function<void(CommandLine&)>& addOptions,
                    const std::function<void(const StudyTeam&)>& work) {
  return runProgramOnRanks(argc, argv, description, addOptions, [&](const Ranks& ranks) {
    work({ranks.size() == 1 ? nullptr : std::make_shared<MpiWorkers>(ranks), ranks.isFirst()});
  });
}
