// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// A solver for LCP(M, q), to be kept: solve(problem, z, w). Methods derive from Solver.
using LcpSolver = CertifiedSolver<ProblemOverSets>;

}  // namespace delassus::numerics
