// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/mechanical/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/mechanical/EqualityFreeMechanicalSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalGaussSeidelSolver.hpp>
#include <delassus/numerics/mechanical/SparseEliminationSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>

namespace delassus::numerics {
namespace {

using Problem = GenericMechanicalProblem;

struct SweepsWithMomentum : MechanicalGaussSeidelOptions {
  SweepsWithMomentum() { momentum = true; }
};

// Its iterations are refinements of the equalities, for which the limit of the settings is not meant.
template <class Equalities>
std::unique_ptr<MechanicalSolver> makeElimination(const SolverSettings& settings) {
  return makeSolver<Problem, EliminationSolver<Equalities>, typename Equalities::Options>(
      {settings.tolerance, 0, settings.options});
}

std::unique_ptr<MechanicalSolver> makeProximal(const SolverSettings& settings) {
  const auto options = optionsFrom<ProximalOptions>(settings);
  return std::make_unique<ProximalSolver>(std::make_unique<EqualityFreeMechanicalSolver>(0.1 * options.tolerance),
                                          options);
}

constexpr std::array<SolverEntry<Problem>, 11> solvers{{
    entry<AutomaticMechanicalSolver, AutomaticMechanicalOptions, Problem>(
        "automatic", "elimination of the equalities, then Newton's method, then sweeps, until the answer is certified"),
    {"elimination", "the equalities eliminated by a rank-revealing factor, the rest by sweeps and Newton's method",
     makeElimination<DenseEqualities>, describeOptions<MechanicalEliminationOptions>},
    {"sparse_elimination", "the equalities eliminated by a sparse factor, the rest by sweeps and Newton's method",
     makeElimination<SparseEqualities>, describeOptions<SparseEliminationOptions>},
    entry<NewtonSolver, NewtonOptions, Problem>("newton", "semismooth Newton on the natural map of all parts"),
    entry<MechanicalGaussSeidelSolver, MechanicalGaussSeidelOptions, Problem>("nsgs",
                                                                              "nonsmooth Gauss-Seidel over the parts"),
    entry<MechanicalGaussSeidelSolver, SweepsWithMomentum, Problem>("nsgs_momentum",
                                                                    "nonsmooth Gauss-Seidel with momentum"),
    entry<AdmmSolver, AdmmOptions, Problem>("admm", "alternating directions, adaptive penalty"),
    entry<AcceleratedGradientSolver, AcceleratedGradientOptions, Problem>(
        "accelerated_gradient", "accelerated projected gradient: products with W only"),
    {"proximal", "proximal point over sweeps and Newton's method, for redundant rows and semidefinite W", makeProximal,
     describeOptions<ProximalOptions>},
    entry<AutomaticRelaySolver, AutomaticRelayOptions, Problem>(
        "relay", "boxes and equalities only, by the automatic choice for relay problems"),
    plainEntry<AutomaticFrictionSolver, Problem>(
        "friction", "Coulomb contacts of one dimension only, by the automatic choice for friction contact problems"),
}};

}  // namespace

template <>
std::span<const SolverEntry<GenericMechanicalProblem>> solversFor<GenericMechanicalProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
