// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/SolverCatalogue.hpp>

#include <algorithm>
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
#include <iterator>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<SolverOverSets>;

// The entry of a solver that `make` makes of options, which are `usual` but for what the settings say. Iterations of
// some solvers are not what the limit of the settings is meant for.
template <auto make, auto usual, class Root = ProblemOverSets, bool hasLimit = true>
constexpr SolverEntry<Root> entryOf(std::string_view name, std::string_view summary) {
  return {name, summary,
          [](const SolverSettings& given) -> std::unique_ptr<CertifiedSolver<Root>> {
            return make(optionsFrom({given.tolerance, hasLimit ? given.maxIterations : 0, given.options}, usual()));
          },
          [] { return describe(usual().fields()); }};
}

template <class Method, class Options>
std::unique_ptr<Method> makeBy(const Options& options) {
  return std::make_unique<Method>(options);
}

template <class Options>
Options byDefault() {
  return {};
}

template <class Method, class Options, class Root = ProblemOverSets>
constexpr auto entry(std::string_view name, std::string_view summary) {
  return entryOf<makeBy<Method, Options>, byDefault<Options>, Root>(name, summary);
}
template <class Method, auto usual>
constexpr auto entry(std::string_view name, std::string_view summary) {
  return entryOf<makeBy<Method, decltype(usual())>, usual>(name, summary);
}
template <auto make, class Options>
constexpr auto entryMadeBy(std::string_view name, std::string_view summary) {
  return entryOf<make, byDefault<Options>>(name, summary);
}
template <class Method, class Options>
constexpr auto entryWithoutLimit(std::string_view name, std::string_view summary) {
  return entryOf<makeBy<Method, Options>, byDefault<Options>, ProblemOverSets, false>(name, summary);
}

// The entry of a solver that has a tolerance only.
template <class Method>
constexpr SolverEntry<ProblemOverSets> plainEntry(std::string_view name, std::string_view summary) {
  return {name, summary, [](const SolverSettings& settings) -> Made {
            auto solver = std::make_unique<Method>(settings.tolerance);
            const std::vector<Setting>& options = settings.options.list();
            if (options.empty()) return solver;
            throw Error("solver catalogue", std::string(solver->name()) + " has a tolerance only, and no option '" +
                                                options.front().name + "'.");
          }};
}

// Sweeps on what the elimination of the equalities leaves, to a tighter tolerance, since its data are others.
Made makeSweepsOfRest(const ProjectedGaussSeidelOptions& sweeps) {
  constexpr std::size_t mostEliminated = 20000;  // dense: 3 GB
  auto inner = sweeps;
  inner.tolerance = 0.1 * sweeps.tolerance;
  return std::make_unique<MechanicalEliminationSolver>(
      MechanicalEliminationOptions{.tolerance = sweeps.tolerance, .maxSize = mostEliminated},
      std::make_unique<ProjectedGaussSeidelSolver>(inner));
}

Made makeProximal(const ProximalOptions& options) {
  return std::make_unique<ProximalSolver>(std::make_unique<EqualityFreeMechanicalSolver>(0.1 * options.tolerance),
                                          options);
}

Made makeIslands(const IslandOptions& options) {
  return std::make_unique<IslandSolver>(
      [](double tolerance) { return std::make_unique<AutomaticFrictionSolver>(tolerance); }, options);
}

Made makeLemkeOfForm(const LcpFormOptions& options) {
  return std::make_unique<LcpFormSolver>(options, std::make_unique<LemkeSolver>(LemkeOptions{options.tolerance}));
}

template <class Local>
Made makeSweeps(const NonsmoothGaussSeidelOptions& options) {
  return std::make_unique<NonsmoothGaussSeidelSolver>(options, std::make_shared<Local>());
}

// Options that are not those by default.
BlockPivotingOptions ofDefinite() {
  return BlockPivotingOptions::ofDefinite();
}
DirectOptions ofMixed() {
  return {.rememberSize = 3000, .enumerateSize = 14};
}
ProjectedGaussSeidelOptions overRelaxed() {
  return {.relaxation = 1.5};
}
template <NewtonFunction function>
NewtonOptions ofContacts() {
  return NewtonOptions::ofContacts(function);
}
template <class Options>
Options withMomentum() {
  Options options;
  options.momentum = true;
  return options;
}

enum Faces : unsigned { lcp = 1, mlcp = 2, relay = 4, friction = 8, mechanical = 16, global = 32 };

// A solver and the classes of problems that have it in their lists, under a name that suits them.
struct Line {
  unsigned faces;
  SolverEntry<ProblemOverSets> entry;
};

using Sweeps = NonsmoothGaussSeidelOptions;

