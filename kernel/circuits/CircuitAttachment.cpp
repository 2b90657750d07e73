// SPDX-License-Identifier: Apache-2.0
//
// The part of CircuitState that makes events of a simulation out of edges, breaks and thresholds.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/CircuitState.hpp>
#include <delassus/kernel/circuits/CircuitWatch.hpp>
#include <delassus/kernel/simulation/TimeEvents.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

void CircuitState::attachClocks(ClockedSimulation& simulation, bool cutsAtBreaks) {
  const NonSmoothDynamicalSystem& model = simulation.model();
  if (!isIn(model)) throw Error(label_, "the simulation is of another model.");
  if (const auto watch = watch_.lock(); watch && watch->observes(simulation)) {
    throw Error(label_, "it is attached to this simulation already.");
  }
  end_ = model.T();
  // May throw: before anything is added to the simulation.
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) countEdges(gate);
  followers_.assign(sources_->size(), {});
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) addFollower(gate);
  jumped_.clear();
  jumped_.reserve(sources_->size());
  settling_.reserve(sources_->size());
  isPassed_.assign(sources_->size(), 0);
  addBreaks(simulation, cutsAtBreaks);
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) addEdges(simulation, gate);
  changes_ = 0;
  isAsked_ = false;
  if (!gates_.empty()) {
    simulation.addSwitching(
        name_ + " switches", [this](std::size_t k) { return k == changes_ && isAsked_ ? askedTime_ : never; },
        [this] {
          ++changes_;
          applyAsked();
          settle();
        });
  }
  const auto watch = std::make_shared<CircuitWatch>(shared_from_this(), name_, simulation, !cutsAtBreaks);
  simulation.addObserver(watch);
  watch_ = watch;
  simulation.addState("circuit " + name_, [this](StateArchive& archive) { serializeState(archive); });
}

// A model owns its systems, and a system is in one model alone.
bool CircuitState::isIn(const NonSmoothDynamicalSystem& model) const {
  const auto& systems = model.systems();
  return std::find(systems.begin(), systems.end(), parts_->systems().front()) != systems.end();
}

void CircuitState::attach(TimeStepping& simulation) {
  attachClocks(simulation, true);
}

void CircuitState::attach(EventDriven& simulation) {
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) {
    if (net_.gates()[gate].gate.kind() == Gate::Kind::voltage) requireLocatable(gate);
  }
  attachClocks(simulation, false);
  locateGates(simulation);
}

// A gate whose control voltage jumps with a source passes its threshold at once, without a zero. What such a voltage
// takes from elements that switch is known at the end of a step alone.
void CircuitState::addFollower(std::size_t g) {
  if (net_.gates()[g].gate.kind() != Gate::Kind::voltage || controlOf(g).hasMultipliers()) return;
  const CircuitBranch& control = net_.branches()[net_.gates()[g].control];
  const LinearForm form = equations_->voltageBetween(control.a, control.b);
  for (const LinearForm::Term& term : form.terms()) {
    if (term.symbol.kind == CircuitSymbol::Kind::source) followers_[term.symbol.index].push_back(g);
  }
}

bool CircuitState::hasEdges(std::size_t g) const {
  const Gate::Kind kind = net_.gates()[g].gate.kind();
  return kind == Gate::Kind::pulses || kind == Gate::Kind::instants;
}

std::string CircuitState::nameOfEdges(std::size_t g) const {
  return net_.gates()[g].element + " of " + name_;
}

// The first edge after this one that is not at its instant. A controller that saturates makes pulses of no width, and
// pulses of a whole period, whose edges cancel. Between two of them there are up to three edges at one instant.
std::size_t CircuitState::nextEdge(std::size_t g, std::size_t edge) const {
  constexpr std::size_t mostAtOnce = 3;
  const Gate& gate = net_.gates()[g].gate;
  const double t = gate.instant(edge);
  if (t == never) return edge + 1;
  const auto refuse = [&](std::size_t next) {
    throw Error("Event '" + nameOfEdges(g) + "'",
                "instant " + std::to_string(next) + " at t = " + toText(gate.instant(next)) +
                    " does not come after instant " + std::to_string(edge) + " at t = " + toText(t) +
                    "; no more than three in a row may be equal.");
  };
  for (std::size_t next = edge + 1; next < edge + mostAtOnce; ++next) {
    const double after = gate.instant(next);
    if (!(after <= t)) return next;
    if (after < t - TimeEvents::resolution(t)) refuse(next);
  }
  if (gate.instant(edge + mostAtOnce) <= t) refuse(edge + 1);
  return edge + mostAtOnce;
}

