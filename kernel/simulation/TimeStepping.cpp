// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/TimeStepping.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/ProblemByLaws.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <iomanip>
#include <limits>
#include <sstream>

namespace delassus {
namespace {

// Multiple of the certified error of a one-step problem that a Newton residual may reach.
constexpr double solverErrors = 10.;

// Of a step whose motion closes contacts unseen. Each has one contact more, which most often are all.
constexpr std::size_t mostRepetitions = 50;

// The value of the last bit of the model's times.
double resolution(const NonSmoothDynamicalSystem& model) {
  return std::numeric_limits<double>::epsilon() * std::max(std::abs(model.t0()), std::abs(model.T()));
}

}  // namespace

std::string StepStatistics::summary() const {
  std::ostringstream text;
  text << steps << " steps, " << newtonIterations << " Newton iterations, " << solves << " one-step problems solved in "
       << solverIterations << " solver iterations; largest error " << worstError;
  if (projections > 0) {
    text << "; " << projections << " steps projected in " << projectionIterations << " iterations, with "
         << repeatedSteps << " repeated; largest violation after it " << worstViolation;
  }
  if (fallbacks > 0) text << "; " << fallbacks << " solves recovered by a further solver";
  if (relaxed > 0) text << "; " << relaxed << " solves and Newton loops accepted at a relaxed tolerance";
  if (rejectedSteps > 0) text << "; " << rejectedSteps << " steps rejected";
  if (acceptedFailures > 0) text << "; " << acceptedFailures << " results accepted WITHOUT certificate";
  text << '.';
  if (const std::string what = motion.summary(); !what.empty()) text << " Motion: " << what << '.';
  return text.str();
}

TimeStepping::TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                           std::unique_ptr<OneStepIntegrator> integrator, std::unique_ptr<OneStepNSProblem> problem,
                           TimeSteppingOptions options)
    : Simulation(model),
      discretisation_(std::move(discretisation).startingWith(model.t0())),
      integrator_(std::move(integrator)),
      problem_(std::move(problem)),
      options_(options),
      watch_("TimeStepping", "Take a smaller step, or see the page on what positions a scheme keeps.", options.audit,
             options.wrongMotion) {
  if (!integrator_) throw Error("TimeStepping", "the integrator is null.");
  if (!problem_) throw Error("TimeStepping", "the one-step problem is null.");
  problem_->setClock(&clock());
  if (options.accuracy != Accuracy::normal) problem_->setTolerance(toleranceOf(options.accuracy));
  if (!problem_->hasFailureHandler()) {
    problem_->setFailureHandler(
        [this](const OneStepNSProblem&, const numerics::SolveReport& report) { return relaxSolve(report); });
  }
  if (!(options.relaxation >= 1. && std::isfinite(options.relaxation))) {
    throw Error("TimeStepping",
                "the relaxation must be at least 1 and finite, got " + toText(options.relaxation) + '.');
  }
  if (!(options.newtonTolerance > 0. && std::isfinite(options.newtonTolerance)) || options.newtonMaxIterations == 0) {
    throw Error("TimeStepping", "the Newton tolerance and iteration limit must be positive and finite.");
  }
  if (!(options.solveTime > 0.)) {
    throw Error("TimeStepping",
                "the time of the solves of a step must be positive, got " + toText(options.solveTime) + " s.");
  }
  if (std::abs(discretisation_.t0() - model.t0()) > 4. * resolution(model)) {
    throw Error("TimeStepping", "the time discretisation starts at " + toText(discretisation_.t0()) +
                                    ", the model at t0 = " + toText(model.t0()) + ".");
  }
  steps_ = discretisation_.stepsUntil(model.T());
  if (discretisation_.isUniform() && discretisation_.step(0) > model.T() - model.t0() + 4. * resolution(model)) {
    Log::warning("TimeStepping: the step h = " + toText(discretisation_.step(0)) +
                 " is longer than the time from t0 = " + toText(model.t0()) + " to T = " + toText(model.T()) +
                 ", which is one step.");
  }
  for (std::size_t k = 0; k < (discretisation_.isUniform() ? 1 : steps_); ++k) {
    if (discretisation_.step(k) > 1e3 * resolution(model)) continue;
    throw Error("TimeStepping", "the step h = " + toText(discretisation_.step(k)) +
                                    " is too small for times up to T = " + toText(model.T()) +
                                    ", which are only known to " + toText(resolution(model)) + '.');
  }
}

TimeStepping::TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                           std::unique_ptr<OneStepIntegrator> integrator, TimeSteppingOptions options)
    : TimeStepping(model, std::move(discretisation), std::move(integrator), std::make_unique<ProblemByLaws>(),
                   options) {
}

TimeStepping::TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                           TimeSteppingOptions options)
    : TimeStepping(model, std::make_unique<ProblemByLaws>(), std::move(discretisation), options) {
}

