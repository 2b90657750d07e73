// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/studies/Workers.hpp>
#include <functional>
#include <memory>

#include "CommandLine.hpp"

/// Those who do a study, and whether this process tells what happens.
struct StudyTeam {
  std::shared_ptr<delassus::Workers> workers;  ///< null: threads, as many as the program's options say
  bool tells = true;
};

/// What the main function of a program does that makes a study: as runProgram(), and over the ranks of mpirun, where
/// the program was built with MPI and started by it. All ranks call `work`; the first tells what happens.
int runStudyProgram(int argc, char** argv, const char* description, const std::function<void(CommandLine&)>& addOptions,
                    const std::function<void(const StudyTeam&)>& work);