constexpr Line lines[] = {
    {lcp | mlcp | relay,
     entry<AutomaticBoxSolver, AutomaticBoxOptions>(
         "automatic", "choice by bounds, size and structure, with fallbacks until the answer is certified")},
    {friction, plainEntry<AutomaticFrictionSolver>(
                   "automatic", "Gauss-Seidel with momentum, then ADMM with Newton steps, Newton, interior point")},
    {mechanical,
     entry<AutomaticMechanicalSolver, AutomaticMechanicalOptions>(
         "automatic",
         "elimination of the equalities, then Newton's method, then sweeps, until the answer is certified")},
    {global,
     plainEntry<AutomaticGlobalSolver>("automatic", "choice by size, with fallbacks until the answer is certified")},
    {lcp | relay, entry<DirectSolver, DirectOptions>(
                      "direct", "remembered active sets, for time stepping of small problems; new ones by pivoting")},
    {mlcp, entry<DirectSolver, ofMixed>("direct", "the last active sets first, then elimination to an LCP")},
    {lcp, entry<LemkeSolver, LemkeOptions>("lemke", "Lemke's complementary pivoting, lexicographic")},
    {relay, entryMadeBy<makeLemkeOfForm, LcpFormOptions>("lemke", "Lemke's method on the LCP form")},
    {mlcp, entry<LcpFormSolver, LcpFormOptions>("reduction", "elimination of the free unknowns, then an LCP solver")},
    {mlcp,
     entry<LeastNormSolver, LeastNormOptions>("least_norm", "the answer of least norm, for redundant equality rows")},
    {lcp, entry<BlockPivotingSolver, ofDefinite>(
              "block_pivoting", "block principal pivoting, for symmetric positive definite M, dense or sparse")},
    {relay,
     entry<BlockPivotingSolver, BlockPivotingOptions>("pivoting", "block principal pivoting on the box problem")},
    {lcp, entry<LcpActiveSetSolver, LcpActiveSetOptions>(
              "active_set", "exact active-set method, for symmetric positive semidefinite M")},
    {lcp, entry<LcpInteriorPointSolver, LcpInteriorPointOptions>(
              "interior_point", "primal-dual interior point, for positive semidefinite M")},
    {lcp, entry<NewtonSolver, NewtonOptions::afterSweeps>("newton_min",
                                                          "sweeps, then semismooth Newton on the minimum function")},
    {lcp | mlcp, entry<FischerBurmeisterSolver, FischerBurmeisterOptions>(
                     "fischer_burmeister", "semismooth Newton on the Fischer-Burmeister function with line search")},
    {lcp | relay, entry<ProjectedGaussSeidelSolver, ProjectedGaussSeidelOptions>("pgs", "projected Gauss-Seidel")},
    {mlcp, entryMadeBy<makeSweepsOfRest, ProjectedGaussSeidelOptions>(
               "pgs", "elimination of the equality rows, then projected Gauss-Seidel")},
    {lcp, entry<ProjectedGaussSeidelSolver, overRelaxed>("psor", "projected successive over-relaxation, factor 1.5")},
    {lcp, entry<BlockGaussSeidelSolver, BlockGaussSeidelOptions>(
              "block_pgs", "projected Gauss-Seidel by block rows, each solved exactly")},
    {lcp, entry<AcceleratedGradientSolver, AcceleratedGradientOptions>(
              "accelerated_gradient", "accelerated projected gradient, for symmetric positive semidefinite M")},
    {lcp, entry<LcpProximalSolver, LcpProximalOptions>(
              "proximal", "proximal point over block pivoting, for large sparse semidefinite M")},
    {lcp | mlcp | relay, entry<EnumerationSolver, EnumerationOptions>("enumeration", "all bases, where there are few")},
    {mechanical, entryWithoutLimit<MechanicalEliminationSolver, MechanicalEliminationOptions>(
                     "elimination",
                     "the equalities eliminated by a rank-revealing factor, the rest by sweeps and Newton's method")},
    {mechanical,
     entryWithoutLimit<SparseEliminationSolver, SparseEliminationOptions>(
         "sparse_elimination", "the equalities eliminated by a sparse factor, the rest by sweeps and Newton's method")},
    {mechanical, entry<NewtonSolver, NewtonOptions>("newton", "semismooth Newton on the natural map of all parts")},
    {friction, entry<NonsmoothGaussSeidelSolver, Sweeps>("nsgs", "nonsmooth Gauss-Seidel, hybrid local solver")},
    {friction,
     entry<NonsmoothGaussSeidelSolver, withMomentum<Sweeps>>("nsgs_momentum", "nonsmooth Gauss-Seidel with momentum")},
    {mechanical,
     entry<MechanicalGaussSeidelSolver, MechanicalGaussSeidelOptions>("nsgs", "nonsmooth Gauss-Seidel over the parts")},
    {mechanical, entry<MechanicalGaussSeidelSolver, withMomentum<MechanicalGaussSeidelOptions>>(
                     "nsgs_momentum", "nonsmooth Gauss-Seidel with momentum")},
    {friction, entryMadeBy<makeSweeps<ProjectionOneContactSolver>, Sweeps>(
                   "nsgs_projection", "nonsmooth Gauss-Seidel, local projections")},
    {friction, entryMadeBy<makeSweeps<NewtonOneContactSolver>, Sweeps>(
                   "nsgs_newton", "nonsmooth Gauss-Seidel, local Newton on Alart-Curnier")},
    {friction, entryMadeBy<makeSweeps<QuarticOneContactSolver>, Sweeps>("nsgs_quartic",
                                                                        "nonsmooth Gauss-Seidel, local closed form")},
    {global, entry<AdmmNewtonSolver, AdmmNewtonOptions>(
                 "newton_alart_curnier", "alternating directions with Newton steps in velocities and multipliers")},
    {friction | mechanical, entry<AdmmSolver, AdmmOptions>("admm", "alternating directions, adaptive penalty")},
    {global,
     entry<AdmmSolver, AdmmOptions>("admm", "alternating directions on one sparse Cholesky factor, adaptive penalty")},
    {friction | mechanical | global,
     entry<AcceleratedGradientSolver, AcceleratedGradientOptions>(
         "accelerated_gradient", "accelerated projected gradient: products with W only")},
    {friction, entry<AdmmNewtonSolver, AdmmNewtonOptions>(
                   "admm_newton", "alternating directions with Newton steps on the normal map")},
    {friction, entry<NewtonSolver, ofContacts<NewtonFunction::alartCurnier>>("newton_alart_curnier",
                                                                             "semismooth Newton on Alart-Curnier")},
    {friction, entry<NewtonSolver, ofContacts<NewtonFunction::naturalMap>>("newton_natural_map",
                                                                           "semismooth Newton on the natural map")},
    {friction, entry<FrictionInteriorPointSolver, FrictionInteriorPointOptions>(
                   "interior_point", "interior point, Nesterov-Todd scaling")},
    {friction,
     entryMadeBy<makeIslands, IslandOptions>("islands", "groups of contacts that W does not couple, one by one")},
    {friction, entryWithoutLimit<FrictionlessSolver, LcpActiveSetOptions>(
                   "frictionless", "answer without friction; tells problems without solution")},
    {friction,
     entry<Friction2DLemkeSolver, LemkeOptions>("lemke_2d", "exact in dimension 2: Lemke on the polyhedral form")},
    {mechanical,
     entryMadeBy<makeProximal, ProximalOptions>(
         "proximal", "proximal point over sweeps and Newton's method, for redundant rows and semidefinite W")},
    {mechanical, entry<AutomaticBoxSolver, AutomaticBoxOptions>(
                     "relay", "boxes and equalities only, by the automatic choice for problems over intervals")},
    {mechanical,
     plainEntry<AutomaticFrictionSolver>(
         "friction", "Coulomb contacts of one dimension only, by the automatic choice for friction contact problems")},
    {global, entry<AutomaticMechanicalSolver, AutomaticMechanicalOptions>(
                 "reduction", "elimination of the velocities, then the automatic choice for the local form")},
};

