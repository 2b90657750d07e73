// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/EventLocator.hpp>
#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/kernel/problems/ProblemByLaws.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/StartCheck.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

EventDriven::EventDriven(NonSmoothDynamicalSystem& model, TimeDiscretisation outputs,
                         std::unique_ptr<OneStepNSProblem> impactProblem, EventDrivenOptions options)
    : ClockedSimulation(model),
      outputs_(std::move(outputs).startingWith(model.t0())),
      options_(std::move(options)),
      motion_(std::make_unique<HybridMotion>(std::move(impactProblem), options_.contacts)),
      flow_(std::make_unique<HybridFlow>(options_.modes)),
      mechanicalPart_(model.t0(), model.T()),
      firstOrderPart_(model.t0(), model.T()),
      equations_(std::make_unique<HybridEquations>()),
      watch_("EventDriven", "Give the integration smaller tolerances, or see the page on the audit of a motion.",
             options_.audit, options_.wrongMotion),
      stateTime_(model.t0()) {
  if (std::abs(outputs_.t0() - model.t0()) > TimeEvents::resolution(std::max(std::abs(model.t0()), model.T()))) {
    throw Error("EventDriven", "the time discretisation starts at " + toText(outputs_.t0()) +
                                   ", the model at t0 = " + toText(model.t0()) + ".");
  }
  steps_ = outputs_.stepsUntil(model.T());
  firstPhase_ = Phase::integration;
}

EventDriven::EventDriven(NonSmoothDynamicalSystem& model, TimeDiscretisation outputs, EventDrivenOptions options)
    : EventDriven(model, std::move(outputs), std::make_unique<ProblemByLaws>(), std::move(options)) {
}

EventDriven::~EventDriven() = default;

OneStepNSProblem& EventDriven::problem() {
  return motion_->impactProblem();
}

const OneStepNSProblem& EventDriven::problem() const {
  return motion_->impactProblem();
}

void EventDriven::setFailurePolicy(FailurePolicy policy) {
  if (!policy) return problem().setJudge({});
  problem().setJudge([this, policy = std::move(policy)](const numerics::SolveReport& report) {
    StepReport impact;
    impact.failure = report.converged() ? Failure::none : Failure::solve;
    impact.problemSize = problem().size();
    impact.solve = report;
    const bool mayRelax = report.status != numerics::SolveStatus::infeasible && std::isfinite(report.error);
    return policy(impact, *this) == FailureAction::relax && mayRelax ? report.error : 0.;
  });
}

void EventDriven::setFailurePolicy(FailureAction action) {
  setFailurePolicy([action](const StepReport&, const EventDriven&) { return action; });
}

void EventDriven::initialise() {
  if (!boundTo_.isCurrent(model_.topology().version())) {
    bind();
  } else if (restored_) {
    doAgain();
  }
}

// Binds everything to the present model at time(); the states are those of the systems.
void EventDriven::bind() {
  const std::uint64_t version = model_.topology().version();
  if (model_.topology().systems().empty()) {
    throw Error("EventDriven", "the model has no dynamical system; insert one.");
  }
  const bool initial = !started_;
  if (initial) timeEvents_.begin(model_.t0());
  attach();
  stateTime_ = time_;
  nextPiece();
  startSystems(initial);
  enterMode();
  if (initial) checkStart(model_, time_);
  boundTo_.take(version);
  started_ = true;
}

// Systems, solvers and workspaces of the present model.
void EventDriven::attach() {
  constexpr double partOfRun = 1e-7;  // shorter steps show what there is
  pastEvaluations_ = evaluations();
  solver_.reset();
  locator_.reset();
  bindSystems();
  equations_->setUserGuards(userGuards());
  solver_ = OdeSolver::make(*equations_, options_.integration, true);
  resolution_ = GuardResolution(partOfRun * (model_.T() - model_.t0()), options_.integration.maximalStep);
  locator_ = std::make_unique<EventLocator>(*equations_, options_.integration);
  z_ = begin_ = Vector(equations_->size());
  values_.assign(equations_->roots(), 0.);
  previous_ = values_;
  wasNonZero_.resize(stateEvents_.size(), 0);
  turned_.resize(stateEvents_.size(), 0.);
  keepsBegin_ = false;
  restored_ = false;
}

