// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// A method for LCP(M, q): solve(problem, z, w). The certificate is lcpError.
using LcpSolver = Solver<LinearComplementarityProblem>;

}  // namespace delassus::numerics
