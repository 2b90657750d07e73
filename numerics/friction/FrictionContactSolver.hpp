// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>

namespace delassus::numerics {

/// A solver for a friction contact problem in local form, to be kept: solve(problem, reaction, velocity). Methods
/// derive from Solver.
using FrictionContactSolver = CertifiedSolver<ProblemOverSets>;

}  // namespace delassus::numerics
