// SPDX-License-Identifier: Apache-2.0
//
// Replaces StudyOnThreads.cpp in a build with MPI.
#include <cstdio>
#include <delassus/kernel/distributed/MpiWorkers.hpp>

#include "ExampleRun.hpp"
#include "StudyProgram.hpp"

using delassus::distributed::AgreedError;
using delassus::distributed::MpiWorkers;
using delassus::distributed::Ranks;

int runStudyProgram(int argc, char** argv, const char* description, const std::function<void(CLI::App&)>& addOptions,
                    const std::function<void(const StudyTeam&)>& work) {
  return delassus::distributed::runOnRanks(argv[0], [&](const Ranks& ranks) {
    // Help, mistakes and results are told once.
    const bool isAlone = ranks.size() == 1;
    if (!ranks.isFirst() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    bool failed = false;
    const auto workOnRank = [&] {
      try {
        work({isAlone ? nullptr : std::make_shared<MpiWorkers>(ranks), ranks.isFirst()});
      } catch (const AgreedError&) {
        failed = true;
        if (ranks.isFirst()) throw;
      } catch (const std::exception& error) {
        if (isAlone) throw;
        std::fprintf(stderr, "%s, rank %zu of %zu: %s\n", argv[0], ranks.rank(), ranks.size(), error.what());
        MPI_Abort(ranks.communicator(), 1);
      }
    };
    const int end = runProgram(argc, argv, description, addOptions, workOnRank);
    return failed ? 1 : end;
  });
}
