// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/kernel/hybrid/GuardResolution.hpp>
#include <delassus/kernel/hybrid/HybridOptions.hpp>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/kernel/simulation/ClockedSimulation.hpp>
#include <delassus/kernel/simulation/MotionWatch.hpp>
#include <delassus/kernel/simulation/StepReport.hpp>
#include <delassus/kernel/simulation/TimeDiscretisation.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

class EventLocator;
class HybridEquations;
class HybridFlow;
class HybridMotion;
struct UserGuard;

/// Options of EventDriven.
struct EventDrivenOptions {
  OdeOptions integration;        ///< method, tolerances, maximal and minimal step of the smooth motion
  HybridMotionOptions contacts;  ///< minimal flight, and what counts as zero
  HybridFlowOptions modes;       ///< of first-order systems: minimal dwell
  bool keepEvents = true;        ///< in events(); without, only the observer sees them
  /// Number of events allowed to follow each other within the minimal flight, and of state events of the user allowed
  /// in a row, each within it after the one before; more are an error: they accumulate in a way that the simulation
  /// cannot pass.
  std::size_t mostEventsAtOnce = 200;
  MotionAuditOptions audit{};                        ///< limits of a motion that is right
  FailureAction wrongMotion = FailureAction::relax;  ///< what is done where one is passed
};

/// Sums over a run.
struct EventDrivenStatistics {
  std::size_t steps = 0;        ///< of the integration
  std::size_t evaluations = 0;  ///< of the motion, those to locate events included
  std::size_t events = 0;       ///< entries of the event log
  std::size_t impacts = 0;      ///< those of them that are impacts, the last of an accumulation included
  std::size_t restarts = 0;     ///< of the integration: after events, and where a mode was chosen again
  MotionAudit::Report motion;  ///< what positions and impacts did, at events and outputs; zeros for first-order systems

  /// One sentence.
  std::string summary() const;
};

/// Event-driven simulation: the smooth motion is integrated with an adaptive method from event to event, each event
/// located to rounding, its jumps applied, and the integration restarted at its full order.
///
///     EventDriven simulation(model, 5e-3);
///     simulation.run([&] { std::cout << simulation.time() << ' ' << ball->q()(0) << '\n'; });
///     for (const Event& event : simulation.events()) std::cout << event.t << ' ' << toString(event.kind) << '\n';
///
/// The time discretisation says when the state is wanted; it does not change the motion. The problem is that of
/// impacts, between velocities and impulses; where it is given, laws with friction need one that accepts them
/// (FrictionContact(2), GenericMechanical). After each output and event the systems have their state at time(), the
/// interactions their outputs, forces λ(0) and, at an impact, impulses λ(1).
///
/// Mechanical systems: see HybridMotion. First-order systems: see HybridFlow. The model must outlive the simulation; it
/// may be changed by the actions of events and after an output. An exception leaves the model in the state of the last
/// output or event.
///
/// A run can be saved after any output, also when an action has thrown, and the restored run reproduces the same bits.
/// Before restoring, the program sets functions, actions and events again and repeats what actions had inserted or
/// removed. In stiff pieces, and with OdeMethod::bdf, the steps since the last restart are repeated
/// (OdeOptions::restartAfter), which evaluates functions and calls no action. ([Siconos 2017], chapters 8 and 14; Acary
/// and Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008, chapter 8.)
class EventDriven final : public ClockedSimulation {
 public:
  /// Throws Error if the outputs do not start at the model's t0 or go beyond its T, or options make no sense (those of
  /// the integration: from initialise() on).
  ///@{
  template <std::derived_from<OneStepNSProblem> Problem>
  EventDriven(NonSmoothDynamicalSystem& model, TimeDiscretisation outputs, Problem impactProblem,
              EventDrivenOptions options = {})
      : EventDriven(model, std::move(outputs), std::make_unique<Problem>(std::move(impactProblem)),
                    std::move(options)) {}
  EventDriven(NonSmoothDynamicalSystem& model, TimeDiscretisation outputs,
              std::unique_ptr<OneStepNSProblem> impactProblem, EventDrivenOptions options = {});
  ///@}

