// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/friction/AdmmNewtonSolver.hpp>
#include <delassus/numerics/friction/AdmmSolver.hpp>
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/friction/ColouredGaussSeidelSolver.hpp>
#include <delassus/numerics/friction/ContactNewtonSolver.hpp>
#include <delassus/numerics/friction/DeSaxceFixedPointSolver.hpp>
#include <delassus/numerics/friction/Friction2DEnumerationSolver.hpp>
#include <delassus/numerics/friction/Friction2DLemkeSolver.hpp>
#include <delassus/numerics/friction/FrictionInteriorPointSolver.hpp>
#include <delassus/numerics/friction/FrictionlessSolver.hpp>
#include <delassus/numerics/friction/NewtonOneContactSolver.hpp>
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/friction/ProjectionOneContactSolver.hpp>
#include <delassus/numerics/friction/QuarticOneContactSolver.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

using SolverPointer = std::unique_ptr<FrictionContactSolver>;

SolverPointer makeSweeps(const SolverSettings& settings, std::size_t memory,
                         std::shared_ptr<const OneContactSolver> local = nullptr) {
  auto options = optionsFrom<NonsmoothGaussSeidelOptions>(settings);
  options.accelerationMemory = memory;
  return std::make_unique<NonsmoothGaussSeidelSolver>(options, std::move(local));
}

constexpr std::size_t memory = 5;

const std::array entries = {
    SolverEntry<FrictionContactProblem>{"automatic",
                                        "accelerated Gauss-Seidel, then ADMM with Newton steps, Newton, interior point",
                                        [](const SolverSettings& s) -> SolverPointer {
                                          return std::make_unique<AutomaticFrictionSolver>(s.tolerance);
                                        }},
    SolverEntry<FrictionContactProblem>{"nsgs", "nonsmooth Gauss-Seidel, hybrid local solver",
                                        [](const SolverSettings& s) { return makeSweeps(s, 0); }},
    SolverEntry<FrictionContactProblem>{"nsgs_anderson", "nonsmooth Gauss-Seidel with Anderson acceleration",
                                        [](const SolverSettings& s) { return makeSweeps(s, memory); }},
    SolverEntry<FrictionContactProblem>{
        "nsgs_projection", "nonsmooth Gauss-Seidel, local projections",
        [](const SolverSettings& s) { return makeSweeps(s, 0, std::make_shared<ProjectionOneContactSolver>()); }},
    SolverEntry<FrictionContactProblem>{
        "nsgs_newton", "nonsmooth Gauss-Seidel, local Newton on Alart-Curnier",
        [](const SolverSettings& s) { return makeSweeps(s, 0, std::make_shared<NewtonOneContactSolver>()); }},
    SolverEntry<FrictionContactProblem>{
        "nsgs_quartic", "nonsmooth Gauss-Seidel, local closed form",
        [](const SolverSettings& s) { return makeSweeps(s, 0, std::make_shared<QuarticOneContactSolver>()); }},
    SolverEntry<FrictionContactProblem>{
        "nsgs_coloured", "nonsmooth Gauss-Seidel by colours, on two threads",
        makeSolver<FrictionContactProblem, ColouredGaussSeidelSolver, ColouredGaussSeidelOptions>},
    SolverEntry<FrictionContactProblem>{"admm", "alternating directions, adaptive penalty",
                                        makeSolver<FrictionContactProblem, AdmmSolver, AdmmOptions>},
    SolverEntry<FrictionContactProblem>{"admm_newton", "alternating directions with Newton steps on the normal map",
                                        makeSolver<FrictionContactProblem, AdmmNewtonSolver, AdmmNewtonOptions>},
    SolverEntry<FrictionContactProblem>{
        "newton_alart_curnier", "semismooth Newton on Alart-Curnier",
        makeSolver<FrictionContactProblem, AlartCurnierNewtonSolver, ContactNewtonOptions>},
    SolverEntry<FrictionContactProblem>{
        "newton_natural_map", "semismooth Newton on the natural map",
        makeSolver<FrictionContactProblem, NaturalMapNewtonSolver, ContactNewtonOptions>},
    SolverEntry<FrictionContactProblem>{
        "interior_point", "interior point, Nesterov-Todd scaling",
        makeSolver<FrictionContactProblem, FrictionInteriorPointSolver, FrictionInteriorPointOptions>},
    SolverEntry<FrictionContactProblem>{
        "desaxce_fixed_point", "fixed point on De Saxce's correction, inner ADMM",
        makeSolver<FrictionContactProblem, DeSaxceFixedPointSolver, DeSaxceFixedPointOptions>},
    SolverEntry<FrictionContactProblem>{"frictionless", "answer without friction; tells problems without solution",
                                        [](const SolverSettings& s) -> SolverPointer {
                                          LcpActiveSetOptions options;
                                          options.tolerance = s.tolerance;
                                          return std::make_unique<FrictionlessSolver>(options);
                                        }},
    SolverEntry<FrictionContactProblem>{"lemke_2d", "exact in dimension 2: Lemke on the polyhedral form",
                                        [](const SolverSettings& s) -> SolverPointer {
                                          LemkeOptions options;
                                          options.tolerance = s.tolerance;
                                          options.maxPivots = s.maxIterations;
                                          return std::make_unique<Friction2DLemkeSolver>(options);
                                        }},
    SolverEntry<FrictionContactProblem>{"enumeration_2d", "all contact statuses, dimension 2, few contacts",
                                        [](const SolverSettings& s) -> SolverPointer {
                                          Friction2DEnumerationOptions options;
                                          options.tolerance = s.tolerance;
                                          return std::make_unique<Friction2DEnumerationSolver>(options);
                                        }}};

}  // namespace

template <>
std::span<const SolverEntry<FrictionContactProblem>> solversFor<FrictionContactProblem>() {
  return entries;
}

}  // namespace delassus::numerics
