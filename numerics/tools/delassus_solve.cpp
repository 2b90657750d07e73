// SPDX-License-Identifier: Apache-2.0
//
// delassus-solve: solves problem files, compares solvers, converts between formats. See docs/delassus-solve.md.
#include <algorithm>
#include <cstdio>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <exception>
#include <filesystem>

#include "Options.hpp"
#include "Run.hpp"

namespace {

using namespace delassus;
using namespace delassus::tools;

void convert(const Options& options) {
  const numerics::AnyProblem problem = readInput(options.files.front(), options);
  const std::filesystem::path to = options.convertFile;
  numerics::writeProblem(to, problem, numerics::formatFor(to), options.storage);
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error("standard output", "cannot write to it.");
  }
}

// Checked before the work, which may take hours.
void requireTargets(const Options& options) {
  if (!options.solutionFile.empty()) numerics::requireNoFolder(options.solutionFile);
  std::error_code failure;
  const auto status = std::filesystem::status(options.profileFolder, failure);
  if (!options.profileFolder.empty() && std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    throw Error(options.profileFolder, "expected a folder, got a file.");
  }
}

int solve(const Options& options) {
  requireTargets(options);
  const std::vector<Run> runs = solveAll(options);
  print(options.json ? jsonReport(runs) : options.markdown ? markdownReport(runs) : tableReport(runs));
  if (!options.solutionFile.empty()) numerics::writeContent(options.solutionFile, jsonSolutions(runs));
  if (!options.profileFolder.empty() && !writeProfiles(options.profileFolder, runs)) {
    std::fprintf(stderr, "delassus-solve: gnuplot drew no picture; the data are in %s\n",
                 options.profileFolder.c_str());
  }
  return std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.converged(); }) ? 0 : 1;
}

int runCommand(const Options& options) {
  if (options.list) {
    print(options.listOptions ? optionList(options.solver) : solverList());
    return 0;
  }
  if (!options.convertFile.empty()) {
    convert(options);
    return 0;
  }
  return solve(options);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const std::optional<int> end = parseCommandLine(argc, argv, options)) return *end;
  try {
    return runCommand(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "delassus-solve: %s\n", error.what());
    return 1;
  }
}
