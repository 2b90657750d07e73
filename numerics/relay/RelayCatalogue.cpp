// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <delassus/numerics/relay/RelayDirectSolver.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::array<SolverEntry<RelayProblem>, 6> solvers{{
    entry<AutomaticRelaySolver, AutomaticRelayOptions, RelayProblem>(
        "automatic", "pivoting, then the LCP form, then sweeps, until the answer is certified"),
    entry<RelayDirectSolver, RelayDirectOptions, RelayProblem>(
        "direct", "remembered active sets, for time stepping of small problems; new ones by pivoting"),
    entry<RelayLemkeSolver, RelayLemkeOptions, RelayProblem>("lemke", "Lemke's method on the LCP form"),
    entry<RelayPivotingSolver, RelayPivotingOptions, RelayProblem>("pivoting",
                                                                   "block principal pivoting on the box problem"),
    entry<RelayGaussSeidelSolver, RelayGaussSeidelOptions, RelayProblem>("pgs", "projected Gauss-Seidel"),
    entry<RelayEnumerationSolver, RelayEnumerationOptions, RelayProblem>("enumeration",
                                                                         "all bases, for at most 12 unknowns"),
}};

}  // namespace

template <>
std::span<const SolverEntry<RelayProblem>> solversFor<RelayProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
