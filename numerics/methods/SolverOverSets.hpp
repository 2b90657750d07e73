// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <memory>

namespace delassus::numerics {

/// Any method for problems over sets, to be kept: solve(problem, λ, w). Methods derive from Solver.
using SolverOverSets = CertifiedSolver<ProblemOverSets>;

/// The automatic choices to which methods leave a part of their problem where they are given no other solver. The room
/// `choice` defines them; what they are is not known here.
///@{
std::unique_ptr<SolverOverSets> automaticForIntervals(double tolerance, std::size_t enumerateSize,
                                                      std::size_t maxIterations);  ///< AutomaticBoxSolver
std::unique_ptr<SolverOverSets> automaticWithoutEqualities(double tolerance);      ///< EqualityFreeMechanicalSolver
std::unique_ptr<SolverOverSets> automaticForSets(double tolerance);                ///< AutomaticMechanicalSolver
///@}

}  // namespace delassus::numerics