TimeStepping::TimeStepping(NonSmoothDynamicalSystem& model, std::unique_ptr<OneStepNSProblem> problem,
                           TimeDiscretisation discretisation, TimeSteppingOptions options)
    : TimeStepping(model, std::move(discretisation), std::make_unique<MoreauJeanOSI>(), std::move(problem), options) {
  schemeBySystems_.emplace().update(model, integrator_);
}

TimeStep TimeStepping::nextStep() const {
  if (!hasNextStep()) {
    throw Error("TimeStepping", "there is no step after the final time T = " + toText(model_.T()) + ".");
  }
  const bool last = discretisation_.isUniform() && stepIndex_ + 1 == steps_;
  TimeStep next;
  next.begin = time_;
  next.end = last ? model_.T() : discretisation_.instant(stepIndex_ + 1);
  next.size = last ? next.end - next.begin : discretisation_.step(stepIndex_);
  // Sizes that differ only by rounding count as equal: each new one would cost a factorisation.
  if (std::abs(next.size - size_) <= 8. * resolution(model_)) next.size = size_;
  return next;
}

void TimeStepping::initialise() {
  const Topology& topology = model_.topology();
  if (topology.version() == boundVersion_) return;
  clock().enter(Phase::preparation);
  if (topology.systems().empty()) throw Error("TimeStepping", "the model has no dynamical system; insert one.");
  if (schemeBySystems_) schemeBySystems_->update(model_, integrator_);
  integrator_->bind(model_, time_);
  problem_->bind(model_, integrator_->equations());
  if (options_.checkJacobians) checkJacobians(model_, time_, options_.jacobianCheck);
  modelWasBound();
  boundVersion_ = topology.version();
  if (stepIndex_ == 0 && integrator_->needsInitialMultipliers()) findInitialMultipliers();
}

std::size_t TimeStepping::stateResets() const {
  std::size_t sum = 0;
  for (const auto& system : model_.topology().systems()) sum += system->stateResets();
  return sum;
}

// A step of size zero: it applies the laws at the initial state alone.
void TimeStepping::findInitialMultipliers() {
  const TimeStep now{time_, time_, 0.};
  timeOfSolves_ = 0.;
  findsStart_ = true;
  try {
    integrator_->beginStep(now);
    iterate(now);
    requireUnchangedModel();
    if (!failureAccepted_) {
      integrator_->prepareAccept();
      integrator_->accept();
    }
  } catch (...) {
    findsStart_ = false;
    boundVersion_ = static_cast<std::uint64_t>(-1);
    throw;
  }
  findsStart_ = false;
  report_ = {};
  statistics_ = {};
  initialResets_ = stateResets();
}

void TimeStepping::computeStep() {
  TimeStep next = nextStep();
  if (manager_) {
    clock().enter(Phase::collision);
    manager_->updateInteractions(model_, next.begin, next.size);
  }
  initialise();
  if (stepIndex_ == 0 && integrator_->needsInitialMultipliers() && initialResets_ != stateResets()) {
    findInitialMultipliers();
  }
  timeOfSolves_ = 0.;
  do {
    clock().enter(Phase::freeState);
    prepareStep(next);
    integrator_->beginStep(next);
    iterate(next);
    requireUnchangedModel();
    completeStep(next);
    requireUnchangedModel();
    integrator_->prepareAccept();
  } while (next.repetition < mostRepetitions && integrator_->missesContact() && ++next.repetition > 0);
  if (next.repetition == mostRepetitions) {
    Log::warning("TimeStepping: the step to t = " + toText(next.end) + " closes ever more contacts unseen.");
  }
  report_.repetitions = next.repetition;
  auditMotion(next);
  integrator_->accept();
  updateStatistics();
  time_ = next.end;
  size_ = next.size;
  ++stepIndex_;
}

void TimeStepping::auditMotion(const TimeStep& timeStep) {
  MotionAudit& audit = watch_.begin(timeStep.end);
  integrator_->show(audit);
  audit.observeProjection(std::max(report_.projection.violationBefore - report_.projection.violation, 0.));
  if (const std::string wrong = watch_.end(); !wrong.empty()) {
    ++statistics_.rejectedSteps;
    throw Error("TimeStepping", wrong);
  }
  if (watch_.audit().hasChanged()) statistics_.motion = watch_.audit().report();
}

void TimeStepping::requireUnchangedModel() const {
  if (model_.topology().version() == boundVersion_) return;
  throw Error("TimeStepping",
              "systems or interactions were inserted, linked or removed during the step from t = " + toText(time_) +
                  ", by a function of the model or the failure policy; do it between "
                  "two steps.");
}

