// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "Run.hpp"

namespace delassus::tools {

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

}  // namespace delassus::tools