  /// The impact problem follows from the laws (ProblemByLaws). The outputs may be a step h alone. Throws Error as
  /// above.
  EventDriven(NonSmoothDynamicalSystem& model, TimeDiscretisation outputs, EventDrivenOptions options = {});

  ~EventDriven() override;

  std::string_view className() const override { return "EventDriven"; }

  // Events of the user where a function of a state is zero, beside those of ClockedSimulation; before the first step.
  // Their actions may change states, parameters and the model.

  /// Where f(t, q, v) of a system goes through zero.
  void addStateEvent(std::string name, const std::shared_ptr<SecondOrderDS>& system,
                     std::function<double(double t, const Vector& q, const Vector& v)> f, Crossing crossing,
                     Action action = {});
  /// Where f(t, x) of a system goes through zero.
  void addStateEvent(std::string name, const std::shared_ptr<FirstOrderDS>& system,
                     std::function<double(double t, const Vector& x)> f, Crossing crossing, Action action = {});
  /// The same for an action that does no more than set parameters by the crossing, as a switch does. Switchings of one
  /// instant are one event: all actions come before the motion goes on, so that switches which change together leave no
  /// trace of the moment between them (a circuit that is broken, a source that is shorted). Of events in general each
  /// has its effect before the next one.
  void addStateSwitching(std::string name, const std::shared_ptr<FirstOrderDS>& system,
                         std::function<double(double t, const Vector& x)> f, Crossing crossing, Action action);

  /// Decides about the problem of an impact whose answer is not certified; the report has `failure`, `problemSize` and
  /// `solve`.
  using FailurePolicy = std::function<FailureAction(const StepReport&, const EventDriven&)>;
  /// As TimeStepping::setFailurePolicy: `relax` takes the answer as one that is solved; with `accept`, as with `raise`
  /// and without a policy, an Error is thrown.
  ///@{
  void setFailurePolicy(FailurePolicy policy);
  void setFailurePolicy(FailureAction action);
  ///@}

  /// Called with each event, when the model has the state just after it. It must not change the model or its states:
  /// use actions for that.
  void setEventObserver(std::function<void(const Event&)> observer) { observer_ = std::move(observer); }

  /// Checks the model and finds its first mode; called by the first step otherwise. Throws Error naming what is wrong:
  /// a system, relation or law that is not supported, an initial state that is not consistent.
  void initialise() override;

  /// The event log so far, in the order of time; empty if EventDrivenOptions::keepEvents is false.
  const std::vector<Event>& events() const { return events_; }
  /// Forgets the events so far; statistics() keeps their numbers.
  void clearEvents() { events_.clear(); }
  /// Sums over the run so far.
  const EventDrivenStatistics& statistics() const { return statistics_; }
  /// That of impacts.
  ///@{
  OneStepNSProblem& problem();
  const OneStepNSProblem& problem() const;
  ///@}
  std::string summary() const override { return statistics_.summary(); }
  RunCounts counts() const override;
  std::string motionSummary() const override { return statistics_.motion.summary(); }
  std::string statusLine() const override;
  bool hasImpulsesOfSteps() const override { return false; }
  Settings settings() const override;
  bool hasInstant(std::size_t index, double time) const override;
  void stepNumbers(std::vector<StepNumber>& numbers) const override;

 private:
  struct StateEvent {
    std::string name;
    std::shared_ptr<DynamicalSystem> system;
    Crossing crossing = Crossing::both;
    std::function<double(double t, const double* first, const double* velocity)> value;  // x or q, and v
    Action action;
    bool isSwitching = false;
  };

