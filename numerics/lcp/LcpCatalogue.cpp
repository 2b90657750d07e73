// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>
#include <delassus/numerics/lcp/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/lcp/LcpProximalSolver.hpp>
#include <delassus/numerics/lcp/NewtonMinSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<LcpSolver>;

// For the methods whose limit is `maxIterations`.
template <class Method, class Options>
Made iterative(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<Method>(options);
}

Made automatic(const SolverSettings& settings) {
  AutomaticLcpOptions options;
  options.tolerance = settings.tolerance;
  options.maxIterations = settings.maxIterations;
  return std::make_unique<AutomaticLcpSolver>(options);
}

Made lemke(const SolverSettings& settings) {
  LemkeOptions options;
  options.tolerance = settings.tolerance;
  options.maxPivots = settings.maxIterations;
  return std::make_unique<LemkeSolver>(options);
}

Made enumeration(const SolverSettings& settings) {
  EnumerationOptions options;
  options.tolerance = settings.tolerance;
  return std::make_unique<EnumerationSolver>(options);
}

Made relaxed(const SolverSettings& settings) {
  ProjectedGaussSeidelOptions options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  options.relaxation = 1.5;
  return std::make_unique<ProjectedGaussSeidelSolver>(options);
}

constexpr std::array<SolverEntry<LinearComplementarityProblem>, 12> solvers{{
    {"automatic", "choice by size and structure, with fallbacks until the answer is certified", automatic},
    {"lemke", "Lemke's complementary pivoting, lexicographic", lemke},
    {"block_pivoting", "block principal pivoting, for symmetric positive definite M, dense or sparse",
     iterative<BlockPivotingSolver, BlockPivotingOptions>},
    {"active_set", "exact active-set method, for symmetric positive semidefinite M",
     iterative<LcpActiveSetSolver, LcpActiveSetOptions>},
    {"interior_point", "primal-dual interior point, for positive semidefinite M",
     iterative<LcpInteriorPointSolver, LcpInteriorPointOptions>},
    {"newton_min", "semismooth Newton on the minimum function, safeguarded",
     iterative<NewtonMinSolver, NewtonMinOptions>},
    {"fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search",
     iterative<FischerBurmeisterSolver, FischerBurmeisterOptions>},
    {"pgs", "projected Gauss-Seidel", iterative<ProjectedGaussSeidelSolver, ProjectedGaussSeidelOptions>},
    {"psor", "projected successive over-relaxation, factor 1.5", relaxed},
    {"block_pgs", "projected Gauss-Seidel by block rows, each solved exactly",
     iterative<BlockGaussSeidelSolver, BlockGaussSeidelOptions>},
    {"proximal", "proximal point over block pivoting, for large sparse semidefinite M",
     iterative<LcpProximalSolver, LcpProximalOptions>},
    {"enumeration", "all complementary bases, for at most 20 unknowns", enumeration},
}};

}  // namespace

template <>
std::span<const SolverEntry<LinearComplementarityProblem>> solversFor<LinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
