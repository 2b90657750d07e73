// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "Options.hpp"
#include "Run.hpp"

namespace delassus::tools {

/// Solves every file with every solver and tolerance asked for. A file that cannot be read, or an option that a solver
/// refuses, is reported on standard error, counts as a failed run and stops nothing else. `all` leaves out solvers that
/// do not accept a problem. Shows progress on a terminal.
std::vector<Run> solveAll(const Options& options);

}  // namespace delassus::tools
