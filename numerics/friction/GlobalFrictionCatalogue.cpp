// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/friction/AutomaticGlobalFrictionSolver.hpp>
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>
#include <delassus/numerics/friction/ReductionSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<GlobalFrictionContactSolver>;

Made automatic(const SolverSettings& settings) {
  return std::make_unique<AutomaticGlobalFrictionSolver>(settings.tolerance);
}

constexpr std::array<SolverEntry<GlobalFrictionContactProblem>, 4> solvers{{
    {"automatic", "choice by size, with fallbacks until the answer is certified", automatic},
    {"newton_alart_curnier", "semismooth Newton on the Alart-Curnier functions in velocities and reactions",
     makeSolver<GlobalFrictionContactProblem, GlobalAlartCurnierSolver, GlobalAlartCurnierOptions>},
    {"admm", "alternating directions on one sparse Cholesky factor, adaptive penalty",
     makeSolver<GlobalFrictionContactProblem, GlobalAdmmSolver, GlobalAdmmOptions>},
    {"reduction", "elimination of the velocities, then the automatic local solver",
     makeSolver<GlobalFrictionContactProblem, ReductionSolver, ReductionOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<GlobalFrictionContactProblem>> solversFor<GlobalFrictionContactProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
