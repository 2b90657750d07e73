// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/TimeStepping.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/ProblemByLaws.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/kernel/simulation/ConstraintProjection.hpp>
#include <delassus/kernel/simulation/StartCheck.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <iomanip>
#include <limits>
#include <sstream>

namespace delassus {
namespace {

// Of a step whose motion closes contacts unseen. Each has one contact more, which most often are all.
constexpr std::size_t mostRepetitions = 50;

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
  if (divided > 0) text << "; " << divided << " steps made in pieces";
  if (keptDepths > 0) text << "; " << keptDepths << " steps with depths kept";
  if (held > 0) text << "; " << held << " steps with relations held";
  if (rejectedSteps > 0) text << "; " << rejectedSteps << " steps rejected";
  if (acceptedFailures > 0) text << "; " << acceptedFailures << " results accepted WITHOUT certificate";
  text << '.';
  if (const std::string what = motion.summary(); !what.empty()) text << " Motion: " << what << '.';
  return text.str();
}

TimeStepping::TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                           std::unique_ptr<OneStepIntegrator> integrator, std::unique_ptr<OneStepNSProblem> problem,
                           TimeSteppingOptions options)
    : ClockedSimulation(model),
      discretisation_(std::move(discretisation).startingWith(model.t0())),
      integrator_(std::move(integrator)),
      problem_(std::move(problem)),
      options_(options),
      division_(options.mostHalvings),
      watch_("TimeStepping", "Take a smaller step, or see the page on what positions a scheme keeps.", options.audit,
             options.wrongMotion) {
  if (!integrator_) throw Error("TimeStepping", "the integrator is null.");
  if (!problem_) throw Error("TimeStepping", "the one-step problem is null.");
  problem_->setClock(&clock());
  if (options.accuracy != Accuracy::normal) problem_->setTolerance(toleranceOf(options.accuracy));
  problem_->setJudge([this](const numerics::SolveReport& report) { return judgeSolve(report); });
  if (!(options.relaxation >= 1. && std::isfinite(options.relaxation))) {
    throw Error("TimeStepping",
                "the relaxation must be at least 1 and finite, got " + toText(options.relaxation) + '.');
  }
  if (options.mostHalvings > StepDivision::limit) {
    throw Error("TimeStepping", "mostHalvings must be at most " + std::to_string(StepDivision::limit) + ", got " +
                                    std::to_string(options.mostHalvings) + '.');
  }
  if (!(options.newtonTolerance > 0. && std::isfinite(options.newtonTolerance)) || options.newtonMaxIterations == 0) {
    throw Error("TimeStepping", "the Newton tolerance and iteration limit must be positive and finite.");
  }
  if (!(options.solveTime > 0.)) {
    throw Error("TimeStepping",
                "the time of the solves of a step must be positive, got " + toText(options.solveTime) + " s.");
  }
  if (std::abs(discretisation_.t0() - model.t0()) > 4. * resolution()) {
    throw Error("TimeStepping", "the time discretisation starts at " + toText(discretisation_.t0()) +
                                    ", the model at t0 = " + toText(model.t0()) + ".");
  }
  if (options.projection.kind != Projection::none) {
    projection_ = std::make_unique<ConstraintProjection>(options.projection);
    requireConfigurations();
  } else if (options.projection != ProjectionOptions{}) {
    throw Error("TimeStepping",
                "options of a projection were given without its kind: Projection::direct or Projection::combined.");
  }
  steps_ = discretisation_.stepsUntil(model.T());
  if (discretisation_.isUniform() && discretisation_.step(0) > model.T() - model.t0() + 4. * resolution()) {
    Log::warning("TimeStepping: the step h = " + toText(discretisation_.step(0)) +
                 " is longer than the time from t0 = " + toText(model.t0()) + " to T = " + toText(model.T()) +
                 ", which is one step.");
  }
  for (std::size_t k = 0; k < (discretisation_.isUniform() ? 1 : steps_); ++k) {
    if (discretisation_.step(k) > 1e3 * resolution()) continue;
    throw Error("TimeStepping", "the step h = " + toText(discretisation_.step(k)) +
                                    " is too small for times up to T = " + toText(model.T()) +
                                    ", which are only known to " + toText(resolution()) + '.');
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
  requireConfigurations();
}

TimeStepping::~TimeStepping() = default;

// The value of the last bit of the model's times.
double TimeStepping::resolution() const {
  return std::numeric_limits<double>::epsilon() * std::max(std::abs(model_.t0()), std::abs(model_.T()));
}

TimeStep TimeStepping::nextStep() const {
  if (!hasNextStep()) {
    throw Error("TimeStepping", "there is no step after the final time T = " + toText(model_.T()) + ".");
  }
  const bool last = discretisation_.isUniform() && stepIndex_ + 1 == steps_;
  TimeStep next;
  next.begin = time_;
  next.end = gridEnd();
  next.size = last || isInside_ ? next.end - next.begin : discretisation_.step(stepIndex_);
  const double event = timeEvents_.next();
  if (event < next.end && !isAt(event) && next.end - event > shortest()) {
    next.end = event;
    next.size = next.end - next.begin;
  }
  if (const double piece = division_.longestPiece(discretisation_.step(stepIndex_)); next.size > 1.5 * piece) {
    next.end = next.begin + piece;
    next.size = piece;
  }
  next.size = known(next.size);
  next.keepsDepths = keepsDepths_;
  return next;
}

// The end of the present step.
double TimeStepping::gridEnd() const {
  const bool last = discretisation_.isUniform() && stepIndex_ + 1 == steps_;
  return last ? model_.T() : discretisation_.instant(stepIndex_ + 1);
}

// Of a piece; instants of less are one.
double TimeStepping::shortest() const {
  return 1e3 * resolution();
}

bool TimeStepping::isAt(double instant) const {
  return instant <= time_ + shortest();
}

// Sizes that differ only by rounding count as equal: each new one would cost a factorisation.
double TimeStepping::known(double size) const {
  for (const double before : sizes_) {
    if (std::abs(size - before) <= 8. * resolution()) return before;
  }
  return size;
}

void TimeStepping::initialise() {
  const Topology& topology = model_.topology();
  if (boundTo_.isCurrent(topology.version())) return;
  boundTo_.forget();
  clock().enter(Phase::preparation);
  if (topology.systems().empty()) throw Error("TimeStepping", "the model has no dynamical system; insert one.");
  if (schemeBySystems_) schemeBySystems_->update(model_, integrator_);
  requireConfigurations();
  integrator_->bind(model_, time_);
  problem_->bind(model_, integrator_->equations());
  if (options_.checkJacobians) checkJacobians(model_, time_, options_.jacobianCheck);
  if (projection_) projection_->bind(*integrator_->trialConfigurations());
  if (isAtStart()) lookAtStart();
  boundTo_.take(topology.version());
  if (isAtStart() && integrator_->needsInitialMultipliers()) findInitialMultipliers();
}

// A manager may find the first contacts after the model was bound without.
void TimeStepping::lookAtStart() {
  if (!hasCheckedStart_) checkStart(model_, time_);
  hasCheckedStart_ = true;
  if (hasNextStep()) watch_.warnOfStart(describeDeepStart(model_, time_, nextStep().size));
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
    findTrial(now);
    if (!failureAccepted_) {
      integrator_->prepareAccept();
      integrator_->accept();
    }
  } catch (...) {
    findsStart_ = false;
    boundTo_.forget();
    throw;
  }
  findsStart_ = false;
  report_ = {};
  statistics_ = {};
  multipliersFrom_.take(stateResets());
}

