// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>

namespace delassus::numerics {

/// A method for a relay problem: solve(problem, z, w).
using RelaySolver = Solver<RelayProblem>;

}  // namespace delassus::numerics
