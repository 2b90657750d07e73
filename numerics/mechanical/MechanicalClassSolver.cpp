// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalClassSolver.hpp>

#include <algorithm>
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalError.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <limits>

namespace delassus::numerics {

MechanicalClassSolver::MechanicalClassSolver(MechanicalClassOptions options)
    : WithOptions("MechanicalClassSolver", options) {
  // Tighter, since the errors of the classes weigh rows differently.
  const double inner = std::max(0.1 * options.tolerance, 1e-13);
  friction_ = std::make_unique<AutomaticFrictionSolver>(inner);
  AutomaticRelayOptions relay;
  relay.tolerance = inner;
  relay_ = std::make_unique<AutomaticRelaySolver>(relay);
}

MechanicalSolver::Outcome MechanicalClassSolver::solveContacts(const GenericMechanicalProblem& problem,
                                                               Vector& lambda) {
  const std::size_t dimension = problem.parts().front().rows;
  if (stamp_ != problem.stamp()) {
    contacts_ = FrictionContactProblem(dimension, problem.W(), problem.q(), Vector(problem.parts().size()));
    stamp_ = problem.stamp();
  }
  assign(problem.q(), contacts_.q());
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    contacts_.mu()(part) = *problem.set(part).coulombFriction();
  }
  friction_->setTimeLimit(remainingTime());
  const SolveReport report = friction_->solve(contacts_, lambda, dual_);
  return {report.status, report.iterations, report.reason};
}

MechanicalSolver::Outcome MechanicalClassSolver::solveBoxes(const GenericMechanicalProblem& problem, Vector& lambda) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  boxes_.M() = problem.W();
  assign(problem.q(), boxes_.q());
  assign(problem.lower(), boxes_.lower());
  assign(problem.upper(), boxes_.upper());
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    if (problem.set(part).isBox()) continue;
    for (std::size_t i = 0; i < problem.parts()[part].rows; ++i) {
      boxes_.lower()(problem.offset(part) + i) = -infinity;
      boxes_.upper()(problem.offset(part) + i) = infinity;
    }
  }
  relay_->setTimeLimit(remainingTime());
  const SolveReport report = relay_->solve(boxes_, lambda, dual_);
  return {report.status, report.iterations, report.reason};
}

MechanicalSolver::Outcome MechanicalClassSolver::compute(const GenericMechanicalProblem& problem, Vector& lambda) {
  const auto& parts = problem.parts();
  const auto isPolyhedral = [](const Part& part) { return part.set->isBox() || part.set->isFree(); };
  if (std::all_of(parts.begin(), parts.end(), isPolyhedral)) return solveBoxes(problem, lambda);
  const auto fits = [&](const Part& part) {
    return part.set->coulombFriction().has_value() && part.rows == parts.front().rows;
  };
  if (std::all_of(parts.begin(), parts.end(), fits)) return solveContacts(problem, lambda);
  return {SolveStatus::unsupported, 0, "the parts are not of one class"};
}

void MechanicalClassSolver::serializeState(StateArchive& archive) {
  friction_->serializeState(archive);
  relay_->serializeState(archive);
}

}  // namespace delassus::numerics
