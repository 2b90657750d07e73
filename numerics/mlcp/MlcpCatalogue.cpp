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

constexpr std::array solvers{
    entry<AutomaticMlcpSolver, AutomaticMlcpOptions, MixedLinearComplementarityProblem>(
        "automatic", "choice by shape, with fallbacks until the answer is certified"),
    entry<MlcpDirectSolver, MlcpDirectOptions, MixedLinearComplementarityProblem>(
        "direct", "the last active sets first, then elimination to an LCP"),
    entry<MlcpReductionSolver, MlcpReductionOptions, MixedLinearComplementarityProblem>(
        "reduction", "elimination of the free unknowns, then an LCP solver"),
    entry<MlcpLeastNormSolver, MlcpLeastNormOptions, MixedLinearComplementarityProblem>(
        "least_norm", "the answer of least norm, for redundant equality rows"),
    entry<MlcpFischerBurmeisterSolver, MlcpFischerBurmeisterOptions, MixedLinearComplementarityProblem>(
        "fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search"),
    entry<MlcpGaussSeidelSolver, MlcpGaussSeidelOptions, MixedLinearComplementarityProblem>(
        "pgs", "block projected Gauss-Seidel, the equality rows as one block"),
    entry<MlcpEnumerationSolver, MlcpEnumerationOptions, MixedLinearComplementarityProblem>(
        "enumeration", "all complementary bases, for at most 20 pairs"),
};

}  // namespace

template <>
std::span<const SolverEntry<MixedLinearComplementarityProblem>> solversFor<MixedLinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
