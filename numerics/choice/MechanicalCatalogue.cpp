// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/EqualityFreeMechanicalSolver.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/methods/MechanicalGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/methods/SparseEliminationSolver.hpp>

namespace delassus::numerics {
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

}  // namespace delassus::numerics
