// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>
#include <delassus/numerics/lcp/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/lcp/LcpProximalSolver.hpp>
#include <delassus/numerics/lcp/NewtonMinSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<LcpSolver>;

Made lemke(const SolverSettings& settings) {
  LemkeOptions options;
  options.tolerance = settings.tolerance;
  options.maxPivots = settings.maxIterations;
  return std::make_unique<LemkeSolver>(options);
}

Made relaxed(const SolverSettings& settings) {
  ProjectedGaussSeidelOptions options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  options.relaxation = 1.5;
  return std::make_unique<ProjectedGaussSeidelSolver>(options);
}

constexpr std::array<SolverEntry<LinearComplementarityProblem>, 13> solvers{{
    {"automatic", "choice by size and structure, with fallbacks until the answer is certified",
     makeSolver<LinearComplementarityProblem, AutomaticLcpSolver, AutomaticLcpOptions>},
    {"direct", "remembered active sets, for time stepping of small problems; new ones by Lemke's method",
     makeSolver<LinearComplementarityProblem, LcpDirectSolver, LcpDirectOptions>},
    {"lemke", "Lemke's complementary pivoting, lexicographic", lemke},
    {"block_pivoting", "block principal pivoting, for symmetric positive definite M, dense or sparse",
     makeSolver<LinearComplementarityProblem, BlockPivotingSolver, BlockPivotingOptions>},
    {"active_set", "exact active-set method, for symmetric positive semidefinite M",
     makeSolver<LinearComplementarityProblem, LcpActiveSetSolver, LcpActiveSetOptions>},
    {"interior_point", "primal-dual interior point, for positive semidefinite M",
     makeSolver<LinearComplementarityProblem, LcpInteriorPointSolver, LcpInteriorPointOptions>},
    {"newton_min", "semismooth Newton on the minimum function, safeguarded",
     makeSolver<LinearComplementarityProblem, NewtonMinSolver, NewtonMinOptions>},
    {"fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search",
     makeSolver<LinearComplementarityProblem, FischerBurmeisterSolver, FischerBurmeisterOptions>},
    {"pgs", "projected Gauss-Seidel",
     makeSolver<LinearComplementarityProblem, ProjectedGaussSeidelSolver, ProjectedGaussSeidelOptions>},
    {"psor", "projected successive over-relaxation, factor 1.5", relaxed},
    {"block_pgs", "projected Gauss-Seidel by block rows, each solved exactly",
     makeSolver<LinearComplementarityProblem, BlockGaussSeidelSolver, BlockGaussSeidelOptions>},
    {"proximal", "proximal point over block pivoting, for large sparse semidefinite M",
     makeSolver<LinearComplementarityProblem, LcpProximalSolver, LcpProximalOptions>},
    {"enumeration", "all complementary bases, for at most 20 unknowns",
     makeSolver<LinearComplementarityProblem, EnumerationSolver, EnumerationOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<LinearComplementarityProblem>> solversFor<LinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