// Events at the end of a step belong to it.
void TimeStepping::computeStep() {
  if (!clocksBegun_) timeEvents_.begin(model_.t0());
  clocksBegun_ = true;
  if (isAt(timeEvents_.next())) initialise();
  fireTimeEvents();
  do {
    const StepDivision before = division_;
    try {
      computePiece();
    } catch (...) {
      division_ = before;
      whyDivided_.clear();
      throw;
    }
    fireTimeEvents();
  } while (isInside_);
}

void TimeStepping::fireTimeEvents() {
  do {
    fireDue(time_, [this](const TimeEvents::Series& series) {
      if (series.action) series.action();
      fired_.t = time_;
      fired_.kind = series.kind;
      fired_.source = series.name;
      notifyEvent(fired_);
    });
    if (!isAt(timeEvents_.next())) continue;
    timeEvents_.pop(due_);
    notifyBeforeActions();
  } while (!due_.empty());
}

void TimeStepping::computePiece() {
  keepsDepths_ = isRelaxed_ = false;
  TimeStep next = nextStep();
  if (manager_) {
    clock().enter(Phase::collision);
    manager_->updateInteractions(model_, next.begin, next.size);
  }
  initialise();
  if (isAtStart() && integrator_->needsInitialMultipliers() && !multipliersFrom_.isCurrent(stateResets())) {
    findInitialMultipliers();
  }
  timeOfSolves_ = 0.;
  do {
    dropDemands();
    while (!findTrial(next) || !project(next)) next = nextStep();
  } while (next.repetition < mostRepetitions && integrator_->missesContact() && ++next.repetition > 0);
  if (next.repetition == mostRepetitions) {
    Log::warning("TimeStepping: the step to t = " + toText(next.end) + " closes ever more contacts unseen.");
  }
  report_.repetitions = next.repetition;
  integrator_->prepareAccept();
  auditMotion(next);
  integrator_->accept();
  updateStatistics();
  isInside_ = next.end != gridEnd();
  time_ = next.end;
  if (std::find(sizes_.begin(), sizes_.end(), next.size) == sizes_.end()) {
    std::rotate(sizes_.begin(), sizes_.end() - 1, sizes_.end());
    sizes_.front() = next.size;
  }
  if (!isInside_) ++stepIndex_;
  acceptDivision(next);
  acceptDepths();
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
  if (boundTo_.isCurrent(model_.topology().version())) return;
  throw Error("TimeStepping",
              "systems or interactions were inserted, linked or removed during the step from t = " + toText(time_) +
                  ", by a function of the model or the failure policy; do it between "
                  "two steps.");
}