std::size_t EventDriven::evaluations() const {
  return pastEvaluations_ + (solver_ ? solver_->evaluations() : 0) + (locator_ ? locator_->evaluations() : 0);
}

// Each order of systems by itself: no interaction links both.
void EventDriven::bindSystems() {
  const Topology& topology = model_.topology();
  const std::vector<char> moves = topology.movingSystems();
  std::vector<char> flows = moves;
  for (char& flag : flows) flag = flag == 0 ? 1 : 0;
  std::vector<HybridSystem*> systems;
  const auto bindPart = [&](HybridSystem& system, NonSmoothDynamicalSystem& part, const std::vector<char>& taken) {
    if (std::count(taken.begin(), taken.end(), 1) == 0) return;
    part.takePart(model_, taken);
    system.bind(part, time_);
    systems.push_back(&system);
  };
  bindPart(*motion_, mechanicalPart_, moves);
  bindPart(*flow_, firstOrderPart_, flows);
  isOfFirstOrder_ = systems.size() == 1 && systems.front() == flow_.get();
  equations_->set(std::move(systems));
}

void EventDriven::startSystems(bool initial) {
  const double t = equations_->inside(stateTime_);
  equations_->forEach(
      [&](HybridSystem& system, std::size_t offset, std::size_t) { system.start(t, initial, data(z_) + offset); });
  startedFrom_.take(stateResets());
}

// Enters the mode that continues from the present state, and starts the integration there.
void EventDriven::enterMode() {
  std::vector<Event> events;
  equations_->forEach([&](HybridSystem& system, std::size_t offset, std::size_t) {
    system.enter(equations_->inside(stateTime_), data(z_) + offset, events);
  });
  finishEvent(events);
}

void EventDriven::finishEvent(std::vector<Event>& events) {
  acceptState();
  resolution_.enterMode();
  solver_->restart(stateTime_, z_);
  ++statistics_.restarts;
  equations_->computeRoots(stateTime_, data(z_), values_.data());
  for (Event& event : events) {
    event.t = stateTime_;
    ++statistics_.events;
    // Switchings accumulate too, without an impulse.
    const bool accumulation = event.kind == EventKind::accumulation && event.impulse.size() > 0;
    if (event.kind == EventKind::impact || accumulation) ++statistics_.impacts;
    if (options_.keepEvents) events_.push_back(event);
    clock().enter(Phase::output);
    if (observer_) observer_(event);
    notifyEvent(event);
  }
}

void EventDriven::auditMotion() {
  MotionAudit& audit = watch_.begin(stateTime_);
  equations_->forEach([&](HybridSystem& system, std::size_t offset, std::size_t) {
    system.show(equations_->inside(stateTime_), data(z_) + offset, audit);
  });
  if (const std::string wrong = watch_.end(); !wrong.empty()) throw Error("EventDriven", wrong);
  if (watch_.audit().hasChanged()) statistics_.motion = watch_.audit().report();
}

void EventDriven::acceptState() {
  auditMotion();
  equations_->forEach([&](HybridSystem& system, std::size_t offset, std::size_t) {
    system.accept(equations_->inside(stateTime_), data(z_) + offset);
  });
  time_ = stateTime_;
}

// The state that was reached, at a time next to it: functions of time that jump there have the value before.
void EventDriven::showBeforeEvents() {
  acceptState();
  time_ = equations_->inside(stateTime_);
  notifyBeforeEvents();
  time_ = stateTime_;
}

double EventDriven::outputInstant(std::size_t index) const {
  const bool last = index == steps_ && index > 0;
  return last && outputs_.isUniform() ? model_.T() : outputs_.instant(index);
}

void EventDriven::computeStep() {
  if (!hasNextStep()) {
    throw Error("EventDriven", "there is no output after the final time T = " + toText(model_.T()) + ".");
  }
  initialise();
  try {
    advance(outputInstant(stepIndex_ + 1));
  } catch (...) {
    // The next call begins with the states of the systems, which are those of the last output or event.
    boundTo_.forget();
    throw;
  }
  ++stepIndex_;
}

