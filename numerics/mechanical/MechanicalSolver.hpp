// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>

namespace delassus::numerics {

/// Any method for problems over sets, to be kept: solve(problem, λ, w). Methods derive from Solver.
using MechanicalSolver = CertifiedSolver<ProblemOverSets>;

}  // namespace delassus::numerics