// The trial state of a step, from its beginning; false where it is made again otherwise.
bool TimeStepping::findTrial(const TimeStep& timeStep) {
  clock().enter(Phase::freeState);
  integrator_->beginStep(timeStep);
  const bool isFound = iterate(timeStep);
  requireUnchangedModel();
  return isFound;
}

bool TimeStepping::iterate(const TimeStep& timeStep) {
  report_ = {};
  failureAccepted_ = false;
  guard_.begin();
  std::size_t limit = options_.newtonMaxIterations;
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
    if (report_.solve.failedSolvers > 0) ++statistics_.fallbacks;
    const std::string doubt = describeDoubt();
    if (keepDepths(timeStep, doubt)) return false;
    const bool isSolved = report_.solve.converged();
    const bool isLate = report_.solve.status == numerics::SolveStatus::timeLimit;
    if (!doubt.empty() && solveAction_ == FailureAction::raise && !isLate) {
      if (!isSolved && divide(timeStep, Failure::solve, doubt)) return false;
      if (holdRelations(timeStep, Failure::solve, doubt)) {
        limit = report_.newtonIterations + options_.newtonMaxIterations;
        continue;
      }
    }
    if (problem_->relaxed()) acceptRelaxed();
    if (options_.requireUniqueSolution) checkUniqueness(timeStep);
    // What `relax` could not make a solution is accepted without one.
    if (!isSolved) {
      const bool isRelax = solveAction_ == FailureAction::relax;
      handle(isRelax ? FailureAction::accept : solveAction_, timeStep, report_.solve.summary());
    }
    integrator_->updateState();
    if (integrator_->isLinear()) break;
    if (guard_.hasStalled()) integrator_->searchChange();
    const StepResidual residual = integrator_->residual();
    report_.newtonResidual = options_.newtonTest == NewtonTest::residual ? residual.equations : residual.largest();
    report_.newtonConverged = report_.newtonResidual <= reachableResidual();
    if (report_.newtonConverged) break;
    guard_.observe(report_.newtonResidual, residual, integrator_->equations());
    if (guard_.hasStalled()) integrator_->simplify();
    if (!guard_.goesRound() && report_.newtonIterations < limit) continue;
    const std::string why = guard_.describe(report_.newtonIterations, options_.newtonTolerance);
    if (!meetsRelaxed(residual.largest()) && divide(timeStep, Failure::newtonLoop, why)) return false;
    if (meetsRelaxed(residual.equations)) {
      acceptLoop(timeStep, why);
      break;
    }
    if (report_.newtonIterations >= limit) {
      if (holdRelations(timeStep, Failure::newtonLoop, why)) {
        limit += options_.newtonMaxIterations;
        continue;
      }
      handleFailure(Failure::newtonLoop, timeStep, why);
      break;
    }
  }
  integrator_->settle();
  return true;
}

numerics::SolveReport TimeStepping::solveProblem() {
  // A policy decides by itself, and the start is found to the tolerance.
  problem_->setRelaxation(policy_ || findsStart_ ? 1. : options_.relaxation);
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
  if (!why.empty()) handleFailure(Failure::uniqueness, timeStep, "the interconnection may be ill-posed: " + why + '.');
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

}  // namespace delassus
