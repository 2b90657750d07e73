// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>

namespace delassus::numerics {

/// A method for a generic mechanical problem: solve(problem, λ, w).
using MechanicalSolver = Solver<GenericMechanicalProblem>;

}  // namespace delassus::numerics
