// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "Run.hpp"

namespace delassus::tools {

/// Writes performance profiles (Dolan and Moré, Mathematical Programming 91, 2002), one for each class: for each solver
/// s the part ρ_s(τ) of the problems (a file at a tolerance) that it solves in at most τ times the time of the fastest
/// solver on that problem; ρ_s(1) is how often it is the fastest, the limit for large τ how often it solves at all.
/// Times below a microsecond count as a microsecond. Problems that no solver solves count as unsolved by all.
///
/// Makes the folder with CLASS.csv (columns tau and the solvers), profile.gp, and CLASS.png where there is gnuplot.
/// Throws Error if that fails; false, with all else written, if there is no gnuplot or it fails.
bool writeProfiles(const std::filesystem::path& folder, const std::vector<Run>& runs);

}  // namespace delassus::tools
