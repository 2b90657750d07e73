// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/SolverCatalogue.hpp>

#include <array>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/Friction2DLemkeSolver.hpp>
#include <delassus/numerics/methods/FrictionInteriorPointSolver.hpp>
#include <delassus/numerics/methods/FrictionlessSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/methods/LeastNormSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
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

namespace {

using Sweeps = NonsmoothGaussSeidelOptions;

struct SweepsWithMomentum : Sweeps {
  SweepsWithMomentum() { momentum = true; }
};

template <NewtonFunction function>
std::unique_ptr<SolverOverSets> makeNewton(const SolverSettings& settings) {
  return std::make_unique<NewtonSolver>(optionsFrom(settings, NewtonOptions::ofContacts(function)));
}

std::string describeNewton() {
  return describe(NewtonOptions::ofContacts().fields());
}

template <class Local>
std::unique_ptr<SolverOverSets> makeSweeps(const SolverSettings& settings) {
  return std::make_unique<NonsmoothGaussSeidelSolver>(optionsFrom<Sweeps>(settings), std::make_shared<Local>());
}

// Its iterations are unknowns freed, for which the limit of the settings is not meant.
std::unique_ptr<SolverOverSets> makeFrictionless(const SolverSettings& settings) {
  return makeSolver<FrictionContactProblem, FrictionlessSolver, LcpActiveSetOptions>(
      {settings.tolerance, 0, settings.options});
}

std::unique_ptr<SolverOverSets> makeFrictionLemke(const SolverSettings& settings) {
  LemkeOptions options;
  options.maxPivots = settings.maxIterations;
  return std::make_unique<Friction2DLemkeSolver>(optionsFrom(settings, options));
}

std::unique_ptr<SolverOverSets> makeIslands(const SolverSettings& settings) {
  const auto make = [](double tolerance) { return std::make_unique<AutomaticFrictionSolver>(tolerance); };
  return std::make_unique<IslandSolver>(make, optionsFrom<IslandOptions>(settings));
}

constexpr std::array<SolverEntry<RootOf<FrictionContactProblem>>, 15> frictionSolvers{{
    plainEntry<AutomaticFrictionSolver, FrictionContactProblem>(
        "automatic", "Gauss-Seidel with momentum, then ADMM with Newton steps, Newton, interior point"),
    entry<NonsmoothGaussSeidelSolver, Sweeps, FrictionContactProblem>("nsgs",
                                                                      "nonsmooth Gauss-Seidel, hybrid local solver"),
    entry<NonsmoothGaussSeidelSolver, SweepsWithMomentum, FrictionContactProblem>(
        "nsgs_momentum", "nonsmooth Gauss-Seidel with momentum"),
    {"nsgs_projection", "nonsmooth Gauss-Seidel, local projections", makeSweeps<ProjectionOneContactSolver>,
     describeOptions<Sweeps>},
    {"nsgs_newton", "nonsmooth Gauss-Seidel, local Newton on Alart-Curnier", makeSweeps<NewtonOneContactSolver>,
     describeOptions<Sweeps>},
    {"nsgs_quartic", "nonsmooth Gauss-Seidel, local closed form", makeSweeps<QuarticOneContactSolver>,
     describeOptions<Sweeps>},
    entry<AdmmSolver, AdmmOptions, FrictionContactProblem>("admm", "alternating directions, adaptive penalty"),
    entry<AcceleratedGradientSolver, AcceleratedGradientOptions, FrictionContactProblem>(
        "accelerated_gradient", "accelerated projected gradient: products with W only"),
    entry<AdmmNewtonSolver, AdmmNewtonOptions, FrictionContactProblem>(
        "admm_newton", "alternating directions with Newton steps on the normal map"),
    {"newton_alart_curnier", "semismooth Newton on Alart-Curnier", makeNewton<NewtonFunction::alartCurnier>,
     describeNewton},
    {"newton_natural_map", "semismooth Newton on the natural map", makeNewton<NewtonFunction::naturalMap>,
     describeNewton},
    entry<FrictionInteriorPointSolver, FrictionInteriorPointOptions, FrictionContactProblem>(
        "interior_point", "interior point, Nesterov-Todd scaling"),
    {"islands", "groups of contacts that W does not couple, one by one", makeIslands, describeOptions<IslandOptions>},
    {"frictionless", "answer without friction; tells problems without solution", makeFrictionless,
     describeOptions<LcpActiveSetOptions>},
    {"lemke_2d", "exact in dimension 2: Lemke on the polyhedral form", makeFrictionLemke,
     describeOptions<LemkeOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<RootOf<FrictionContactProblem>>> solversFor<FrictionContactProblem>() {
  return frictionSolvers;
}

namespace {

struct MechanicalSweepsWithMomentum : MechanicalGaussSeidelOptions {
  MechanicalSweepsWithMomentum() { momentum = true; }
};

// Its iterations are refinements of the equalities, for which the limit of the settings is not meant.
template <class Equalities>
std::unique_ptr<SolverOverSets> makeElimination(const SolverSettings& settings) {
  return makeSolver<GenericMechanicalProblem, EliminationSolver<Equalities>, typename Equalities::Options>(
      {settings.tolerance, 0, settings.options});
}

std::unique_ptr<SolverOverSets> makeProximal(const SolverSettings& settings) {
  const auto options = optionsFrom<ProximalOptions>(settings);
  return std::make_unique<ProximalSolver>(std::make_unique<EqualityFreeMechanicalSolver>(0.1 * options.tolerance),
                                          options);
}

constexpr std::array<SolverEntry<RootOf<GenericMechanicalProblem>>, 11> mechanicalSolvers{{
    entry<AutomaticMechanicalSolver, AutomaticMechanicalOptions, GenericMechanicalProblem>(
        "automatic", "elimination of the equalities, then Newton's method, then sweeps, until the answer is certified"),
    {"elimination", "the equalities eliminated by a rank-revealing factor, the rest by sweeps and Newton's method",
     makeElimination<DenseEqualities>, describeOptions<MechanicalEliminationOptions>},
    {"sparse_elimination", "the equalities eliminated by a sparse factor, the rest by sweeps and Newton's method",
     makeElimination<SparseEqualities>, describeOptions<SparseEliminationOptions>},
    entry<NewtonSolver, NewtonOptions, GenericMechanicalProblem>("newton",
                                                                 "semismooth Newton on the natural map of all parts"),
    entry<MechanicalGaussSeidelSolver, MechanicalGaussSeidelOptions, GenericMechanicalProblem>(
        "nsgs", "nonsmooth Gauss-Seidel over the parts"),
    entry<MechanicalGaussSeidelSolver, MechanicalSweepsWithMomentum, GenericMechanicalProblem>(
        "nsgs_momentum", "nonsmooth Gauss-Seidel with momentum"),
    entry<AdmmSolver, AdmmOptions, GenericMechanicalProblem>("admm", "alternating directions, adaptive penalty"),
    entry<AcceleratedGradientSolver, AcceleratedGradientOptions, GenericMechanicalProblem>(
        "accelerated_gradient", "accelerated projected gradient: products with W only"),
    {"proximal", "proximal point over sweeps and Newton's method, for redundant rows and semidefinite W", makeProximal,
     describeOptions<ProximalOptions>},
    entry<AutomaticBoxSolver, AutomaticBoxOptions, GenericMechanicalProblem>(
        "relay", "boxes and equalities only, by the automatic choice for problems over intervals"),
    plainEntry<AutomaticFrictionSolver, GenericMechanicalProblem>(
        "friction", "Coulomb contacts of one dimension only, by the automatic choice for friction contact problems"),
}};

}  // namespace

template <>
std::span<const SolverEntry<RootOf<GenericMechanicalProblem>>> solversFor<GenericMechanicalProblem>() {
  return mechanicalSolvers;
}

namespace {

constexpr std::array<SolverEntry<ProblemOverSets>, 5> globalSolvers{{
    plainEntry<AutomaticGlobalSolver, GlobalMechanicalProblem>(
        "automatic", "choice by size, with fallbacks until the answer is certified"),
    entry<AdmmNewtonSolver, AdmmNewtonOptions, GlobalMechanicalProblem>(
        "newton_alart_curnier", "alternating directions with Newton steps in velocities and multipliers"),
    entry<AdmmSolver, AdmmOptions, GlobalMechanicalProblem>(
        "admm", "alternating directions on one sparse Cholesky factor, adaptive penalty"),
    entry<AcceleratedGradientSolver, AcceleratedGradientOptions, GlobalMechanicalProblem>(
        "accelerated_gradient", "accelerated projected gradient: products with W only"),
    entry<AutomaticMechanicalSolver, AutomaticMechanicalOptions, GlobalMechanicalProblem>(
        "reduction", "elimination of the velocities, then the automatic choice for the local form"),
}};

}  // namespace

template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<GlobalMechanicalProblem>() {
  return globalSolvers;
}

template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<GlobalFrictionContactProblem>() {
  return globalSolvers;
}

namespace {

constexpr std::array<SolverEntry<VariationalInequality>, 4> variationalSolvers{{
    entry<AutomaticVariationalSolver, AutomaticVariationalOptions, VariationalInequality>(
        "automatic", "Newton's methods, then the extragradient method, then random starts"),
    entry<VariationalNewtonSolver, VariationalNewtonOptions, VariationalInequality>(
        "newton", "semismooth Newton on the natural map"),
    entry<JosephyNewtonSolver, VariationalNewtonOptions, VariationalInequality>(
        "josephy", "Newton's method whose steps solve the linearised problem over the sets"),
    entry<ExtragradientSolver, ExtragradientOptions, VariationalInequality>(
        "extragradient", "projections alone, for monotone functions"),
}};

}  // namespace

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<VariationalInequality>() {
  return variationalSolvers;
}

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<NonlinearComplementarityProblem>() {
  return variationalSolvers;
}

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<MixedComplementarityProblem>() {
  return variationalSolvers;
}

}  // namespace delassus::numerics
