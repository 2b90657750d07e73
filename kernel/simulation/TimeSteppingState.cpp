// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <iomanip>
#include <limits>
#include <mutex>
#include <set>
#include <sstream>

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

const char* nameOf(Projection projection) {
  return projection == Projection::direct ? "direct" : "combined";
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
  serializeTimeEvents(archive);
  archive.value("clocksBegun", clocksBegun_);
  archive.value("isInside", isInside_);
  division_.serializeState(archive);
  relaxedDepths_.serializeState(archive);
  archive.values("sizes", sizes_.data(), sizes_.size());
  multipliersFrom_.serializeState(archive, "multipliersFrom");
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
  archive.value("failedSolvers", report_.solve.failedSolvers);
  archive.value("failure", report_.failure);
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
  archive.value("divided", statistics_.divided);
  archive.value("keptDepths", statistics_.keptDepths);
  archive.value("held", statistics_.held);
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

RunCounts TimeStepping::counts() const {
  RunCounts counts;
  counts.newtonIterations = statistics_.newtonIterations;
  counts.solves = statistics_.solves;
  counts.solverIterations = statistics_.solverIterations;
  counts.fallbacks = statistics_.fallbacks;
  counts.relaxed = statistics_.relaxed;
  counts.divided = statistics_.divided;
  counts.keptDepths = statistics_.keptDepths;
  counts.held = statistics_.held;
  counts.accepted = statistics_.acceptedFailures;
  counts.rejectedSteps = statistics_.rejectedSteps;
  counts.worstError = statistics_.worstError;
  counts.worstResidual = statistics_.worstResidual;
  return counts;
}

std::string TimeStepping::method() const {
  const bool followsLaws = problem_->className() != problem_->name();
  return std::string(integrator_->name()) + (schemeBySystems_ ? ", as the systems ask for, and " : " and ") +
         std::string(problem_->name()) + (followsLaws ? ", as the laws ask for" : "") +
         (projection_ ? std::string(", with ") + nameOf(options_.projection.kind) + " projection" : "");
}

std::string TimeStepping::statusLine() const {
  std::ostringstream text;
  text << std::setprecision(1) << report_.problemSize << " rows, Newton " << report_.newtonIterations << ", solver "
       << report_.solve.iterations << ", error " << report_.solve.error;
  return text.str();
}

Settings TimeStepping::settings() const {
  Settings settings;
  settings.add("t0", model_.t0());
  settings.add("T", model_.T());
  settings.add("steps", steps_);
  settings.add("grid", discretisation_.isUniform() ? "uniform" : "given instants");
  if (discretisation_.isUniform()) settings.add("h", discretisation_.step(0));
  settings.add("newtonTolerance", options_.newtonTolerance);
  settings.add("newtonTest", options_.newtonTest == NewtonTest::residual ? "residual" : "residualAndChange");
  settings.add("newtonMaxIterations", options_.newtonMaxIterations);
  settings.add("accuracy", toString(options_.accuracy));
  settings.add("relaxation", options_.relaxation);
  settings.add("mostHalvings", options_.mostHalvings);
  if (options_.solveTime < std::numeric_limits<double>::infinity()) settings.add("solveTime", options_.solveTime);
  settings.add("requireConsistentStart", options_.requireConsistentStart);
  settings.add("requireUniqueSolution", options_.requireUniqueSolution);
  if (projection_) {
    const ProjectionOptions& projection = options_.projection;
    settings.add("projection", nameOf(projection.kind));
    settings.add("projectionTolerance", projection.tolerance);
    settings.add("projectionMaxIterations", projection.maxIterations);
    settings.add("projectionForm", projection.form == ProjectionForm::velocity ? "velocity" : "configuration");
  }
  settings.add("integrator", integrator_->name());
  settings.add("integrator", integrator_->settings());
  settings.add("problem", problem_->className());
  settings.add("problem", problem_->settings());
  settings.add("interactionManager", manager_ ? manager_->className() : "none");
  if (manager_) settings.add("interactionManager", manager_->settings());
  return settings;
}

void TimeStepping::stepNumbers(std::vector<StepNumber>& numbers) const {
  const auto whole = [&](const char* name, const char* description, std::size_t value) {
    numbers.push_back({name, "", description, true, static_cast<double>(value)});
  };
  whole("newton_iterations", "Newton's, of the step", report_.newtonIterations);
  numbers.push_back({"newton_residual", "", "relative; 0 where one pass is exact", false, report_.newtonResidual});
  whole("problem_size", "rows of the one-step problem", report_.problemSize);
  whole("iterations", "of the solver, in the last solve", report_.solve.iterations);
  numbers.push_back({"error", "", "error measure of the one-step problem", false, report_.solve.error});
  const bool isCertified = report_.solve.converged() && !problem_->relaxed() && report_.newtonConverged;
  whole("converged", "1 where the step was certified", isCertified ? 1 : 0);
  const MotionAudit::Instant& motion = watch_.audit().instant();
  numbers.push_back({"depth", "m", "the deepest penetration of a contact", false, motion.depth});
  numbers.push_back({"drift", "", "the largest |y| of an equality", false, motion.drift});
  whole("lost_loads", "contacts that dropped their load and moved deeper", motion.lostLoads);
  numbers.push_back({"given_energy", "J", "that contacts and joints gave", false, motion.givenEnergy});
  numbers.push_back({"norm", "", "of the quaternion that is farthest off, minus 1", false, motion.norm});
  if (projection_) {
    numbers.push_back({"projection", "", "the violation that the projection took out", false, motion.projection});
  }
}

// The last step of a run ends at T exactly, which may be off the grid of a longer run by more than rounding.
bool TimeStepping::hasInstant(std::size_t index, double time) const {
  if (index > steps_) return false;
  // Where an event has cut a step, and its action has thrown or has written the checkpoint. (All events of this
  // simulation may have passed, if it goes back.)
  const bool isWithin = index < steps_ && time > (index == 0 ? model_.t0() : discretisation_.instant(index)) &&
                        time < discretisation_.instant(index + 1);
  if (isWithin && !timeEvents_.empty()) return true;
  const bool last = discretisation_.isUniform() && index == steps_ && index > 0;
  const double instant = index == 0 ? model_.t0() : last ? model_.T() : discretisation_.instant(index);
  return std::abs(time - instant) <= 4. * resolution();
}

}  // namespace delassus
