// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// A method for an MLCP: solve(problem, z, w).
using MlcpSolver = Solver<MixedLinearComplementarityProblem>;

}  // namespace delassus::numerics