void EventDriven::advance(double end) {
  if (!due_.empty()) firePending();
  if (timeEvents_.next() != pieceEnd_) nextPiece();
  if (!startedFrom_.isCurrent(stateResets())) {
    startSystems(false);
    enterMode();
  } else if (parametersChanged()) {
    enterMode();
  }
  while (stateTime_ < end || keepsBegin_) {
    const double target = std::min(end, pieceEnd_);
    if (!keepsBegin_ && target - stateTime_ <= TimeEvents::resolution(target)) {
      stateTime_ = target;
      solver_->restart(stateTime_, z_);
    } else {
      // If a root was no event, the state is interpolated, and nothing may start from it.
      if (!keepsBegin_) {
        beginTime_ = stateTime_;
        assign(z_, begin_);
      }
      clock().enter(Phase::integration);
      const OdeSolver::Outcome outcome = solver_->step(target);
      ++statistics_.steps;
      if (!keepsBegin_ && !showsGuards()) continue;
      stateTime_ = solver_->time();
      assign(solver_->state(), z_);
      notifyWithin(stateTime_);
      const bool event = outcome == OdeSolver::Outcome::root ? processRoots() : checkGuards();
      keepsBegin_ = outcome == OdeSolver::Outcome::root && !event;
      // What an observer of the event has moved to now is due.
      if (event && timeEvents_.next() != pieceEnd_) nextPiece();
    }
    if (stateTime_ >= pieceEnd_ && !keepsBegin_) {
      fireTimeEvents();
      // As after an event of a mode.
      if (timeEvents_.next() != pieceEnd_) nextPiece();
    }
  }
  if (time_ != stateTime_) acceptState();
  bool refined = false;
  equations_->forEach([&](HybridSystem& system, std::size_t, std::size_t) { refined = system.refine() || refined; });
  if (refined) solver_->restart(stateTime_, z_);
  statistics_.evaluations = evaluations();
}

// Where the last step is too long to show how guards go, the next one begins where it did.
bool EventDriven::showsGuards() {
  const bool shows = resolution_.accepts(*equations_, beginTime_, begin_, solver_->stepEnd());
  solver_->setMaximalStep(resolution_.limit());
  if (!shows) solver_->restart(beginTime_, begin_);
  return shows;
}

// True if one of the roots that the solver has found is an event.
bool EventDriven::processRoots() {
  clock().enter(Phase::eventLocation);
  candidates_.clear();
  locator_->setBegin(beginTime_, begin_);
  const double guess = solver_->time();
  const double stepEnd = solver_->stepEnd();
  const std::vector<int>& found = solver_->foundRoots();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == 0) continue;
    std::size_t root = i;
    double end = stepEnd;
    if (i >= equations_->firstMinimum() && i < equations_->firstUserGuard()) {
      // A minimum counts if the guard is below zero there: it has crossed zero before and would return.
      root = i - equations_->guards();
      locator_->moveTo(guess);
      if (locator_->values()[root] >= 0. || values_[root] <= 0.) continue;
      end = guess;
    }
    if (locator_->locate(root, std::min(guess, end), end)) candidates_.push_back({root, locator_->time()});
  }
  if (candidates_.empty()) return false;
  handleRoots();
  return true;
}

// The first of the candidates, and those that come at the same time.
void EventDriven::handleRoots() {
  const double first = std::min_element(candidates_.begin(), candidates_.end(), [](const Root& a, const Root& b) {
                         return a.time < b.time;
                       })->time;
  if (locator_->time() != first) locator_->moveTo(first);
  stateTime_ = first;
  assign(locator_->state(), z_);
  std::vector<std::size_t> guards, located;
  for (const Root& root : candidates_) {
    if (root.time > first + TimeEvents::resolution(first)) continue;
    if (root.number < equations_->guards()) {
      guards.push_back(root.number);
    } else {
      located.push_back(root.number - equations_->firstUserGuard());
    }
  }
  const std::vector<Crossed> functions = findCrossed(located);
  const std::vector<Crossed> atZero = findAtZero(functions);
  countEvent();
  if (isOfFirstOrder_) showBeforeEvents();
  if (!guards.empty()) cross(guards);
  const bool isElsewhere = !functions.empty() && fireFunctions(functions);
  fireOvertaken(isElsewhere ? std::vector<Crossed>() : atZero);
  if (isOfFirstOrder_) notifyAfterEvents();
  returning_.clear();
  for (const Crossed& function : atZero) returning_.push_back(function.number);
}

