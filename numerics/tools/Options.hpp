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

}  // namespace delassus::tools
