// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/EqualityFreeMechanicalSolver.hpp>

#include <algorithm>
#include <delassus/numerics/RestartingSolver.hpp>
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalGaussSeidelSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalNewtonSolver.hpp>
#include <delassus/numerics/mechanical/RandomImpulses.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <delassus/numerics/sets/NaturalMapError.hpp>

namespace delassus::numerics {
namespace {

enum Member : std::size_t {
  quickNewton,
  fewSweeps,
  newton,
  relay,
  friction,
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
  AutomaticRelayOptions relayOptions;
  relayOptions.tolerance = tolerance;
  add(sweeps(tolerance, 5, 0, 0));
  add(std::make_unique<MechanicalNewtonSolver>(newtonOptions));
  add(std::make_unique<AutomaticRelaySolver>(relayOptions));
  add(std::make_unique<AutomaticFrictionSolver>(tolerance));
  add(sweeps(tolerance, 3000, 300, 5));
  add(std::make_unique<MechanicalNewtonSolver>(newtonOptions));
  newtonOptions.maxIterations = stepsOfAStart;
  add(std::make_unique<RestartingSolver<ProblemOverSets>>(std::make_unique<MechanicalNewtonSolver>(newtonOptions),
                                                          drawImpulses, starts));
  add(sweeps(tolerance, 20000, 1000, 0));
}

void EqualityFreeMechanicalSolver::plan(const ProblemOverSets& problem, std::vector<std::size_t>& order) {
  if (!problem.hasMatrix()) return;
  const bool isSparse = 4 * problem.matrix().storedEntries() < problem.size() * problem.size();
  const bool mayFactor = problem.size() <= denseRows || isSparse;
  bool isRelay = true, isFriction = true;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    isRelay = isRelay && (set.isBox() || set.isFree() || set.isOrthant());
    isFriction = isFriction && set.coulombFriction().has_value() && problem.rows(part) == problem.rows(0);
  }
  if (problem.partCount() > 1 && problem.size() <= quickRows) order.push_back(quickNewton);
  order.push_back(fewSweeps);
  if (mayFactor) order.push_back(newton);
  if (isRelay) order.push_back(relay);
  if (isFriction) order.push_back(friction);
  order.push_back(patientSweeps);
  if (mayFactor) order.push_back(newtonAgain);
  if (problem.size() <= restartRows) order.push_back(restarts);
  order.push_back(manySweeps);
}

bool EqualityFreeMechanicalSolver::proves(std::size_t index, const ProblemOverSets&, const SolveReport&) {
  return index == relay || index == friction;
}

const Vector& EqualityFreeMechanicalSolver::startFor(std::size_t index, const Vector& original,
                                                     const Vector& best) const {
  return index == quickNewton || index == fewSweeps ? original : best;
}

}  // namespace delassus::numerics