  void computeStep() override;
  // EventDrivenState.cpp
  void serializeOwnState(StateArchive& archive) override;
  void addStateEvent(StateEvent event);
  void addStateEvent(std::string name, const std::shared_ptr<FirstOrderDS>& system,
                     std::function<double(double, const Vector&)> f, Crossing crossing, Action action,
                     bool isSwitching);
  bool hasStarted() const override { return started_; }
  std::vector<UserGuard> userGuards() const;
  void bind();
  void attach();
  void bindSystems();
  void startSystems(bool initial);
  void enterMode();
  void finishEvent(std::vector<Event>& events);
  void acceptState();
  void showBeforeEvents();
  void auditMotion();
  double outputInstant(std::size_t index) const;
  std::size_t evaluations() const;
  void advance(double end);
  bool showsGuards();
  bool processRoots();
  void handleRoots();
  bool checkGuards();
  void requireNonZeroFunctions();
  void cross(const std::vector<std::size_t>& fallen);
  double atOnce() const;
  void countEvent();
  void countUserEvent();
  void requireProgress(double interval);
  double sideOf(std::size_t function) const;
  double valueOf(std::size_t function) const;
  double changeOf(std::size_t function);
  /// A function of the user that crosses zero at an event, with the sign that it had before.
  struct Crossed {
    std::size_t number;
    double side;
  };
  static bool isAmong(const std::vector<Crossed>& functions, std::size_t number);
  std::vector<Crossed> findCrossed(const std::vector<std::size_t>& located) const;
  std::vector<Crossed> findAtZero(const std::vector<Crossed>& crossed);
  bool fireFunctions(const std::vector<Crossed>& functions);
  void fireOvertaken(std::vector<Crossed> atZero);
  void addOvertaken(std::vector<Crossed>& functions);
  void addTurnedBack(std::vector<Crossed>& atZero, std::vector<Crossed>& functions);
  void nextPiece();
  void fireTimeEvents();
  void firePending();
  void fire(const std::string& name, EventKind kind, const Action& action, DynamicalSystem* system);
  void resume();
  std::size_t stateResets() const;
  bool parametersChanged() const;
  void doAgain();
  void serializeEvents(StateArchive& archive);
  void serializeMotion(StateArchive& archive);

  TimeDiscretisation outputs_;
  EventDrivenOptions options_;
  std::unique_ptr<HybridMotion> motion_;
  std::unique_ptr<HybridFlow> flow_;
  NonSmoothDynamicalSystem mechanicalPart_, firstOrderPart_;  // of the model
  std::unique_ptr<HybridEquations> equations_;
  std::unique_ptr<OdeSolver> solver_;
  GuardResolution resolution_;
  std::unique_ptr<EventLocator> locator_;
  std::vector<StateEvent> stateEvents_;
  std::function<void(const Event&)> observer_;
  std::vector<Event> events_;
  MotionWatch watch_;
  EventDrivenStatistics statistics_;

  bool started_ = false;
  MadeFrom<std::uint64_t> boundTo_;    // Topology::version
  MadeFrom<std::size_t> startedFrom_;  // stateResets(), for z_
  std::size_t pastEvaluations_ = 0;    // of solvers that no longer exist
  bool restored_ = false;              // steps must be repeated before the next one

  double stateTime_ = 0.;  // of z_, from which the integration continues
  Vector z_;
  double beginTime_ = 0.;  // of begin_, where the last step began
  Vector begin_;
  double pieceEnd_ = 0.;                   // the next time event
  bool isOfFirstOrder_ = false;            // all systems are
  bool keepsBegin_ = false;                // the next step continues this one, in which a root was not an event
  std::vector<double> values_, previous_;  // of all root functions, at the beginning of the present step and of the
                                           // last
  struct Root {
    std::size_t number;
    double time;
  };
  std::vector<Root> candidates_;
  std::vector<char> wasNonZero_;        // of the functions of the user
  std::vector<std::size_t> returning_;  // functions of the user whose event the next step begins at
  std::vector<double> turned_;  // of the functions of the user: on which side an event has turned one round that has
                                // not got there yet, or 0
  double lastEvent_ = 0.;
  std::size_t eventsAtOnce_ = 0;
  double lastUserEvent_ = 0.;
  std::size_t userEventsInARow_ = 0;
  std::array<double, 2> userIntervals_{};  // the last two
  std::size_t shorterUserIntervals_ = 0;   // in a row, each shorter than the one before the last
};

}  // namespace delassus
