// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>

#include <delassus/numerics/choice/EqualityFreeMechanicalSolver.hpp>
#include <delassus/numerics/methods/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/SparseEliminationSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {
AutomaticMechanicalSolver::AutomaticMechanicalSolver(AutomaticMechanicalOptions options)
    : WithOptions("AutomaticMechanicalSolver", options, "AutomaticMechanicalSolver", options.tolerance) {
}

AutomaticMechanicalSolver::Member AutomaticMechanicalSolver::make(std::size_t number) {
  const double tolerance = options_.tolerance;
  switch (number) {
    case elimination:
      return std::make_unique<MechanicalEliminationSolver>(MechanicalEliminationOptions{.tolerance = tolerance});
    case newton:
      return std::make_unique<NewtonSolver>(NewtonOptions{.tolerance = tolerance});
    case sparseElimination:
      return std::make_unique<SparseEliminationSolver>(SparseEliminationOptions{.tolerance = tolerance});
    case others:
      return std::make_unique<EqualityFreeMechanicalSolver>(tolerance);
    default:
      return nullptr;
  }
}

void AutomaticMechanicalSolver::plan(const ProblemOverSets& problem, std::vector<std::size_t>& order) {
  if (problem.hasFree()) {
    if (problem.size() <= options_.eliminateSize) order.push_back(elimination);
    order.push_back(newton);
    if (problem.size() > options_.eliminateSize) order.insert(order.end(), {sparseElimination, elimination});
  }
  order.push_back(others);
}

bool AutomaticMechanicalSolver::proves(std::size_t, const ProblemOverSets&, const SolveReport&) {
  // Every member reports it only with a proof.
  return true;
}

const Vector& AutomaticMechanicalSolver::startFor(std::size_t number, const Vector& original,
                                                  const Vector& best) const {
  return number == others ? best : original;
}

}  // namespace delassus::numerics
