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
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>

namespace delassus::numerics {
namespace {

using Problem = LinearComplementarityProblem;

std::unique_ptr<LcpSolver> makeLemke(const SolverSettings& settings) {
  return std::make_unique<LemkeSolver>(optionsFrom(settings, LemkeOptions{.maxPivots = settings.maxIterations}));
}

std::unique_ptr<LcpSolver> makeNewton(const SolverSettings& settings) {
  return std::make_unique<NewtonSolver>(optionsFrom(settings, NewtonOptions::afterSweeps()));
}

std::string describeNewton() {
  return describe(NewtonOptions::afterSweeps().fields());
}

constexpr ProjectedGaussSeidelOptions overRelaxed{.relaxation = 1.5};

std::unique_ptr<LcpSolver> makeOverRelaxed(const SolverSettings& settings) {
  return std::make_unique<ProjectedGaussSeidelSolver>(optionsFrom(settings, overRelaxed));
}

std::string describeOverRelaxed() {
  ProjectedGaussSeidelOptions options = overRelaxed;
  return describe(options.fields());
}

constexpr std::array<SolverEntry<Problem>, 14> solvers{{
    entry<AutomaticLcpSolver, AutomaticLcpOptions, Problem>(
        "automatic", "choice by size and structure, with fallbacks until the answer is certified"),
    entry<LcpDirectSolver, LcpDirectOptions, Problem>(
        "direct", "remembered active sets, for time stepping of small problems; new ones by Lemke's method"),
    {"lemke", "Lemke's complementary pivoting, lexicographic", makeLemke, describeOptions<LemkeOptions>},
    entry<BlockPivotingSolver, BlockPivotingOptions, Problem>(
        "block_pivoting", "block principal pivoting, for symmetric positive definite M, dense or sparse"),
    entry<LcpActiveSetSolver, LcpActiveSetOptions, Problem>(
        "active_set", "exact active-set method, for symmetric positive semidefinite M"),
    entry<LcpInteriorPointSolver, LcpInteriorPointOptions, Problem>(
        "interior_point", "primal-dual interior point, for positive semidefinite M"),
    {"newton_min", "sweeps, then semismooth Newton on the minimum function", makeNewton, describeNewton},
    entry<FischerBurmeisterSolver, FischerBurmeisterOptions, Problem>(
        "fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search"),
    entry<ProjectedGaussSeidelSolver, ProjectedGaussSeidelOptions, Problem>("pgs", "projected Gauss-Seidel"),
    {"psor", "projected successive over-relaxation, factor 1.5", makeOverRelaxed, describeOverRelaxed},
    entry<BlockGaussSeidelSolver, BlockGaussSeidelOptions, Problem>(
        "block_pgs", "projected Gauss-Seidel by block rows, each solved exactly"),
    entry<AcceleratedGradientSolver, AcceleratedGradientOptions, Problem>(
        "accelerated_gradient", "accelerated projected gradient, for symmetric positive semidefinite M"),
    entry<LcpProximalSolver, LcpProximalOptions, Problem>(
        "proximal", "proximal point over block pivoting, for large sparse semidefinite M"),
    entry<EnumerationSolver, EnumerationOptions, Problem>("enumeration",
                                                          "all complementary bases, for at most 20 unknowns"),
}};

}  // namespace

template <>
std::span<const SolverEntry<LinearComplementarityProblem>> solversFor<LinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