// How many edges will have come at this time.
std::size_t CircuitState::edgesBy(std::size_t g, double time) const {
  const double last = time + TimeEvents::resolution(time);
  std::size_t edges = gates_[g].edges;
  while (net_.gates()[g].gate.instant(edges) <= last) edges = nextEdge(g, edges);
  return edges;
}

// The instant of an event of edges, by the number of events from the start on.
double CircuitState::instantOfEvent(std::size_t g, std::size_t event) const {
  std::size_t edge = gates_[g].edges;
  for (std::size_t k = gates_[g].events; k < event; ++k) edge = nextEdge(g, edge);
  return net_.gates()[g].gate.instant(edge);
}

// Those before the start, which clocks skip.
void CircuitState::countEdges(std::size_t g) {
  if (!hasEdges(g)) return;
  std::size_t event = 0, edge = 0;
  const auto instant = [&](std::size_t k) {
    for (; event < k; ++event) edge = nextEdge(g, edge);
    return net_.gates()[g].gate.instant(edge);
  };
  TimeEvents::countBefore({.name = nameOfEdges(g), .instant = instant, .action = {}}, t0_);
  gates_[g].edges = edge;
  gates_[g].events = 0;
}

// Edges of pulses, and of a function of instants. The count of those that have come says what the gate is.
void CircuitState::addEdges(ClockedSimulation& simulation, std::size_t g) {
  if (!hasEdges(g)) return;
  const bool initially = net_.gates()[g].gate.initially();
  tell(g, initially != (edgesBy(g, t0_) % 2 == 1));
  const auto instant = [this, g](std::size_t event) { return instantOfEvent(g, event); };
  simulation.addSwitching(nameOfEdges(g), instant, [this, g, initially] {
    GateState& each = gates_[g];
    ++each.events;
    each.edges = nextEdge(g, each.edges);
    each.edges = edgesBy(g, time("a gate"));
    tell(g, initially != (each.edges % 2 == 1));
  });
}

// Whether anything follows a source: a state or a row, a gate, or an element, which need not act on any of these.
bool CircuitState::isFelt(std::size_t source) const {
  if (parts_->feels(source)) return true;
  for (const CircuitBranch& branch : net_.branches()) {
    const bool isOwn = branch.number == source || branch.kind == CircuitBranch::Kind::open;
    if (!isOwn && equations_->voltageBetween(branch.a, branch.b).hasSource(source)) return true;
  }
  for (const CircuitNet::GateEntry& entry : net_.gates()) {
    if (entry.gate.kind() != Gate::Kind::voltage) continue;
    const CircuitBranch& control = net_.branches()[entry.control];
    if (equations_->voltageBetween(control.a, control.b).hasSource(source)) return true;
  }
  return false;
}

void CircuitState::addBreaks(ClockedSimulation& simulation, bool cuts) {
  const double span = std::max(std::abs(t0_), std::abs(end_));
  const double margin = 1e-13 * (end_ - t0_) + TimeEvents::resolution(span);
  sources_->beginPieces(t0_, margin);
  for (std::size_t j = 0; j < sources_->size(); ++j) {
    if (!sources_->hasBreaks(j)) continue;
    // Such as drive gates whose instants are known.
    if (!isFelt(j)) {
      sources_->joinPieces(j);
      continue;
    }
    const auto action = [this, j, cuts] {
      passBreaks(j);
      if (!cuts) examineAll();
      settle();
    };
    simulation.addSwitching(
        "source " + std::to_string(j) + " of " + name_, [this, j](std::size_t k) { return sources_->breakAt(j, k); },
        action);
  }
  if (!cuts) sources_->joinPieces();
}

// Sources that break at one instant do so together: a gate does not see the jump of one without that of the others.
void CircuitState::passBreaks(std::size_t source) {
  const double now = time("a source");
  for (std::size_t j = 0; j < sources_->size(); ++j) {
    if (j == source ? isPassed_[j] != 0 : !sources_->isDue(j, now)) {
      if (j == source) isPassed_[j] = 0;
      continue;
    }
    sources_->pass(j);
    parts_->sourceChanged(j);
    jumped_.push_back(j);
    if (j != source) isPassed_[j] = 1;
  }
}

