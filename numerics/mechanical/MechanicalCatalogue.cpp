// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/mechanical/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalClassSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalGaussSeidelSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalNewtonSolver.hpp>

namespace delassus::numerics {
namespace {

using Problem = GenericMechanicalProblem;

std::unique_ptr<MechanicalSolver> makeAccelerated(const SolverSettings& settings) {
  auto options = optionsFrom<MechanicalGaussSeidelOptions>(settings);
  options.accelerationMemory = 5;
  return std::make_unique<MechanicalGaussSeidelSolver>(options);
}

std::unique_ptr<MechanicalSolver> makeElimination(const SolverSettings& settings) {
  MechanicalEliminationOptions options;
  options.tolerance = settings.tolerance;
  return std::make_unique<MechanicalEliminationSolver>(options);
}

constexpr std::array<SolverEntry<Problem>, 6> solvers{{
    {"automatic", "elimination of the equalities, then Newton's method, then sweeps, until the answer is certified",
     makeSolver<Problem, AutomaticMechanicalSolver, AutomaticMechanicalOptions>},
    {"elimination", "the equalities eliminated by a rank-revealing factor, the rest by sweeps and Newton's method",
     makeElimination},
    {"newton", "semismooth Newton on the natural map of all parts",
     makeSolver<Problem, MechanicalNewtonSolver, MechanicalNewtonOptions>},
    {"nsgs", "nonsmooth Gauss-Seidel over the parts",
     makeSolver<Problem, MechanicalGaussSeidelSolver, MechanicalGaussSeidelOptions>},
    {"nsgs_anderson", "nonsmooth Gauss-Seidel with Anderson acceleration", makeAccelerated},
    {"one_class", "only boxes or only Coulomb contacts, by the solvers of their class",
     makeSolver<Problem, MechanicalClassSolver, MechanicalClassOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<GenericMechanicalProblem>> solversFor<GenericMechanicalProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
