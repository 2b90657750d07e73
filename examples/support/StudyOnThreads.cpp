// SPDX-License-Identifier: Apache-2.0
#include "ExampleRun.hpp"
#include "StudyProgram.hpp"

int runStudyProgram(int argc, char** argv, const char* description, const std::function<void(CommandLine&)>& addOptions,
                    const std::function<void(const StudyTeam&)>& work) {
  return runProgram(argc, argv, description, addOptions, [&] { work({}); });
}
