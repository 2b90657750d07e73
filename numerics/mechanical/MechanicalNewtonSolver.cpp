// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalNewtonSolver.hpp>

#include <algorithm>

namespace delassus::numerics {
MechanicalNewtonSolver::MechanicalNewtonSolver(MechanicalNewtonOptions options)
    : SemismoothNewtonSolver("MechanicalNewtonSolver", options), system_(options.denseSize) {
}

// Returns the merit of the chosen start.
double MechanicalNewtonSolver::start(Vector& lambda) {
  const bool isZero = std::all_of(lambda.begin(), lambda.end(), [](double x) { return x == 0.; });
  if (!options_.remember || !isZero || last_.size() != lambda.size()) return map_.evaluate(lambda);
  const double atZero = map_.evaluate(lambda);
  const double atLast = map_.evaluate(last_);
  if (!(atLast < atZero)) return map_.evaluate(lambda);
  assign(last_, lambda);
  return atLast;
}

double MechanicalNewtonSolver::evaluate(const ProblemOverSets&, const Vector& lambda) {
  return map_.evaluate(lambda);
}

bool MechanicalNewtonSolver::direction(const ProblemOverSets& problem, double shift, Vector& step) {
  if (!system_.factor(problem, map_, shift)) return false;
  assign(map_.value(), step);
  system_.solve(step);
  return true;
}

MechanicalNewtonSolver::Outcome MechanicalNewtonSolver::compute(const ProblemOverSets& problem, Vector& lambda) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, GenericMechanicalProblem::whyNotStated};
  map_.begin(problem);
  const double merit = start(lambda);
  const Outcome outcome = iterate(problem, lambda, merit);
  if (outcome.status == SolveStatus::converged) assign(lambda, last_);
  return outcome;
}

void MechanicalNewtonSolver::serializeState(StateArchive& archive) {
  archive.value("last", last_);
}

}  // namespace delassus::numerics
