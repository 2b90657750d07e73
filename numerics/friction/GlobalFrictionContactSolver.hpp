// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>

namespace delassus::numerics {

/// A solver for a friction contact problem in global form, to be kept: solve(problem, x, velocity) with x = (v, r).
/// Methods derive from Solver.
using GlobalFrictionContactSolver = CertifiedSolver<GlobalFrictionContactProblem>;

}  // namespace delassus::numerics
