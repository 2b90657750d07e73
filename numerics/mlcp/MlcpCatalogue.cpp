// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpGaussSeidelSolver.hpp>
#include <delassus/numerics/mlcp/MlcpLeastNormSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::array<SolverEntry<MixedLinearComplementarityProblem>, 7> solvers{{
    {"automatic", "choice by shape, with fallbacks until the answer is certified",
     makeSolver<MixedLinearComplementarityProblem, AutomaticMlcpSolver, AutomaticMlcpOptions>},
    {"direct", "the last active sets first, then elimination to an LCP",
     makeSolver<MixedLinearComplementarityProblem, MlcpDirectSolver, MlcpDirectOptions>},
    {"reduction", "elimination of the free unknowns, then an LCP solver",
     makeSolver<MixedLinearComplementarityProblem, MlcpReductionSolver, MlcpReductionOptions>},
    {"least_norm", "the answer of least norm, for redundant equality rows",
     makeSolver<MixedLinearComplementarityProblem, MlcpLeastNormSolver, MlcpLeastNormOptions>},
    {"fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search",
     makeSolver<MixedLinearComplementarityProblem, MlcpFischerBurmeisterSolver, MlcpFischerBurmeisterOptions>},
    {"pgs", "block projected Gauss-Seidel, the equality rows as one block",
     makeSolver<MixedLinearComplementarityProblem, MlcpGaussSeidelSolver, MlcpGaussSeidelOptions>},
    {"enumeration", "all complementary bases, for at most 20 pairs",
     makeSolver<MixedLinearComplementarityProblem, MlcpEnumerationSolver, MlcpEnumerationOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<MixedLinearComplementarityProblem>> solversFor<MixedLinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