void TimeStepping::iterate(const TimeStep& timeStep) {
  report_ = {};
  failureAccepted_ = false;
  guard_.begin();
  for (;;) {
    ++report_.newtonIterations;
    ++statistics_.newtonIterations;
    if (report_.newtonIterations > 1) clock().enter(Phase::freeState);
    integrator_->computeFreeState();
    requireUnchangedModel();
    clock().enter(Phase::solve);
    report_.solve = solveProblem();
    clock().enter(Phase::update);
    report_.problemSize = problem_->size();
    if (report_.problemSize > 0) ++statistics_.solves;
    statistics_.solverIterations += report_.solve.iterations;
    if (problem_->failedSolvers() > 0) ++statistics_.fallbacks;
    if (problem_->relaxed()) ++statistics_.relaxed;
    if (options_.requireUniqueSolution) checkUniqueness(timeStep);
    if (!report_.solve.converged()) handleFailure(timeStep, report_.solve.summary());
    integrator_->updateState();
    if (integrator_->isLinear()) break;
    const StepResidual residual = integrator_->residual();
    report_.newtonResidual = options_.newtonTest == NewtonTest::residual ? residual.equations : residual.largest();
    // If multipliers are known only to some error, the residual cannot fall below it.
    const bool isCertified = report_.solve.converged() && !problem_->relaxed();
    const double known = isCertified ? solverErrors * report_.solve.error : 0.;
    const double reachable = std::max(options_.newtonTolerance, known);
    report_.newtonConverged = !(report_.newtonResidual > reachable) && std::isfinite(report_.newtonResidual);
    if (report_.newtonConverged) break;
    guard_.observe(report_.newtonResidual, residual, integrator_->equations());
    if (guard_.hasStalled()) integrator_->simplify();
    if (relaxLoop(timeStep, residual)) break;
    if (report_.newtonIterations >= options_.newtonMaxIterations) {
      handleFailure(timeStep, guard_.describe(report_.newtonIterations, options_.newtonTolerance));
      break;
    }
    if (guard_.wantsHalfChange()) integrator_->halveChange();
  }
  integrator_->settle();
}

numerics::SolveReport TimeStepping::solveProblem() {
  if (!(options_.solveTime < std::numeric_limits<double>::infinity())) {
    return guard_.solve(*problem_, integrator_->equations());
  }
  constexpr double least = 1e-9;  // s: a pass after the time was used up takes what a solver gives at once
  const auto begun = PhaseClock::Clock::now();
  problem_->setTimeLimit(std::max(least, options_.solveTime - timeOfSolves_));
  const numerics::SolveReport report = guard_.solve(*problem_, integrator_->equations());
  timeOfSolves_ += std::chrono::duration<double>(PhaseClock::Clock::now() - begun).count();
  return report;
}

// The problem of the initial state is left out: without a step only feedthrough makes multipliers unique.
void TimeStepping::checkUniqueness(const TimeStep& timeStep) {
  if (timeStep.size == 0.) return;
  const std::string why = problem_->whyNotUnique();
  report_.unique = report_.unique && why.empty();
  if (!why.empty()) handleFailure(timeStep, "the interconnection may be ill-posed: " + why + '.');
}

void TimeStepping::updateStatistics() {
  ++statistics_.steps;
  statistics_.repetitions += report_.repetitions;
  statistics_.worstError = std::max(statistics_.worstError, report_.solve.error);
  statistics_.worstResidual = std::max(statistics_.worstResidual, report_.newtonResidual);
  if (failureAccepted_) ++statistics_.acceptedFailures;
  const ProjectionReport& projection = report_.projection;
  if (projection.iterations > 0) ++statistics_.projections;
  statistics_.projectionIterations += projection.iterations;
  statistics_.repeatedSteps += projection.repeatedSteps;
  statistics_.worstViolation = std::max(statistics_.worstViolation, projection.violation);
}

RunCounts TimeStepping::counts() const {
  RunCounts counts;
  counts.newtonIterations = statistics_.newtonIterations;
  counts.solves = statistics_.solves;
  counts.solverIterations = statistics_.solverIterations;
  counts.fallbacks = statistics_.fallbacks;
  counts.relaxed = statistics_.relaxed;
  counts.accepted = statistics_.acceptedFailures;
  counts.rejectedSteps = statistics_.rejectedSteps;
  counts.worstError = statistics_.worstError;
  counts.worstResidual = statistics_.worstResidual;
  return counts;
}

std::string TimeStepping::method() const {
  const bool followsLaws = problem_->className() != problem_->name();
  return std::string(integrator_->name()) + (schemeBySystems_ ? ", as the systems ask for, and " : " and ") +
         std::string(problem_->name()) + (followsLaws ? ", as the laws ask for" : "");
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
  if (options_.solveTime < std::numeric_limits<double>::infinity()) settings.add("solveTime", options_.solveTime);
  settings.add("requireConsistentStart", options_.requireConsistentStart);
  settings.add("requireUniqueSolution", options_.requireUniqueSolution);
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
}

// The last step of a run ends at T exactly, which may be off the grid of a longer run by more than rounding.
bool TimeStepping::hasInstant(std::size_t index, double time) const {
  if (index > steps_) return false;
  const bool last = discretisation_.isUniform() && index == steps_ && index > 0;
  const double instant = index == 0 ? model_.t0() : last ? model_.T() : discretisation_.instant(index);
  return std::abs(time - instant) <= 4. * resolution(model_);
}

}  // namespace delassus
