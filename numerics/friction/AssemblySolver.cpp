// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/AssemblySolver.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>
#include <utility>

namespace delassus::numerics {

AssemblySolver::AssemblySolver(double tolerance) : tolerance_(tolerance) {
  if (!(tolerance > 0. && std::isfinite(tolerance))) {
    throw Error("AssemblySolver", "the tolerance must be positive and finite, got " + toText(tolerance) + ".");
  }
}

AssemblySolver::Outcome AssemblySolver::compute(const FrictionContactProblem& problem, Vector& r) {
  // Created only when needed, since the automatic solver contains an AssemblySolver itself.
  if (!solver_) solver_ = std::make_unique<AutomaticFrictionSolver>(tolerance_);
  if (assembledStamp_ != problem.stamp()) {
    BlockSparseMatrix W;
    problem.W().assemble(W);
    assembled_ = FrictionContactProblem(problem.dimension(), std::move(W), problem.q(), problem.mu());
    assembledStamp_ = problem.stamp();
  }
  assign(problem.q(), assembled_.q());
  assembled_.setFriction(problem.mu());
  solver_->setMeasure(measure());
  solver_->setTimeLimit(remainingTime());
  solver_->setObserver(observer());
  const SolveReport report = solver_->solve(assembled_, r, velocity_);
  return {report.status, report.iterations, report.reason};
}

}  // namespace delassus::numerics
