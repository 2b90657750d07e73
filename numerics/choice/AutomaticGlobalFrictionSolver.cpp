// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticGlobalFrictionSolver.hpp>

#include <algorithm>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/friction/BlockDiagonalMass.hpp>
#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>
#include <delassus/numerics/friction/ReductionSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t largestBody = 12;       // degrees of freedom of a block of M: W is cheap then
constexpr std::size_t reductionFirst = 50;    // contacts
constexpr std::size_t reductionEarly = 200;   // where reactions are unique
constexpr std::size_t reductionAtAll = 2000;  // a full W then takes 288 MB

// Where free velocities outweigh the others, the error of the local form is relative to too much.
constexpr double tightShare = 1e-3;
constexpr double leastTolerance = 1e-14;

std::unique_ptr<GlobalFrictionContactSolver> directions(double tolerance, std::size_t limit) {
  GlobalAdmmOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  return std::make_unique<GlobalAdmmSolver>(options);
}

}  // namespace

AutomaticGlobalFrictionSolver::AutomaticGlobalFrictionSolver(double tolerance)
    : FallbackChain<GlobalFrictionContactProblem>("AutomaticGlobalFrictionSolver", tolerance) {
}

AutomaticGlobalFrictionSolver::Member AutomaticGlobalFrictionSolver::make(std::size_t number) {
  const double tolerance = this->tolerance();
  switch (number) {
    case reduction:
      return std::make_unique<ReductionSolver>(ReductionOptions{.tolerance = tolerance});
    case newton:
      return std::make_unique<GlobalAlartCurnierSolver>(GlobalAlartCurnierOptions{.tolerance = tolerance});
    case fewDirections:
      return directions(tolerance, 2000);
    case manyDirections:
      return directions(tolerance, 20000);
    case tightReduction:
      return std::make_unique<ReductionSolver>(
          ReductionOptions{.tolerance = tolerance},
          std::make_unique<AutomaticFrictionSolver>(std::max(tightShare * tolerance, leastTolerance)));
    default:
      return nullptr;
  }
}

void AutomaticGlobalFrictionSolver::plan(const GlobalFrictionContactProblem& problem, std::vector<std::size_t>& order) {
  hasBodiesFrom_.renew(problem.stamp(), [&] { hasBodies_ = largestDiagonalBlock(problem.M()) <= largestBody; });
  const bool isHyperstatic = problem.contactSize() > problem.degreesOfFreedom();
  if (hasBodies_ || problem.contacts() <= (isHyperstatic ? reductionFirst : reductionEarly)) {
    order.assign({reduction, newton, manyDirections});
    if (problem.contacts() <= reductionFirst) order.push_back(tightReduction);
    return;
  }
  order.assign({fewDirections, newton});
  if (problem.contacts() <= reductionAtAll) order.push_back(reduction);
  order.push_back(manyDirections);
}

bool AutomaticGlobalFrictionSolver::proves(std::size_t number, const GlobalFrictionContactProblem&,
                                           const SolveReport&) {
  return number == reduction || number == tightReduction;
}

}  // namespace delassus::numerics
