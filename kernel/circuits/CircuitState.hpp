// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/CircuitEquations.hpp>
#include <delassus/kernel/circuits/CircuitInstance.hpp>
#include <delassus/kernel/circuits/CircuitNet.hpp>
#include <delassus/kernel/circuits/CircuitParts.hpp>
#include <delassus/kernel/circuits/CircuitSources.hpp>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

class CircuitWatch;

/// What a CircuitInstance is a handle of: the equations of a circuit, its parts in a model, and its gates, from the
/// side of a simulation.
class CircuitState : public std::enable_shared_from_this<CircuitState> {
 public:
  /// See Circuit::insertInto.
  static std::shared_ptr<CircuitState> make(const CircuitNet& net, NonSmoothDynamicalSystem& model, std::string name);

  /// A present voltage or current as a sum over states, multipliers and sources.
  class Probe {
   public:
    /// Of a form of the circuit's equations; the state must stay.
    Probe(const CircuitState& state, const LinearForm& form);
    double value() const;         ///< throws Error where it needs the time and no simulation is attached
    bool isPositive() const;      ///< the same, beyond what rounding leaves of terms that cancel
    double valueAtOnce() const;   ///< the same, with sources that jump now as they are after it
    double impulse() const;       ///< what jumps of the state at the last event have carried
    bool hasMultipliers() const;  ///< whether it depends on what switching elements do at the instant

   private:
    struct Term {
      CircuitSymbol::Kind kind;
      CircuitParts::Place place;
      double value;
    };
    struct Sum {
      double value = 0.;
      double terms = 0.;  // their magnitudes
    };
    Sum sum(bool isAtOnce) const;

    const CircuitState* state_;
    std::vector<Term> terms_;
    bool needsTime_ = false;
  };

  /// See CircuitInstance.
  ///@{
  void attach(TimeStepping& simulation);
  void attach(EventDriven& simulation);
  std::size_t requireElement(std::string_view name) const;
  std::size_t requireNode(std::string_view name) const;
  bool hasNode(std::string_view name) const { return net_.findNode(name) != CircuitBranch::none; }
  const Probe& voltage(std::size_t plus, std::size_t minus) const;
  const Probe& nodeVoltage(std::size_t node) const;
  const Probe& elementVoltage(std::size_t element) const;
  const Probe& elementCurrent(std::size_t element) const;
  std::size_t elements() const { return net_.elements().size(); }
  void setGate(std::string_view element, bool closed);
  bool isOn(std::string_view element) const;
  void setSource(std::string_view element, double value);
  const CircuitParts& parts() const { return *parts_; }
  const CircuitEquations& equations() const { return *equations_; }
  std::string report() const;
  ///@}

  /// For CircuitWatch: looks at gates that voltages or functions of time steer, and at currents of thyristors; what has
  /// to change does so by an event that is due now.
  ///@{
  void examineAll();
  void examineLatches();
  void forgetImpulses();
  void forgetImpulsesBefore(double instant);
  void takeImpulse(const Event& event);  ///< of a jump of the state
  /// Of an event-driven run: gates that begin at a threshold are as they are just after it.
  void examineStart();
  /// Of an event-driven run: gates that time alone steers are as they are just after an event at this time.
  void examineClocked(double time);
  ///@}

 private:
  struct GateState {
    bool isTold = false;             // what its gate says
    bool isLatched = false;          // conducts on, without its gate
    std::size_t edges = 0;           // that have come
    std::size_t events = 0;          // by which they came: edges of one instant are one
    bool isOfTime = false;           // steered by a function of time, or by sources alone
    const Probe* control = nullptr;  // once they were asked for: its control voltage,
    const Probe* current = nullptr;  // and what its element conducts
  };

  // What a gate is to do at the next event; stop: a thyristor does not conduct any more.
  enum class Asked : char { nothing, off, on, stop };

  CircuitState(const CircuitNet& net, NonSmoothDynamicalSystem& model, std::string name);

  void attachClocks(ClockedSimulation& simulation, bool cutsAtBreaks);
  bool isIn(const NonSmoothDynamicalSystem& model) const;
  bool isFelt(std::size_t source) const;
  bool hasEdges(std::size_t gate) const;
  std::string nameOfEdges(std::size_t gate) const;
  std::size_t nextEdge(std::size_t gate, std::size_t edge) const;
  std::size_t edgesBy(std::size_t gate, double time) const;
  double instantOfEvent(std::size_t gate, std::size_t event) const;
  void countEdges(std::size_t gate);
  void addEdges(ClockedSimulation& simulation, std::size_t gate);
  void addBreaks(ClockedSimulation& simulation, bool cuts);
  void passBreaks(std::size_t source);
  void requireLocatable(std::size_t gate) const;
  void locateGates(EventDriven& simulation);
  void locate(EventDriven& simulation, std::size_t gate, const LinearForm& form);
  void tell(std::size_t gate, bool on);
  void unlatch(std::size_t gate);
  void ask(std::size_t gate, Asked what);
  Asked askedOf(std::size_t gate) const { return static_cast<Asked>(asked_[gate]); }
  void examine(std::size_t gate, double time);
  void follow(std::size_t gate, double voltage);
  const Probe& controlOf(std::size_t gate);
  void beginGates();
  bool conducts(std::size_t gate);
  void applyAsked();
  void addFollower(std::size_t gate);
  void settle();
  double justAfter(double time) const;
  bool isOnAfter(std::size_t gate, double time) const;
  double controlAfter(std::size_t gate, double time, double step) const;
  std::size_t requireGate(std::string_view element) const;
  double time(const char* what) const;
  void serializeState(StateArchive& archive);
  const Probe& remembered(std::string key, const LinearForm& form) const;

  CircuitNet net_;
  std::string name_, label_;
  double t0_, end_ = 0.;  // of the model; its end when a simulation was attached last
  std::unique_ptr<CircuitEquations> equations_;
  std::shared_ptr<CircuitSources> sources_;
  std::unique_ptr<CircuitParts> parts_;
  std::vector<GateState> gates_;
  std::vector<char> asked_;       // of gates
  bool isWatched_ = false;        // a gate follows a function or a voltage, or latches
  std::vector<Vector> impulses_;  // of interactions, at the last event
  bool hasImpulses_ = false;
  double impulsesAt_ = 0.;  // the instant of that
  bool isAsked_ = false;
  double askedTime_ = 0.;
  std::size_t changes_ = 0;
  std::vector<std::vector<std::size_t>> followers_;  // of each source: gates whose control voltage it enters
  std::vector<std::size_t> jumped_, settling_;       // sources whose followers are to be looked at, and are
  std::vector<char> isPassed_;                       // of each source: its break has come with that of another one
  std::weak_ptr<CircuitWatch> watch_;
  mutable std::map<std::string, Probe, std::less<>> probes_;
};

}  // namespace delassus
