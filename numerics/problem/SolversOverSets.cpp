// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/SolverDefinitions.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {

template class CertifiedSolver<ProblemOverSets>;
template class Solver<FrictionContactProblem>;
template class Solver<ProblemOverSets>;

}  // namespace delassus::numerics
