// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/diagnostics/PhaseClock.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/simulation/ObserverList.hpp>
#include <delassus/kernel/simulation/RunCounts.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// A number that describes the last step.
struct StepNumber {
  const char* name;         ///< "newton_iterations"
  const char* unit;         ///< "" where it has none
  const char* description;  ///< one clause
  bool isWhole;             ///< recorded as an integer
  double value;             ///< in that unit
};

/// The common base of simulations: a model, instants from t0 to T that are reached in turn, and observers. TimeStepping
/// reaches an instant by one step of a scheme, EventDriven by integration over any number of events.
class Simulation {
 public:
  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// "TimeStepping"; for messages, summaries and checkpoints.
  virtual std::string_view className() const = 0;

  /// Checks the model and prepares the first step; called by it otherwise. Throws Error naming what is wrong in the
  /// model.
  virtual void initialise() = 0;

  /// False after the last step or output, where step() throws.
  bool hasNextStep() const { return stepIndex_ < steps_; }
  /// To the next instant; the observers are called after it. Throws Error past the end, if it fails, or if another
  /// simulation has moved the model since the last step; Interrupted where it goes on for too long after a StopRequest,
  /// with the state as it was before.
  void step();
  /// All remaining steps, with `afterStep` called after each, before the observers. Ends early after stop(), and where
  /// a step is abandoned after a StopRequest.
  void run(const std::function<void()>& afterStep = {});
  /// Makes run() return after the present step; another run() goes on.
  void stop() { stopRequested_ = true; }

  double time() const { return time_; }                 ///< of the present state
  std::size_t stepIndex() const { return stepIndex_; }  ///< steps (outputs) done
  std::size_t steps() const { return steps_; }          ///< in all
  /// The model that the simulation was made with, not a copy.
  ///@{
  const NonSmoothDynamicalSystem& model() const { return model_; }
  NonSmoothDynamicalSystem& model() { return model_; }
  ///@}

  /// A summary of the work so far, in sentences.
  virtual std::string summary() const = 0;
  /// By what it is done, in a few words: "MoreauJeanOSI and LCP"; may be empty.
  virtual std::string method() const { return {}; }
  /// The summary as numbers.
  virtual RunCounts counts() const { return {}; }
  /// What the audit of the motion has found, in a clause (MotionAudit::Report); empty if it is nothing.
  virtual std::string motionSummary() const { return {}; }
  /// The state of the last step in a few words, for progress displays; may be empty.
  virtual std::string statusLine() const { return {}; }
  /// True if λ(1) of the interactions and p of the systems are the impulses of the last step; false if they are those
  /// of an impact at time(), and zero elsewhere.
  virtual bool hasImpulsesOfSteps() const { return true; }
  /// The clock that measures the time of each phase.
  const PhaseClock& phaseClock() const { return clock_; }
  /// Scheme, problem, solver, instants and options.
  virtual Settings settings() const = 0;
  /// Appends the numbers of the last step to the list, always the same ones in the same order.
  virtual void stepNumbers(std::vector<StepNumber>& numbers) const = 0;

  /// Adds an observer; observers are called in the order in which they were added, those with comesLast() after the
  /// others. Throws Error if it is null, another observer has its name, or an observer adds it.
  void addObserver(std::shared_ptr<SimulationObserver> observer) { observers_.add(std::move(observer)); }
  /// In the order in which they are called.
  const std::vector<std::shared_ptr<SimulationObserver>>& observers() const { return observers_.all(); }
  /// Makes an observer begin again before the next step, with the present state of the model and its own: used when a
  /// checkpoint was restored. Throws Error if it is not an observer of this simulation.
  void beginAgain(const SimulationObserver& observer) { observers_.beginAgain(observer); }

  /// Registers `serialize` for checkpoints, for state that the user's own functions keep from step to step:
  ///
  ///     simulation.addState("controller", [&](StateArchive& archive) { archive.value("integral", integral); });
  ///
  /// Throws Error if another state has this name.
  void addState(std::string name, std::function<void(StateArchive&)> serialize);
  /// State of the user's functions, for checkpoints.
  struct UserState {
    std::string name;                              ///< in the checkpoint
    std::function<void(StateArchive&)> serialize;  ///< saves or restores it
  };
  /// Those of addState, in the order in which they were added.
  const std::vector<UserState>& states() const { return states_; }

  /// As addState, for counts on which the run does not depend and which a checkpoint may lack. Replaces an entry of the
  /// same name.
  void setStatistics(std::string name, std::function<void(StateArchive&)> serialize);
  /// Those of setStatistics, in the order in which their names came.
  const std::vector<UserState>& statisticsStates() const { return statisticsStates_; }

  /// Saves or restores everything the run needs to go on, except observers and added states: systems, interactions, and
  /// the simulation's own data. Only between steps, of an initialised simulation. (Checkpoints are written and read by
  /// saveCheckpoint and restoreCheckpoint, which do all of it.)
  void serializeState(StateArchive& archive);

  /// True if a step that ends at `time` is step `index` of this simulation (0: the initial instant). A checkpoint of
  /// another instant is refused.
  virtual bool hasInstant(std::size_t index, double time) const;
  /// Interactions that a manager links and removes during a run; ascending addresses. The others are part of the model.
  virtual std::vector<const Interaction*> managedInteractions() const { return {}; }

 protected:
  /// At t0 of the model, which must outlive the simulation. The log warns of systems of one name.
  explicit Simulation(NonSmoothDynamicalSystem& model);

  /// The work of step() without the observers.
  virtual void computeStep() = 0;
  /// Links and removes interactions to match the archive, and binds the model. Called after the systems and before the
  /// interactions.
  virtual void serializeLinks(StateArchive&) {}
  /// The part of a simulation that is not in the model. Called after the model's was restored.
  virtual void serializeOwnState(StateArchive& archive) = 0;

  /// Notifies the observers; called when the model has the state just after the event.
  void notifyEvent(const Event& event) { observers_.onEvent(event); }
  /// Notifies the observers before the actions of a clock.
  void notifyBeforeActions() { observers_.beforeActions(); }
  /// Notifies them around an instant of an event-driven run at which values may jump.
  ///@{
  void notifyBeforeEvents() { observers_.beforeEvents(); }
  void notifyAfterEvents() { observers_.afterEvents(); }
  ///@}
  /// Notifies them within a step; called when the integration has come to t.
  void notifyWithin(double t) { observers_.withinStep(t); }

  /// For enter(), where a step goes on with another phase.
  PhaseClock& clock() { return clock_; }

  NonSmoothDynamicalSystem& model_;      ///< as given to the constructor
  std::size_t steps_ = 0;                ///< in all; set by the constructors of derived classes
  std::size_t stepIndex_ = 0;            ///< steps done; computeStep() counts
  double time_ = 0.;                     ///< of the present state; computeStep() sets it
  Phase firstPhase_ = Phase::freeState;  ///< that a step begins with

 private:
  void beginObservers();
  void requireOwnMotion() const;
  void move();

  ObserverList observers_;
  std::vector<UserState> states_, statisticsStates_;
  PhaseClock clock_;
  bool stopRequested_ = false;
  std::optional<std::uint64_t> moves_;  // of the model, after the last step
};

}  // namespace delassus
