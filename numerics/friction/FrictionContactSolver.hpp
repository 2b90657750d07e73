// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>

namespace delassus::numerics {

/// A method for a friction contact problem in local form: solve(problem, reaction, velocity).
using FrictionContactSolver = Solver<FrictionContactProblem>;

}  // namespace delassus::numerics