void CircuitState::requireLocatable(std::size_t g) const {
  const CircuitNet::GateEntry& entry = net_.gates()[g];
  const CircuitBranch& control = net_.branches()[entry.control];
  const LinearForm form = equations_->voltageBetween(control.a, control.b);
  bool isOfOneSystem = true;
  std::size_t system = CircuitBranch::none;
  for (const LinearForm::Term& term : form.terms()) {
    if (term.symbol.kind != CircuitSymbol::Kind::state) continue;
    const std::size_t part = parts_->placeOfState(term.symbol.index).part;
    isOfOneSystem = isOfOneSystem && (system == CircuitBranch::none || system == part);
    system = part;
  }
  if (isOfOneSystem && !form.has(CircuitSymbol::Kind::multiplier)) return;
  throw Error(label_, "the voltage that controls '" + entry.element +
                          "' does not follow from states and sources alone, so that an event-driven run cannot locate "
                          "its thresholds; a capacitor at the control input makes it a state, and time stepping takes "
                          "it as it is.");
}

// Functions that are zero where a gate changes.
void CircuitState::locateGates(EventDriven& simulation) {
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    const CircuitNet::GateEntry& entry = net_.gates()[g];
    if (entry.gate.kind() == Gate::Kind::function) {
      gates_[g].isOfTime = true;
      // It is off where f is zero, too, which functions may be for long.
      const auto f = [&entry](double t, const Vector&) {
        const double value = entry.gate.f(t);
        return value == 0. ? -std::numeric_limits<double>::min() : value;
      };
      const std::shared_ptr<FirstOrderDS> system = parts_->systems().front();
      const auto tellNow = [this, g](bool on) {
        return [this, g, on] {
          tell(g, on);
          settle();
        };
      };
      simulation.addStateSwitching(entry.element + " on", system, f, Crossing::rising, tellNow(true));
      simulation.addStateSwitching(entry.element + " off", system, f, Crossing::falling, tellNow(false));
    } else if (entry.gate.kind() == Gate::Kind::voltage) {
      const CircuitBranch& control = net_.branches()[entry.control];
      const LinearForm form = equations_->voltageBetween(control.a, control.b);
      gates_[g].isOfTime = !form.has(CircuitSymbol::Kind::state);
      locate(simulation, g, form);
    }
  }
}

void CircuitState::locate(EventDriven& simulation, std::size_t g, const LinearForm& form) {
  std::size_t system = 0;
  for (const LinearForm::Term& term : form.terms()) {
    if (term.symbol.kind == CircuitSymbol::Kind::state) system = parts_->placeOfState(term.symbol.index).part;
  }
  const auto value = [this, form](double t, const Vector& x) {
    double sum = 0.;
    for (const LinearForm::Term& term : form.terms()) {
      const std::size_t index = term.symbol.index;
      const bool isState = term.symbol.kind == CircuitSymbol::Kind::state;
      const bool isRate = term.symbol.kind == CircuitSymbol::Kind::sourceRate;
      sum += term.value * (isState  ? x(parts_->placeOfState(index).index)
                           : isRate ? sources_->rate(index, t)
                                    : sources_->value(index, t));
    }
    return sum;
  };
  const auto& [closes, opens, initially] = net_.gates()[g].gate.thresholds();
  const bool isUpright = closes >= opens;
  const std::shared_ptr<FirstOrderDS> owner = parts_->systems()[system];
  const auto add = [&](const char* what, double threshold, bool on) {
    simulation.addStateSwitching(
        net_.gates()[g].element + what, owner,
        [value, threshold](double t, const Vector& x) { return value(t, x) - threshold; },
        isUpright == on ? Crossing::rising : Crossing::falling,
        [this, g, on] {
          tell(g, on);
          settle();
        });
  };
  add(" on", closes, true);
  add(" off", opens, false);
}

void CircuitState::serializeState(StateArchive& archive) {
  for (GateState& gate : gates_) {
    archive.value("told", gate.isTold);
    archive.value("latched", gate.isLatched);
    archive.value("edges", gate.edges);
    archive.value("events", gate.events);
  }
  archive.value("breaks that have come", isPassed_);
  archive.value("has impulses", hasImpulses_);
  archive.value("instant of impulses", impulsesAt_);
  impulses_.resize(archive.count("impulses", impulses_.size()));
  for (Vector& impulse : impulses_) archive.value("impulse", impulse);
  archive.value("asked", asked_);
  archive.value("is asked", isAsked_);
  archive.value("asked time", askedTime_);
  archive.value("changes", changes_);
  sources_->serializeState(archive);
  parts_->serializeState(archive);
}

}  // namespace delassus
