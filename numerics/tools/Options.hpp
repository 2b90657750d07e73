// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <optional>
#include <string>
#include <vector>

#include "Run.hpp"

namespace delassus::tools {

/// The options on the command line of delassus-solve.
struct Options {
  std::vector<std::string> files;
  std::string solver = "automatic";  ///< a name of the catalogue, or "all"
  std::vector<double> tolerances{1e-8};
  std::size_t maxIterations = 0;  ///< 0: each solver's own
  Settings solverOptions;         ///< further ones of the solver, by name
  double timeLimit = 0.;          ///< seconds for a solve, 0: none
  std::size_t repeat = 1;
  numerics::ErrorMeasure measure = numerics::ErrorMeasure::published;
  std::optional<numerics::ProblemClass> problemClass;
  std::uintmax_t largestFile = numerics::largestContent;  ///< bytes
  numerics::TextStorage storage = numerics::TextStorage::natural;
  std::string solutionFile;   ///< empty: none
  std::string convertFile;    ///< empty: solve
  std::string profileFolder;  ///< empty: none
  bool json = false;
  bool markdown = false;
  bool list = false;
  bool listOptions = false;  ///< with `list`: those of `solver` instead
};

/// Reads the command line into `options`; returns an exit code if the program must end (after --help, or a mistake
/// reported on standard error).
std::optional<int> parseCommandLine(int argc, char** argv, Options& options);

/// The problem of a file. HDF5 is read by a child process, since libhdf5 crashes on some damaged files: a crash of the
/// child is an Error here, and later files are read as usual. Throws Error naming the file.
numerics::AnyProblem readInput(const std::string& file, const Options& options);

/// Solves every file with every solver and tolerance asked for. A file that cannot be read, or an option that a solver
/// refuses, is reported on standard error, counts as a failed run and stops nothing else. `all` leaves out solvers that
/// do not accept a problem. Shows progress on a terminal.
std::vector<Run> solveAll(const Options& options);

}  // namespace delassus::tools
