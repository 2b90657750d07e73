// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpGaussSeidelSolver.hpp>
#include <delassus/numerics/mlcp/MlcpLeastNormSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<MlcpSolver>;

// For the methods whose limit is `maxIterations`.
template <class Method, class Options>
Made iterative(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<Method>(options);
}

// For those without one.
template <class Method, class Options>
Made finite(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  return std::make_unique<Method>(options);
}

Made automatic(const SolverSettings& settings) {
  AutomaticMlcpOptions options;
  options.tolerance = settings.tolerance;
  options.maxIterations = settings.maxIterations;
  return std::make_unique<AutomaticMlcpSolver>(options);
}

constexpr std::array<SolverEntry<MixedLinearComplementarityProblem>, 7> solvers{{
    {"automatic", "choice by shape, with fallbacks until the answer is certified", automatic},
    {"direct", "the last active sets first, then elimination to an LCP", finite<MlcpDirectSolver, MlcpDirectOptions>},
    {"reduction", "elimination of the free unknowns, then an LCP solver",
     finite<MlcpReductionSolver, MlcpReductionOptions>},
    {"least_norm", "the answer of least norm, for redundant equality rows",
     finite<MlcpLeastNormSolver, MlcpLeastNormOptions>},
    {"fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search",
     iterative<MlcpFischerBurmeisterSolver, MlcpFischerBurmeisterOptions>},
    {"pgs", "block projected Gauss-Seidel, the equality rows as one block",
     iterative<MlcpGaussSeidelSolver, MlcpGaussSeidelOptions>},
    {"enumeration", "all complementary bases, for at most 20 pairs",
     finite<MlcpEnumerationSolver, MlcpEnumerationOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<MixedLinearComplementarityProblem>> solversFor<MixedLinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
