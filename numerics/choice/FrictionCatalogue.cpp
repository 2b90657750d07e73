// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/contact/NewtonOneContactSolver.hpp>
#include <delassus/numerics/contact/ProjectionOneContactSolver.hpp>
#include <delassus/numerics/contact/QuarticOneContactSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmNewtonSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/Friction2DLemkeSolver.hpp>
#include <delassus/numerics/methods/FrictionInteriorPointSolver.hpp>
#include <delassus/numerics/methods/FrictionlessSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>

namespace delassus::numerics {
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

}  // namespace delassus::numerics
