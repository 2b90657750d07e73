// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// A solver for an MLCP, to be kept: solve(problem, z, w). Methods derive from Solver.
using MlcpSolver = CertifiedSolver<MixedLinearComplementarityProblem>;

}  // namespace delassus::numerics
