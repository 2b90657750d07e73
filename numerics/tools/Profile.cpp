// SPDX-License-Identifier: Apache-2.0
#include "Run.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

extern char** environ;

namespace delassus::tools {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double shortestTime = 1e-6;

// Times of one class: for each problem, seconds of the solvers that solved it.
class Profile {
 public:
  void add(const Run& run) {
    if (positions_.try_emplace(run.solver, solvers_.size()).second) solvers_.push_back(run.solver);
    std::map<std::string, double>& times = problems_[{run.file, run.tolerance}];
    if (run.converged()) times[run.solver] = std::max(run.seconds, shortestTime);
  }

  // One row for each τ at which a profile steps up, and one at its end.
  std::string toCsv() const {
    std::map<std::string, std::vector<double>> ratios;
    std::set<double> steps{1.};
    for (const auto& [problem, times] : problems_) {
      double best = infinity;
      for (const auto& [solver, seconds] : times) best = std::min(best, seconds);
      for (const auto& [solver, seconds] : times) {
        ratios[solver].push_back(seconds / best);
        steps.insert(seconds / best);
      }
    }
    steps.insert(2. * *steps.rbegin());
    std::string text = "tau";
    for (const std::string& solver : solvers_) text += "," + solver;
    text += "\n";
    for (const double tau : steps) {
      text += delassus::toText(tau);
      for (const std::string& solver : solvers_) {
        const std::vector<double>& own = ratios[solver];
        const auto solved = std::count_if(own.begin(), own.end(), [&](double ratio) { return ratio <= tau; });
        text += "," + delassus::toText(static_cast<double>(solved) / static_cast<double>(problems_.size()));
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::vector<std::string> solvers_;
  std::map<std::string, std::size_t> positions_;
  std::map<std::pair<std::string, double>, std::map<std::string, double>> problems_;
};

std::string gnuplotScript(const std::map<std::string, Profile>& profiles) {
  std::string names;
  for (const auto& [name, profile] : profiles) names += (names.empty() ? "" : " ") + name;
  return R"(# Draws the performance profiles of this folder: gnuplot -c profile.gp FOLDER
set terminal pngcairo size 1000,640
set datafile separator ","
set key outside right noenhanced
set logscale x 2
set xrange [1:*]
set yrange [0:1.02]
set xlabel "time / time of the fastest solver"
set ylabel "part of the problems solved"
do for [name in ")" +
         names + R"("] {
  file = ARG1."/".name.".csv"
  stats file skip 1 nooutput
  set output ARG1."/".name.".png"
  set title name noenhanced
  plot for [i=2:STATS_columns] file using 1:i with steps linewidth 2 title columnheader(i)
}
)";
}

bool runGnuplot(const std::filesystem::path& folder) {
  std::string program = "gnuplot";
  std::string option = "-c";
  std::string script = (folder / "profile.gp").string();
  std::string argument = folder.string();
  char* arguments[] = {program.data(), option.data(), script.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

bool writeProfiles(const std::filesystem::path& folder, const std::vector<Run>& runs) {
  std::map<std::string, Profile> profiles;
  for (const Run& run : runs) {
    if (run.size > 0) profiles[run.problemClass].add(run);
  }
  for (const auto& [name, profile] : profiles) numerics::writeContent(folder / (name + ".csv"), profile.toCsv());
  numerics::writeContent(folder / "profile.gp", gnuplotScript(profiles));
  return runGnuplot(folder);
}

}  // namespace delassus::tools
