// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/AutomaticGlobalFrictionSolver.hpp>

#include <delassus/numerics/friction/GlobalAdmmSolver.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSolver.hpp>
#include <delassus/numerics/friction/ReductionSolver.hpp>

namespace delassus::numerics {
namespace {

enum Member : std::size_t { reduction, newton, fewDirections, manyDirections };

constexpr std::size_t reductionFirst = 200;   // contacts
constexpr std::size_t reductionAtAll = 2000;  // a full W then takes 288 MB

std::unique_ptr<GlobalFrictionContactSolver> directions(double tolerance, std::size_t limit) {
  GlobalAdmmOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  return std::make_unique<GlobalAdmmSolver>(options);
}

}  // namespace

AutomaticGlobalFrictionSolver::AutomaticGlobalFrictionSolver(double tolerance)
    : FallbackChain<GlobalFrictionContactProblem>("AutomaticGlobalFrictionSolver", tolerance) {
  ReductionOptions local;
  local.tolerance = tolerance;
  GlobalAlartCurnierOptions curnier;
  curnier.tolerance = tolerance;
  add(std::make_unique<ReductionSolver>(local));
  add(std::make_unique<GlobalAlartCurnierSolver>(curnier));
  add(directions(tolerance, 500));
  add(directions(tolerance, 20000));
}

void AutomaticGlobalFrictionSolver::plan(const GlobalFrictionContactProblem& problem, std::vector<std::size_t>& order) {
  if (problem.contacts() <= reductionFirst) {
    order.assign({reduction, newton, manyDirections});
    return;
  }
  order.assign({fewDirections, newton});
  if (problem.contacts() <= reductionAtAll) order.push_back(reduction);
  order.push_back(manyDirections);
}

const Vector& AutomaticGlobalFrictionSolver::startFor(std::size_t, const Vector&, const Vector& best) const {
  return best;
}

}  // namespace delassus::numerics
