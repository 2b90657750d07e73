// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>

#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/AdmmNewtonSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/SparseFactors.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t localFirst = 150;  // rows
constexpr std::size_t localEarly = 600;  // where multipliers are unique
// Relative to Hᵀ diag(M)⁻¹ H, which is less than W where M couples neighbours, as of a mesh: on a block of 401 contacts
// 55 iterations, and 125 with the usual penalty. Where bodies are not joined these methods come after the local form.
constexpr double penaltyOfMeshes = 1.;

std::unique_ptr<SolverOverSets> directions(double tolerance, std::size_t limit) {
  return std::make_unique<AdmmSolver>(
      AdmmOptions{.tolerance = tolerance, .maxIterations = limit, .penalty = penaltyOfMeshes});
}

bool isOfContacts(const ProblemOverSets& problem) {
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    if (!problem.set(part).coulombFriction() || problem.rows(part) != problem.rows(0)) return false;
  }
  return problem.partCount() > 0;
}

}  // namespace

AutomaticGlobalSolver::AutomaticGlobalSolver(double tolerance)
    : FallbackChain<ProblemOverSets>("AutomaticGlobalSolver", tolerance) {
}

AutomaticGlobalSolver::Member AutomaticGlobalSolver::make(std::size_t number) {
  const double tolerance = this->tolerance();
  switch (number) {
    case local:
      return std::make_unique<AutomaticMechanicalSolver>(AutomaticMechanicalOptions{.tolerance = tolerance});
    case contacts:
      return std::make_unique<AutomaticFrictionSolver>(tolerance);
    case newton:
      return std::make_unique<AdmmNewtonSolver>(AdmmNewtonOptions{.tolerance = tolerance, .penalty = penaltyOfMeshes});
    case fewDirections:
      return directions(tolerance, 2000);
    case manyDirections:
      return directions(tolerance, 20000);
    default:
      return nullptr;
  }
}

void AutomaticGlobalSolver::plan(const ProblemOverSets& problem, std::vector<std::size_t>& order) {
  const SparseFactors* const factors = problem.factors();
  const bool isHyperstatic = factors != nullptr && problem.size() > factors->inverse->size();
  const bool isLocalCheap = factors == nullptr || factors->inverse->isOfSmallBlocks() ||
                            problem.size() <= (isHyperstatic ? localFirst : localEarly);
  const std::size_t inLocalForm = isOfContacts(problem) ? contacts : local;
  if (isLocalCheap) {
    order.assign({inLocalForm, newton, manyDirections});
  } else {
    order.assign({fewDirections, newton, inLocalForm, manyDirections});
  }
}

bool AutomaticGlobalSolver::proves(std::size_t number, const ProblemOverSets&, const SolveReport&) {
  return number == local || number == contacts;
}

}  // namespace delassus::numerics
