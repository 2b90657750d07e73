// SPDX-License-Identifier: Apache-2.0
//
// The solvers of LCPs, mixed and relay problems, by the names that suit each.
#include <array>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/methods/LcpProximalSolver.hpp>
#include <delassus/numerics/methods/LeastNormSolver.hpp>
#include <delassus/numerics/methods/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>

namespace delassus::numerics {
namespace {

using Problem = ProblemOverSets;
using Made = std::unique_ptr<SolverOverSets>;

// Options that are not the usual ones, as default constructible structs.
struct DefiniteOptions : BlockPivotingOptions {
  DefiniteOptions() : BlockPivotingOptions(ofDefinite()) {}
};
struct MixedDirectOptions : DirectOptions {
  MixedDirectOptions() {
    rememberSize = 3000;
    enumerateSize = 14;
  }
};
struct OverRelaxedOptions : ProjectedGaussSeidelOptions {
  OverRelaxedOptions() { relaxation = 1.5; }
};
struct NewtonAfterSweeps : NewtonOptions {
  NewtonAfterSweeps() : NewtonOptions(afterSweeps()) {}
};

Made makeLemke(const SolverSettings& settings) {
  return std::make_unique<LemkeSolver>(optionsFrom(settings, LemkeOptions{.maxPivots = settings.maxIterations}));
}

Made makeLemkeOfForm(const SolverSettings& settings) {
  const auto options = optionsFrom<LcpFormOptions>(settings);
  return std::make_unique<LcpFormSolver>(options, std::make_unique<LemkeSolver>(LemkeOptions{options.tolerance}));
}

constexpr std::size_t mostEliminated = 20000;  // dense: 3 GB

// Sweeps on what the elimination of the equalities leaves, to a tighter tolerance, since its data are others.
Made makeSweepsOfRest(const SolverSettings& settings) {
  const auto sweeps = optionsFrom<ProjectedGaussSeidelOptions>(settings);
  auto inner = sweeps;
  inner.tolerance = 0.1 * sweeps.tolerance;
  return std::make_unique<MechanicalEliminationSolver>(
      MechanicalEliminationOptions{.tolerance = sweeps.tolerance, .maxSize = mostEliminated},
      std::make_unique<ProjectedGaussSeidelSolver>(inner));
}

constexpr auto automatic = entry<AutomaticBoxSolver, AutomaticBoxOptions, Problem>(
    "automatic", "choice by bounds, size and structure, with fallbacks until the answer is certified");
constexpr auto direct = entry<DirectSolver, DirectOptions, Problem>(
    "direct", "remembered active sets, for time stepping of small problems; new ones by pivoting");
constexpr auto fischerBurmeister = entry<FischerBurmeisterSolver, FischerBurmeisterOptions, Problem>(
    "fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search");
constexpr auto sweeps =
    entry<ProjectedGaussSeidelSolver, ProjectedGaussSeidelOptions, Problem>("pgs", "projected Gauss-Seidel");
constexpr auto enumeration =
    entry<EnumerationSolver, EnumerationOptions, Problem>("enumeration", "all bases, where there are few");

constexpr std::array<SolverEntry<Problem>, 14> lcpSolvers{{
    automatic,
    direct,
    {"lemke", "Lemke's complementary pivoting, lexicographic", makeLemke, describeOptions<LemkeOptions>},
    entry<BlockPivotingSolver, DefiniteOptions, Problem>(
        "block_pivoting", "block principal pivoting, for symmetric positive definite M, dense or sparse"),
    entry<LcpActiveSetSolver, LcpActiveSetOptions, Problem>(
        "active_set", "exact active-set method, for symmetric positive semidefinite M"),
    entry<LcpInteriorPointSolver, LcpInteriorPointOptions, Problem>(
        "interior_point", "primal-dual interior point, for positive semidefinite M"),
    entry<NewtonSolver, NewtonAfterSweeps, Problem>("newton_min",
                                                    "sweeps, then semismooth Newton on the minimum function"),
    fischerBurmeister,
    sweeps,
    entry<ProjectedGaussSeidelSolver, OverRelaxedOptions, Problem>("psor",
                                                                   "projected successive over-relaxation, factor 1.5"),
    entry<BlockGaussSeidelSolver, BlockGaussSeidelOptions, Problem>(
        "block_pgs", "projected Gauss-Seidel by block rows, each solved exactly"),
    entry<AcceleratedGradientSolver, AcceleratedGradientOptions, Problem>(
        "accelerated_gradient", "accelerated projected gradient, for symmetric positive semidefinite M"),
    entry<LcpProximalSolver, LcpProximalOptions, Problem>(
        "proximal", "proximal point over block pivoting, for large sparse semidefinite M"),
    enumeration,
}};

constexpr std::array<SolverEntry<Problem>, 7> mixedSolvers{{
    automatic,
    entry<DirectSolver, MixedDirectOptions, Problem>("direct",
                                                     "the last active sets first, then elimination to an LCP"),
    entry<LcpFormSolver, LcpFormOptions, Problem>("reduction", "elimination of the free unknowns, then an LCP solver"),
    entry<LeastNormSolver, LeastNormOptions, Problem>("least_norm",
                                                      "the answer of least norm, for redundant equality rows"),
    fischerBurmeister,
    {"pgs", "elimination of the equality rows, then projected Gauss-Seidel", makeSweepsOfRest,
     describeOptions<ProjectedGaussSeidelOptions>},
    enumeration,
}};

constexpr std::array<SolverEntry<Problem>, 6> relaySolvers{{
    automatic,
    direct,
    {"lemke", "Lemke's method on the LCP form", makeLemkeOfForm, describeOptions<LcpFormOptions>},
    entry<BlockPivotingSolver, BlockPivotingOptions, Problem>("pivoting",
                                                              "block principal pivoting on the box problem"),
    sweeps,
    enumeration,
}};

}  // namespace

template <>
std::span<const SolverEntry<Problem>> solversFor<LinearComplementarityProblem>() {
  return lcpSolvers;
}

template <>
std::span<const SolverEntry<Problem>> solversFor<MixedLinearComplementarityProblem>() {
  return mixedSolvers;
}

template <>
std::span<const SolverEntry<Problem>> solversFor<RelayProblem>() {
  return relaySolvers;
}

}  // namespace delassus::numerics
