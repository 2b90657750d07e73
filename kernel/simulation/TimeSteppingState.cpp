// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <mutex>
#include <set>

namespace delassus {
namespace {

// A report names its solver by a literal of the library; what is read from an archive has to live as long.
void serializeLiteral(StateArchive& archive, const char* name, std::string_view& literal) {
  std::string text(literal);
  archive.value(name, text);
  if (!archive.restores()) return;
  static std::mutex mutex;
  static std::set<std::string> kept;
  const std::lock_guard lock(mutex);
  literal = *kept.insert(std::move(text)).first;
}

}  // namespace

std::vector<const Interaction*> TimeStepping::managedInteractions() const {
  std::vector<const Interaction*> managed;
  if (manager_) managed = manager_->managed();
  std::sort(managed.begin(), managed.end());
  return managed;
}

void TimeStepping::serializeLinks(StateArchive& archive) {
  if (manager_) manager_->serializeState(archive, model_);
  if (archive.restores()) initialise();
}

void TimeStepping::serializeOwnState(StateArchive& archive) {
  archive.value("size", size_);
  archive.value("initialResets", initialResets_);
  archive.value("failureAccepted", failureAccepted_);
  serializeReport(archive);
  integrator_->serializeState(archive);
  problem_->serializeState(archive);
  problem_->serializeCounts(archive);
}

void TimeStepping::serializeReport(StateArchive& archive) {
  archive.section("statistics");
  archive.value("newtonIterations", report_.newtonIterations);
  archive.value("newtonResidual", report_.newtonResidual);
  archive.value("newtonConverged", report_.newtonConverged);
  archive.value("unique", report_.unique);
  archive.value("problemSize", report_.problemSize);
  archive.value("status", report_.solve.status);
  archive.value("iterations", report_.solve.iterations);
  archive.value("error", report_.solve.error);
  archive.value("tolerance", report_.solve.tolerance);
  serializeLiteral(archive, "solver", report_.solve.solver);
  serializeLiteral(archive, "reason", report_.solve.reason);
  archive.value("projectionIterations", report_.projection.iterations);
  archive.value("violationBefore", report_.projection.violationBefore);
  archive.value("violation", report_.projection.violation);
  archive.value("activations", report_.projection.activations);
  archive.value("repetitions", report_.repetitions);
  archive.value("repeatedSteps", report_.projection.repeatedSteps);
  archive.value("steps", statistics_.steps);
  archive.value("allNewtonIterations", statistics_.newtonIterations);
  archive.value("solves", statistics_.solves);
  archive.value("solverIterations", statistics_.solverIterations);
  archive.value("fallbacks", statistics_.fallbacks);
  archive.value("relaxed", statistics_.relaxed);
  archive.value("acceptedFailures", statistics_.acceptedFailures);
  archive.value("rejectedSteps", statistics_.rejectedSteps);
  archive.value("worstError", statistics_.worstError);
  archive.value("worstResidual", statistics_.worstResidual);
  archive.value("projections", statistics_.projections);
  archive.value("allProjectionIterations", statistics_.projectionIterations);
  archive.value("allRepetitions", statistics_.repetitions);
  archive.value("allRepeatedSteps", statistics_.repeatedSteps);
  archive.value("worstViolation", statistics_.worstViolation);
  watch_.serializeState(archive);
  if (archive.restores()) statistics_.motion = watch_.audit().report();
}

}  // namespace delassus
