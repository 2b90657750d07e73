// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/choice/AutomaticGlobalFrictionSolver.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>
#include <delassus/numerics/friction/ReductionSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::array<SolverEntry<GlobalFrictionContactProblem>, 4> globalSolvers{{
    plainEntry<AutomaticGlobalFrictionSolver, GlobalFrictionContactProblem>(
        "automatic", "choice by size, with fallbacks until the answer is certified"),
    entry<GlobalAlartCurnierSolver, GlobalAlartCurnierOptions, GlobalFrictionContactProblem>(
        "newton_alart_curnier", "semismooth Newton on the Alart-Curnier functions in velocities and reactions"),
    entry<GlobalAdmmSolver, GlobalAdmmOptions, GlobalFrictionContactProblem>(
        "admm", "alternating directions on one sparse Cholesky factor, adaptive penalty"),
    entry<ReductionSolver, ReductionOptions, GlobalFrictionContactProblem>(
        "reduction", "elimination of the velocities, then the automatic local solver"),
}};

}  // namespace

template <>
std::span<const SolverEntry<GlobalFrictionContactProblem>> solversFor<GlobalFrictionContactProblem>() {
  return globalSolvers;
}

}  // namespace delassus::numerics
