// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmNewtonSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>

namespace delassus::numerics {
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

}  // namespace delassus::numerics
