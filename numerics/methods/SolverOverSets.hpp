// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {

/// Any method for problems over sets, to be kept: solve(problem, λ, w). Methods derive from Solver.
using SolverOverSets = CertifiedSolver<ProblemOverSets>;

}  // namespace delassus::numerics
