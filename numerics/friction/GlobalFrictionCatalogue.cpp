// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/friction/AutomaticGlobalFrictionSolver.hpp>
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>
#include <delassus/numerics/friction/ReductionSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<GlobalFrictionContactSolver>;

// For the methods whose limit is `maxIterations`.
template <class Method, class Options>
Made iterative(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<Method>(options);
}

Made automatic(const SolverSettings& settings) {
  return std::make_unique<AutomaticGlobalFrictionSolver>(settings.tolerance);
}

Made reduction(const SolverSettings& settings) {
  ReductionOptions options;
  options.tolerance = settings.tolerance;
  return std::make_unique<ReductionSolver>(options);
}

constexpr std::array<SolverEntry<GlobalFrictionContactProblem>, 4> solvers{{
    {"automatic", "choice by size, with fallbacks until the answer is certified", automatic},
    {"newton_alart_curnier", "semismooth Newton on the Alart-Curnier functions in velocities and reactions",
     iterative<GlobalAlartCurnierSolver, GlobalAlartCurnierOptions>},
    {"admm", "alternating directions on one sparse Cholesky factor, adaptive penalty",
     iterative<GlobalAdmmSolver, GlobalAdmmOptions>},
    {"reduction", "elimination of the velocities, then the automatic local solver", reduction},
}};

}  // namespace

template <>
std::span<const SolverEntry<GlobalFrictionContactProblem>> solversFor<GlobalFrictionContactProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
