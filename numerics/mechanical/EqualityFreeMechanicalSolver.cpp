// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/EqualityFreeMechanicalSolver.hpp>

#include <algorithm>
#include <delassus/numerics/RestartingSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalClassSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalError.hpp>
#include <delassus/numerics/mechanical/MechanicalGaussSeidelSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalNewtonSolver.hpp>
#include <delassus/numerics/mechanical/RandomImpulses.hpp>

namespace delassus::numerics {
namespace {

enum Member : std::size_t {
  quickNewton,
  fewSweeps,
  newton,
  oneClass,
  patientSweeps,
  newtonAgain,
  restarts,
  manySweeps
};

constexpr std::size_t denseRows = 1500;
constexpr std::size_t quickRows = 60;  // size up to which some steps of Newton's method cost less than the sweeps
constexpr std::size_t quickSteps = 6;
constexpr std::size_t restartRows = 60;
constexpr std::size_t starts = 300;
constexpr std::size_t stepsOfAStart = 30;  // what converges does so in fewer, mostly

std::unique_ptr<MechanicalSolver> sweeps(double tolerance, std::size_t limit, std::size_t outlook, std::size_t memory) {
  MechanicalGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.outlook = outlook;
  options.accelerationMemory = memory;
  return std::make_unique<MechanicalGaussSeidelSolver>(options);
}

}  // namespace

EqualityFreeMechanicalSolver::EqualityFreeMechanicalSolver(double tolerance)
    : FallbackChain("EqualityFreeMechanicalSolver", tolerance) {
  MechanicalNewtonOptions newtonOptions;
  newtonOptions.tolerance = tolerance;
  newtonOptions.maxIterations = quickSteps;
  add(std::make_unique<MechanicalNewtonSolver>(newtonOptions));
  newtonOptions.maxIterations = MechanicalNewtonOptions().maxIterations;
  newtonOptions.remember = false;  // it starts from sweeps
  MechanicalClassOptions classOptions;
  classOptions.tolerance = tolerance;
  add(sweeps(tolerance, 5, 0, 0));
  add(std::make_unique<MechanicalNewtonSolver>(newtonOptions));
  add(std::make_unique<MechanicalClassSolver>(classOptions));
  add(sweeps(tolerance, 3000, 300, 5));
  add(std::make_unique<MechanicalNewtonSolver>(newtonOptions));
  newtonOptions.maxIterations = stepsOfAStart;
  add(std::make_unique<RestartingSolver<GenericMechanicalProblem>>(
      std::make_unique<MechanicalNewtonSolver>(newtonOptions), drawImpulses, starts));
  add(sweeps(tolerance, 20000, 1000, 0));
}

void EqualityFreeMechanicalSolver::plan(const GenericMechanicalProblem& problem, std::vector<std::size_t>& order) {
  const bool isSparse = 4 * problem.W().storedEntries() < problem.size() * problem.size();
  const bool mayFactor = problem.size() <= denseRows || isSparse;
  const auto& parts = problem.parts();
  const auto isBox = [](const Part& part) { return part.set->isBox(); };
  const bool isOneClass =
      (std::any_of(parts.begin(), parts.end(), isBox) &&
       std::all_of(parts.begin(), parts.end(),
                   [](const Part& part) { return part.set->isBox() || part.set->isFree(); })) ||
      std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.set->coulombFriction().has_value(); });
  if (parts.size() > 1 && problem.size() <= quickRows) order.push_back(quickNewton);
  order.push_back(fewSweeps);
  if (mayFactor) order.push_back(newton);
  if (isOneClass) order.push_back(oneClass);
  order.push_back(patientSweeps);
  if (mayFactor) order.push_back(newtonAgain);
  if (problem.size() <= restartRows) order.push_back(restarts);
  order.push_back(manySweeps);
}

bool EqualityFreeMechanicalSolver::proves(std::size_t index, const GenericMechanicalProblem&, const SolveReport&) {
  return index == oneClass;
}

const Vector& EqualityFreeMechanicalSolver::startFor(std::size_t index, const Vector& original,
                                                     const Vector& best) const {
  return index == quickNewton || index == fewSweeps ? original : best;
}

}  // namespace delassus::numerics
