// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/EqualityFreeMechanicalSolver.hpp>

#include <algorithm>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/MechanicalGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/methods/RandomImpulses.hpp>
#include <delassus/numerics/methods/RestartingSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t denseRows = 1500;
constexpr std::size_t manyParts = 400;  // from which sweeps are cheaper than a factorisation
constexpr std::size_t quickRows =
    60;  // size up to which some steps of Newton's or the proximal method cost less than the sweeps
constexpr std::size_t quickSteps = 6;
constexpr std::size_t proximalRows = 300;  // its hundred steps are solves of their own
constexpr std::size_t restartRows = 60;
constexpr std::size_t mechanicalStarts = 300;
constexpr std::size_t stepsOfAMechanicalStart = 30;  // what converges does so in fewer, mostly

// From where sweeps or a random start have led.
std::unique_ptr<NewtonSolver> newtonFromStart(double tolerance, std::size_t limit) {
  return std::make_unique<NewtonSolver>(
      NewtonOptions{.tolerance = tolerance, .maxIterations = limit, .remember = false});
}

std::unique_ptr<SolverOverSets> mechanicalSweeps(double tolerance, std::size_t limit, std::size_t outlook,
                                                 bool momentum) {
  MechanicalGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.outlook = outlook;
  options.momentum = momentum;
  return std::make_unique<MechanicalGaussSeidelSolver>(options);
}

void drawMechanicalStart(const ProblemOverSets& problem, std::size_t, RandomGenerator& generator, Vector& lambda) {
  drawImpulses(problem, generator, lambda);
}

}  // namespace

EqualityFreeMechanicalSolver::EqualityFreeMechanicalSolver(double tolerance)
    : FallbackChain("EqualityFreeMechanicalSolver", tolerance) {
}

EqualityFreeMechanicalSolver::Member EqualityFreeMechanicalSolver::make(std::size_t number) {
  const double tolerance = this->tolerance();
  switch (number) {
    case quickNewton:
      return std::make_unique<NewtonSolver>(NewtonOptions{.tolerance = tolerance, .maxIterations = quickSteps});
    case fewSweeps:
      return mechanicalSweeps(tolerance, 5, 0, false);
    case newton:
    case newtonAgain:
      return newtonFromStart(tolerance, NewtonOptions().maxIterations);
    case boxes:
      return std::make_unique<AutomaticBoxSolver>(AutomaticBoxOptions{.tolerance = tolerance, .enumerateSize = 16});
    case friction:
      return std::make_unique<AutomaticFrictionSolver>(tolerance);
    case patientSweeps:
      return mechanicalSweeps(tolerance, 3000, 300, true);
    case admm:
      return std::make_unique<AdmmSolver>(AdmmOptions{.tolerance = tolerance});
    case proximal:
      return std::make_unique<ProximalSolver>(newtonFromStart(0.1 * tolerance, NewtonOptions().maxIterations),
                                              ProximalOptions{.tolerance = tolerance});
    case restarts:
      return std::make_unique<RestartingSolver<ProblemOverSets>>(newtonFromStart(tolerance, stepsOfAMechanicalStart),
                                                                 drawMechanicalStart, mechanicalStarts);
    case manySweeps:
      return mechanicalSweeps(tolerance, 20000, 1000, false);
    default:
      return nullptr;
  }
}

void EqualityFreeMechanicalSolver::plan(const ProblemOverSets& problem, std::vector<std::size_t>& order) {
  if (!problem.requireMatrix()) return;
  const bool isSparse = 4 * problem.matrix().storedEntries() < problem.size() * problem.size();
  const bool mayFactor = problem.size() <= denseRows || isSparse;
  const bool isLarge = problem.partCount() >= manyParts;
  if (problem.partCount() > 1 && problem.size() <= quickRows) order.push_back(quickNewton);
  if (!isLarge) order.push_back(fewSweeps);
  if (!isLarge && mayFactor) order.push_back(newton);
  if (intervals_.take(problem)) order.push_back(boxes);
  if (FrictionContactProblem::takes(problem)) order.push_back(friction);
  if (problem.size() <= quickRows) order.push_back(proximal);
  order.push_back(patientSweeps);
  if (isLarge && mayFactor) order.push_back(admm);
  if (mayFactor) order.push_back(newtonAgain);
  if (!isLarge && mayFactor) order.push_back(admm);
  if (problem.size() > quickRows && problem.size() <= proximalRows) order.push_back(proximal);
  if (problem.size() <= restartRows) order.push_back(restarts);
  order.push_back(manySweeps);
}

bool EqualityFreeMechanicalSolver::proves(std::size_t number, const ProblemOverSets&, const SolveReport&) {
  return number == boxes || number == friction || number == proximal;
}

const Vector& EqualityFreeMechanicalSolver::startFor(std::size_t number, const Vector& original,
                                                     const Vector& best) const {
  return number == quickNewton || number == fewSweeps ? original : best;
}

}  // namespace delassus::numerics
