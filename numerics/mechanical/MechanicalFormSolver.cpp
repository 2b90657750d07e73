// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalFormSolver.hpp>

#include <vector>

namespace delassus::numerics {

MechanicalFormSolver::MechanicalFormSolver(double tolerance)
    : tolerance_(tolerance), solver_(AutomaticMechanicalOptions{.tolerance = tolerance}) {
}

MechanicalFormSolver::Outcome MechanicalFormSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  BlockSparseMatrix W;
  problem.W().assemble(W);
  std::vector<Part> parts;
  for (const double mu : problem.mu().data()) parts.push_back(Part::coulomb(problem.dimension(), mu));
  const GenericMechanicalProblem generic(std::move(W), problem.q(), std::move(parts));
  solver_.setTimeLimit(remainingTime());
  const SolveReport report = solver_.solve(generic, r, w_);
  return {report.status, report.iterations, report.reason};
}

void MechanicalFormSolver::serializeState(StateArchive& archive) {
  solver_.serializeState(archive);
}

}  // namespace delassus::numerics
