// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/SolverPolicy.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <iomanip>
#include <sstream>
#include <system_error>

namespace delassus {

// What all simulations of a policy share.
struct SolverPolicy::State {
  SolverPolicyOptions options;
  SolverPolicyCounts counts;
  std::vector<std::filesystem::path> files;
  std::size_t warnings = 0;

  FailureAction onSolve(const Simulation& simulation, const OneStepNSProblem& problem,
                        const numerics::SolveReport& report);
  FailureAction onStep(const StepReport& report, const TimeStepping& simulation);

  void serialize(StateArchive& archive);

  void tell(LogLevel level, const std::string& text);
  std::filesystem::path nameFor(const Simulation& simulation, const OneStepNSProblem& problem);
  std::string save(const Simulation& simulation, const OneStepNSProblem& problem);
};

namespace {

std::string place(const Simulation& simulation) {
  return std::string(simulation.className()) + ", step " + std::to_string(simulation.stepIndex()) +
         " from t = " + toText(simulation.time());
}

void requireFactor(double factor, const char* name) {
  if (factor >= 1. && std::isfinite(factor)) return;
  throw Error("SolverPolicy", std::string(name) + " must be at least 1 and finite, got " + toText(factor) + '.');
}

}  // namespace

std::string SolverPolicyCounts::summary() const {
  std::ostringstream text;
  text << recovered << " solves recovered by a further solver, " << relaxed << " accepted at a relaxed tolerance, "
       << failed << " failed; " << saved << " problems saved.";
  return text.str();
}

void SolverPolicy::State::serialize(StateArchive& archive) {
  archive.value("recovered", counts.recovered);
  archive.value("relaxed", counts.relaxed);
  archive.value("failed", counts.failed);
  archive.value("saved", counts.saved);
  archive.value("warnings", warnings);
  files.resize(archive.count("files", files.size()));
  for (std::filesystem::path& file : files) {
    std::string text = file.string();
    archive.value("file", text);
    file = text;
  }
}

// Many messages of one kind must not hide the rest of the log.
void SolverPolicy::State::tell(LogLevel level, const std::string& text) {
  if (++warnings <= options.mostWarnings) {
    Log::write(level, text);
    if (warnings == options.mostWarnings) {
      Log::write(level,
                 "SolverPolicy: further messages like the last " + std::to_string(warnings) + " have level debug.");
    }
  } else {
    Log::debug(text);
  }
}

std::filesystem::path SolverPolicy::State::nameFor(const Simulation& simulation, const OneStepNSProblem& problem) {
  std::ostringstream name;
  name << problem.name() << "-step" << std::setw(6) << std::setfill('0') << simulation.stepIndex() << "-t"
       << toText(simulation.time());
  const bool friction = problem.name() == "FrictionContact" || problem.name() == "GlobalFrictionContact";
  const char* const ending = options.fclib && friction ? ".hdf5" : ".dat";
  std::filesystem::path path = options.folder / (name.str() + ending);
  // Several passes of one step, or several simulations.
  for (int k = 2; std::filesystem::exists(path); ++k) {
    path = options.folder / (name.str() + '-' + std::to_string(k) + ending);
  }
  return path;
}

// The description for the message.
std::string SolverPolicy::State::save(const Simulation& simulation, const OneStepNSProblem& problem) {
  if (options.folder.empty()) return {};
  if (counts.saved >= options.mostFiles) return " Not saved: there are " + std::to_string(counts.saved) + " files.";
  try {
    std::filesystem::path path = nameFor(simulation, problem);
    try {
      problem.saveProblem(path);
    } catch (const Error&) {
      // A library that was built without HDF5.
      if (path.extension() == ".dat") throw;
      path.replace_extension(".dat");
      problem.saveProblem(path);
    }
    files.push_back(path);
    ++counts.saved;
    return " Saved as " + path.string() + '.';
  } catch (const std::exception& error) {
    // The run matters more than the file.
    return std::string(" Not saved: ") + error.what();
  }
}

FailureAction SolverPolicy::State::onSolve(const Simulation& simulation, const OneStepNSProblem& problem,
                                           const numerics::SolveReport& report) {
  std::string text =
      place(simulation) + ", " + std::string(problem.name()) + " of " + std::to_string(problem.size()) + " rows: ";
  if (report.converged()) {
    ++counts.recovered;
    text += std::to_string(report.failedSolvers) + " solvers failed, " + report.summary();
    if (options.saveRecovered) text += save(simulation, problem);
    Log::debug(text);
    return options.otherwise;
  }
  text += report.summary();
  const double tolerance = options.relaxation * report.tolerance;
  if (options.relaxation > 1. && report.error <= tolerance) {
    ++counts.relaxed;
    text += " Accepted at the relaxed tolerance " + toText(tolerance) + '.';
    tell(LogLevel::warning, text + save(simulation, problem));
    return FailureAction::relax;
  }
  ++counts.failed;
  tell(LogLevel::error, text + " Interactions: " + problem.activeNames() + '.' + save(simulation, problem));
  return options.otherwise;
}

FailureAction SolverPolicy::State::onStep(const StepReport& report, const TimeStepping& simulation) {
  if (report.failure == Failure::none || report.failure == Failure::solve) {
    return onSolve(simulation, simulation.problem(), report.solve);
  }
  // A loop over solves that failed has been reported; other failures do not depend on tolerances.
  const bool isLoop = report.failure == Failure::newtonLoop && report.solve.converged() && report.unique;
  if (!isLoop) return options.otherwise;
  const double tolerance = options.newtonRelaxation * simulation.options().newtonTolerance;
  const std::string text = place(simulation) + ": Newton's loop stopped after " +
                           std::to_string(report.newtonIterations) + " iterations with residual " +
                           toText(report.newtonResidual) + " (tolerance " +
                           toText(simulation.options().newtonTolerance) + ")";
  if (options.newtonRelaxation > 1. && report.newtonResidual <= tolerance) {
    ++counts.relaxed;
    tell(LogLevel::warning, text + "; accepted at the relaxed tolerance " + toText(tolerance) + '.');
    return FailureAction::relax;
  }
  ++counts.failed;
  tell(LogLevel::error, text + '.');
  return options.otherwise;
}

SolverPolicy::SolverPolicy(const SolverPolicyOptions& options) : state_(std::make_shared<State>()) {
  requireFactor(options.relaxation, "the relaxation of the solver's tolerance");
  requireFactor(options.newtonRelaxation, "the relaxation of Newton's tolerance");
  state_->options = options;
}

void SolverPolicy::prepare(Simulation& simulation, OneStepNSProblem& problem) const {
  const SolverPolicyOptions& options = state_->options;
  if (!options.folder.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(options.folder, failure);
    if (!std::filesystem::is_directory(options.folder)) {
      throw Error("SolverPolicy", "the folder " + options.folder.string() + " cannot be made" +
                                      (failure ? ": " + failure.message() : std::string()) + '.');
    }
  }
  for (const std::string& solver : options.fallback) problem.addSolver(solver);
  simulation.setStatistics("SolverPolicy", [state = state_](StateArchive& archive) { state->serialize(archive); });
}

void SolverPolicy::attach(TimeStepping& simulation) const {
  prepare(simulation, simulation.problem());
  simulation.setFailurePolicy(
      [state = state_](const StepReport& report, const TimeStepping& asking) { return state->onStep(report, asking); });
}

void SolverPolicy::attach(EventDriven& simulation) const {
  prepare(simulation, simulation.problem());
  simulation.setFailurePolicy([state = state_](const StepReport& report, const EventDriven& asking) {
    const FailureAction action = state->onSolve(asking, asking.problem(), report.solve);
    const bool isRelaxed = report.solve.error <= state->options.relaxation * report.solve.tolerance;
    return isRelaxed ? action : FailureAction::raise;
  });
}

const SolverPolicyCounts& SolverPolicy::counts() const {
  return state_->counts;
}

const std::vector<std::filesystem::path>& SolverPolicy::files() const {
  return state_->files;
}

}  // namespace delassus