// The lines of a face.
template <Faces face>
std::span<const SolverEntry<ProblemOverSets>> solversOf() {
  static constexpr std::size_t count = static_cast<std::size_t>(
      std::count_if(std::begin(lines), std::end(lines), [](const Line& line) { return (line.faces & face) != 0; }));
  static constexpr auto entries = [] {
    std::array<SolverEntry<ProblemOverSets>, count> chosen{};
    std::size_t k = 0;
    for (const Line& line : lines) {
      if ((line.faces & face) != 0) chosen[k++] = line.entry;
    }
    return chosen;
  }();
  return entries;
}

using Nonlinear = VariationalInequality;

constexpr std::array<SolverEntry<Nonlinear>, 4> variationalSolvers{{
    entry<AutomaticVariationalSolver, AutomaticVariationalOptions, Nonlinear>(
        "automatic", "Newton's methods, then the extragradient method, then random starts"),
    entry<VariationalNewtonSolver, VariationalNewtonOptions, Nonlinear>("newton",
                                                                        "semismooth Newton on the natural map"),
    entry<JosephyNewtonSolver, VariationalNewtonOptions, Nonlinear>(
        "josephy", "Newton's method whose steps solve the linearised problem over the sets"),
    entry<ExtragradientSolver, ExtragradientOptions, Nonlinear>("extragradient",
                                                                "projections alone, for monotone functions"),
}};

}  // namespace

template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<LinearComplementarityProblem>() {
  return solversOf<lcp>();
}
template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<MixedLinearComplementarityProblem>() {
  return solversOf<mlcp>();
}
template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<RelayProblem>() {
  return solversOf<relay>();
}
template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<FrictionContactProblem>() {
  return solversOf<friction>();
}
template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<GenericMechanicalProblem>() {
  return solversOf<mechanical>();
}
template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<GlobalMechanicalProblem>() {
  return solversOf<global>();
}
template <>
std::span<const SolverEntry<ProblemOverSets>> solversFor<GlobalFrictionContactProblem>() {
  return solversOf<global>();
}

template <>
std::span<const SolverEntry<Nonlinear>> solversFor<VariationalInequality>() {
  return variationalSolvers;
}
template <>
std::span<const SolverEntry<Nonlinear>> solversFor<NonlinearComplementarityProblem>() {
  return variationalSolvers;
}
template <>
std::span<const SolverEntry<Nonlinear>> solversFor<MixedComplementarityProblem>() {
  return variationalSolvers;
}

}  // namespace delassus::numerics
