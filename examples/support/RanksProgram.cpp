// SPDX-License-Identifier: Apache-2.0
#include "RanksProgram.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>

#include "ExampleRun.hpp"

using delassus::distributed::Ranks;

int runProgramOnRanks(int argc, char** argv, const char* description,
                      const std::function<void(CommandLine&)>& addOptions,
                      const std::function<void(const Ranks&)>& work) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  return delassus::distributed::runOnRanks(name, [&](const Ranks& ranks) {
    if (!ranks.isFirst()) {
      if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
      std::cerr.setstate(std::ios::failbit);  // what is wrong on the command line
    }
    std::exception_ptr failure;
    const int end = runProgram(argc, argv, description, addOptions, [&] {
      try {
        work(ranks);
      } catch (const std::exception&) {
        failure = std::current_exception();
      }
    });
    if (failure) std::rethrow_exception(failure);
    return end;
  });
}
