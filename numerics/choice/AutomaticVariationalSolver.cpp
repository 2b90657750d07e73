// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/choice/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/choice/RestartingSolver.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/methods/ProductOfSets.hpp>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr std::size_t stepsOfAStart = 30;
constexpr std::size_t extragradientSteps = 20000;

constexpr int draws = 50;
constexpr double magnitudes = 3.;  // powers of ten around 1

// A point of C of any size; false if F is not finite there.
bool drawPoint(const VariationalInequality& problem, Linearisation& near, RandomGenerator& generator, Vector& point) {
  std::uniform_real_distribution<double> power(-magnitudes, magnitudes);
  std::normal_distribution<double> coordinate(0., std::pow(10., power(generator)));
  for (double& entry : point.data()) entry = coordinate(generator);
  ProductOfSets(near.affine()).project(data(point));
  return near.compute(problem, point);
}

// Draws a start of the size that the affine problem near P_C(0) suggests. Where F is not finite at P_C(0), the affine
// problem is that near a point where F is finite.
void drawStart(const VariationalInequality& problem, std::size_t, RandomGenerator& generator, const Vector&,
               Vector& start) {
  assignZero(start, problem.size());
  Linearisation near;
  near.begin(problem);
  ProductOfSets(near.affine()).project(data(start));
  if (near.compute(problem, start)) {
    drawImpulses(near.affine(), generator, start);
    return;
  }
  for (int k = 0; k < draws; ++k) {
    if (drawPoint(problem, near, generator, start)) return;
  }
  std::fill(start.begin(), start.end(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

AutomaticVariationalSolver::AutomaticVariationalSolver(AutomaticVariationalOptions options)
    : WithOptions("AutomaticVariationalSolver", options, "AutomaticVariationalSolver", options.tolerance) {
}

AutomaticVariationalSolver::Tables AutomaticVariationalSolver::tables() {
  static constexpr Line lines[] = {
      {"Newton",
       [](const Self& s) -> Member {
         return std::make_unique<VariationalNewtonSolver>(VariationalNewtonOptions{.tolerance = s.tolerance()});
       }},
      {"Josephy-Newton",
       [](const Self& s) -> Member {
         return std::make_unique<JosephyNewtonSolver>(VariationalNewtonOptions{.tolerance = s.tolerance()});
       }},
      {"extragradient",
       [](const Self& s) -> Member {
         return std::make_unique<ExtragradientSolver>(
             ExtragradientOptions{.tolerance = s.tolerance(), .maxIterations = extragradientSteps});
       }},
      {"Newton from many starts",
       [](const Self& s) -> Member {
         const VariationalNewtonOptions options{.tolerance = s.tolerance(), .maxIterations = stepsOfAStart};
         return std::make_unique<RestartingSolver<VariationalInequality>>(
             std::make_unique<VariationalNewtonSolver>(options), drawStart, s.options_.starts);
       },
       [](const Self& s, const VariationalInequality&) { return s.options_.starts > 0; }},
  };
  static constexpr Table all[] = {lines};
  return all;
}

}  // namespace delassus::numerics
