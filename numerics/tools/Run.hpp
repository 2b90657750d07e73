// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus::tools {

/// The result of one problem, one solver and one tolerance.
struct Run {
  std::string file;
  std::string problemClass = "unknown";  ///< classNameOf()
  std::size_t size = 0;
  std::size_t contacts = 0;
  std::string solver;
  double tolerance = 0.;
  std::string_view status = "failed";  ///< converged, iteration_limit, time_limit, infeasible or failed
  std::size_t iterations = 0;
  double residual = 0.;  ///< infinite where there is none
  double seconds = 0.;   ///< median over the repeats; a solver object that is new for each, without making it
  std::string error;     ///< why it failed; else empty
  /// The unknowns by name; empty unless they are wanted.
  std::vector<std::pair<std::string, Vector>> unknowns;

  bool converged() const { return status == "converged"; }
};

/// Run::status of a report.
std::string_view statusName(numerics::SolveStatus status);

/// The median of the seconds that the repeats took.
double medianOf(std::vector<double> values);

/// One array of objects with the keys file, class, size, contacts, solver, tolerance, status, iterations, residual
/// (null where there is none) and seconds; error too where status is failed.
std::string jsonReport(const std::vector<Run>& runs);

/// The unknowns by name: one object for a single run, otherwise an array of objects with file, solver and tolerance.
std::string jsonSolutions(const std::vector<Run>& runs);

/// A readable table, one line for each run.
std::string tableReport(const std::vector<Run>& runs);

/// For each class a Markdown table, a line for each file and solver, a column for each tolerance.
std::string markdownReport(const std::vector<Run>& runs);

/// The solvers of each class with a line about each.
std::string solverList();

/// For each class that has a solver of this name, or for "all" for each solver: its options, a line each. Throws Error
/// if no class has one.
std::string optionList(const std::string& solver);

/// Writes performance profiles (Dolan and Moré, Mathematical Programming 91, 2002), one for each class: for each solver
/// s the part ρ_s(τ) of the problems (a file at a tolerance) that it solves in at most τ times the time of the fastest
/// solver on that problem; ρ_s(1) is how often it is the fastest, the limit for large τ how often it solves at all.
/// Times below a microsecond count as a microsecond. Problems that no solver solves count as unsolved by all.
///
/// Makes the folder with CLASS.csv (columns tau and the solvers), profile.gp, and CLASS.png where there is gnuplot.
/// Throws Error if that fails; false, with all else written, if there is no gnuplot or it fails.
bool writeProfiles(const std::filesystem::path& folder, const std::vector<Run>& runs);

}  // namespace delassus::tools
