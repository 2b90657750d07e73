// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>

namespace delassus::numerics {

/// A method for a friction contact problem in global form: solve(problem, x, velocity) with x = (v, r).
using GlobalFrictionContactSolver = Solver<GlobalFrictionContactProblem>;

}  // namespace delassus::numerics
