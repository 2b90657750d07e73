// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/RestartingSolver.hpp>
#include <delassus/numerics/mechanical/RandomImpulses.hpp>
#include <delassus/numerics/nonlinear/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>
#include <delassus/numerics/sets/ProductOfSets.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t stepsOfAStart = 30;
constexpr std::size_t extragradientSteps = 20000;

// Of the size that the affine problem near P_C(0) suggests; zero where F is not finite there.
void drawStart(const VariationalInequality& problem, std::mt19937_64& generator, Vector& start) {
  assignZero(start, problem.size());
  Linearisation near;
  near.begin(problem);
  ProductOfSets(near.affine()).project(data(start));
  if (near.compute(problem, start)) drawImpulses(near.affine(), generator, start);
}

}  // namespace

AutomaticVariationalSolver::AutomaticVariationalSolver(AutomaticVariationalOptions options)
    : WithOptions("AutomaticVariationalSolver", options, "AutomaticVariationalSolver", options.tolerance) {
  VariationalNewtonOptions newton;
  newton.tolerance = options.tolerance;
  add(std::make_unique<VariationalNewtonSolver>(newton));
  add(std::make_unique<JosephyNewtonSolver>(newton));
  ExtragradientOptions steps;
  steps.tolerance = options.tolerance;
  steps.maxIterations = extragradientSteps;
  add(std::make_unique<ExtragradientSolver>(steps));
  if (options.starts == 0) return;
  newton.maxIterations = stepsOfAStart;
  add(std::make_unique<RestartingSolver<VariationalInequality>>(std::make_unique<VariationalNewtonSolver>(newton),
                                                                drawStart, options.starts));
}

}  // namespace delassus::numerics
