// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>

namespace delassus::numerics {

/// Any method for problems over sets, to be kept: solve(problem, z, w). Methods derive from Solver.
using RelaySolver = CertifiedSolver<ProblemOverSets>;

}  // namespace delassus::numerics