void EventDriven::cross(const std::vector<std::size_t>& fallen) {
  clock().enter(Phase::modes);
  std::vector<Event> events;
  equations_->forEach([&](HybridSystem& system, std::size_t offset, std::size_t first) {
    std::vector<std::size_t> own;
    for (const std::size_t guard : fallen) {
      if (guard >= first && guard < first + system.guards()) own.push_back(guard - first);
    }
    if (own.empty()) return;
    system.cross(equations_->inside(stateTime_), data(z_) + offset, own, events);
  });
  finishEvent(events);
}

// After a step without a root: a guard that was zero at its beginning may have fallen at once, or have risen and fallen
// again; the solver counts neither as a root. The same holds for a user's function at whose event the step began.
bool EventDriven::checkGuards() {
  constexpr double fallen = 1e-3;
  candidates_.clear();
  std::swap(values_, previous_);
  equations_->computeRoots(stateTime_, data(z_), values_.data());
  requireNonZeroFunctions();
  const std::vector<double> reached = values_;
  locator_->setBegin(beginTime_, begin_);
  for (std::size_t i = 0; i < equations_->guards(); ++i) {
    if (reached[i] >= -fallen * options_.contacts.gapTolerance) continue;
    candidates_.push_back({i, locator_->locateReturn(i, stateTime_) ? locator_->time() : beginTime_});
  }
  for (const std::size_t i : returning_) {
    const std::size_t root = equations_->firstUserGuard() + i;
    if (locator_->locateReturn(root, stateTime_)) candidates_.push_back({root, locator_->time()});
  }
  returning_.clear();
  if (candidates_.empty()) return false;
  values_ = previous_;
  handleRoots();
  return true;
}

// Throws Error for a user's function that has always been zero. (One that becomes zero and stays there, such as the
// velocity of a ball that has come to rest, marks no further events.)
void EventDriven::requireNonZeroFunctions() {
  for (std::size_t i = 0; i < wasNonZero_.size(); ++i) {
    const std::size_t root = equations_->firstUserGuard() + i;
    if (values_[root] != 0. || previous_[root] != 0.) wasNonZero_[i] = 1;
    if (wasNonZero_[i] != 0) continue;
    throw Error("EventDriven", equations_->rootName(root) + " is zero from t = " + toText(beginTime_) + " to " +
                                   toText(stateTime_) + ": it marks no instant.");
  }
}

// Events closer together than this, s, come without time advancing. Circuits have no flights: a run of a nanosecond has
// its own scale, as that of HybridFlow's dwell.
double EventDriven::atOnce() const {
  constexpr double partOfRun = 1e-8;
  double once = options_.contacts.minimalFlight;
  if (isOfFirstOrder_) once = std::min(once, partOfRun * (model().T() - model().t0()));
  return std::max(once, 4. * TimeEvents::resolution(stateTime_));
}

// Throws Error if events follow each other without time advancing.
void EventDriven::countEvent() {
  const double once = atOnce();
  const bool isAtOnce = stateTime_ - lastEvent_ <= once;
  eventsAtOnce_ = isAtOnce ? eventsAtOnce_ + 1 : 0;
  if (!isAtOnce) lastEvent_ = stateTime_;
  if (eventsAtOnce_ <= options_.mostEventsAtOnce) return;
  std::string last;
  if (!events_.empty()) last = ", the last of '" + events_.back().source + "'";
  throw Error("EventDriven", std::to_string(eventsAtOnce_) + " events came within " + toText(once) +
                                 " s at t = " + toText(stateTime_) + last +
                                 ": they accumulate in a way that it cannot pass. Time stepping can.");
}

}  // namespace delassus
