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
    {"automatic", "pivoting, then the LCP form, then sweeps, until the answer is certified",
     makeSolver<RelayProblem, AutomaticRelaySolver, AutomaticRelayOptions>},
    {"direct", "remembered active sets, for time stepping of small problems; new ones by pivoting",
     makeSolver<RelayProblem, RelayDirectSolver, RelayDirectOptions>},
    {"lemke", "Lemke's method on the LCP form", makeSolver<RelayProblem, RelayLemkeSolver, RelayLemkeOptions>},
    {"pivoting", "block principal pivoting on the box problem",
     makeSolver<RelayProblem, RelayPivotingSolver, RelayPivotingOptions>},
    {"pgs", "projected Gauss-Seidel", makeSolver<RelayProblem, RelayGaussSeidelSolver, RelayGaussSeidelOptions>},
    {"enumeration", "all bases, for at most 12 unknowns",
     makeSolver<RelayProblem, RelayEnumerationSolver, RelayEnumerationOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<RelayProblem>> solversFor<RelayProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
