// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitState.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/CircuitWatch.hpp>
#include <delassus/kernel/simulation/TimeEvents.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

using Symbol = CircuitSymbol::Kind;

// A voltage gate closes where it has come to one threshold, and opens where it has come to the other one.
bool isClosedBy(const Gate::Thresholds& thresholds, double v, bool isClosed) {
  const double rising = thresholds.closes >= thresholds.opens ? 1. : -1.;
  const bool closes = rising * (v - thresholds.closes) >= 0. && v != thresholds.opens;
  const bool opens = rising * (v - thresholds.opens) <= 0. && !closes;
  return isClosed ? !opens : closes;
}

}  // namespace

std::shared_ptr<CircuitState> CircuitState::make(const CircuitNet& net, NonSmoothDynamicalSystem& model,
                                                 std::string name) {
  return std::shared_ptr<CircuitState>(new CircuitState(net, model, std::move(name)));
}

CircuitState::CircuitState(const CircuitNet& net, NonSmoothDynamicalSystem& model, std::string name)
    : net_(net),
      name_(std::move(name)),
      label_("Circuit '" + name_ + "'"),
      t0_(model.t0()),
      equations_(std::make_unique<CircuitEquations>(net_, label_, model.t0())),
      sources_(std::make_shared<CircuitSources>(net_.waves())),
      gates_(net_.gates().size()),
      asked_(net_.gates().size()) {
  std::vector<char> isOn(gates_.size());
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    const CircuitNet::GateEntry& entry = net_.gates()[g];
    gates_[g].isTold = entry.gate.initially();
    isWatched_ = isWatched_ || entry.latches || entry.gate.kind() == Gate::Kind::function ||
                 entry.gate.kind() == Gate::Kind::voltage;
    if (entry.gate.kind() == Gate::Kind::function) gates_[g].isTold = entry.gate.f(model.t0()) > 0.;
    if (entry.source == CircuitBranch::none) continue;
    sources_->letBeSet(entry.source);
    sources_->setConstant(entry.source, gates_[g].isTold ? entry.high : entry.low);
  }
  beginGates();
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    isOn[g] = gates_[g].isTold ? 1 : 0;
    gates_[g].isLatched = gates_[g].isTold && net_.gates()[g].latches;
  }
  parts_ = std::make_unique<CircuitParts>(*equations_, sources_, std::move(isOn));
  parts_->insertInto(model, name_);
}

// Gates that a voltage steers begin as it says, so that the first step finds them so, where it follows from the initial
// state and the sources. A comparator is a source of other gates: a chain of them is told in as many passes as it is
// long.
void CircuitState::beginGates() {
  std::vector<std::pair<std::size_t, LinearForm>> controls;
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    if (net_.gates()[g].gate.kind() != Gate::Kind::voltage) continue;
    const CircuitBranch& control = net_.branches()[net_.gates()[g].control];
    const LinearForm form = equations_->voltageBetween(control.a, control.b);
    if (!form.has(Symbol::multiplier)) controls.emplace_back(g, form);
  }
  const auto valueOf = [this](const LinearForm::Term& term) {
    const std::size_t index = term.symbol.index;
    if (term.symbol.kind == Symbol::state) return term.value * equations_->states()[index].initial;
    const bool isRate = term.symbol.kind == Symbol::sourceRate;
    return term.value * (isRate ? sources_->rate(index, t0_) : sources_->value(index, t0_));
  };
  bool hasChanged = true;
  for (std::size_t pass = 0; hasChanged && pass <= controls.size(); ++pass) {
    hasChanged = false;
    for (const auto& [g, form] : controls) {
      double v = 0.;
      for (const LinearForm::Term& term : form.terms()) v += valueOf(term);
      const CircuitNet::GateEntry& entry = net_.gates()[g];
      const bool wanted = isClosedBy(entry.gate.thresholds(), v, gates_[g].isTold);
      if (wanted == gates_[g].isTold) continue;
      gates_[g].isTold = wanted;
      if (entry.source == CircuitBranch::none) continue;
      sources_->setConstant(entry.source, wanted ? entry.high : entry.low);
      hasChanged = true;
    }
  }
}

double CircuitState::time(const char* what) const {
  if (const auto watch = watch_.lock()) return watch->time();
  throw Error(label_, std::string("it is attached to no simulation, and ") + what +
                          " that varies needs the time; CircuitInstance::attach() tells it.");
}

std::size_t CircuitState::requireElement(std::string_view name) const {
  const std::size_t element = net_.findElement(name);
  if (element == CircuitBranch::none) throw Error(label_, "it has no element '" + std::string(name) + "'.");
  return element;
}

std::size_t CircuitState::requireNode(std::string_view name) const {
  const std::size_t node = net_.findNode(name);
  if (node == CircuitBranch::none) throw Error(label_, "it has no node '" + std::string(name) + "'.");
  return node;
}

const CircuitState::Probe& CircuitState::remembered(std::string key, const LinearForm& form) const {
  return probes_.try_emplace(std::move(key), *this, form).first->second;
}

const CircuitState::Probe& CircuitState::voltage(std::size_t plus, std::size_t minus) const {
  const std::string key = "v" + std::to_string(plus) + "," + std::to_string(minus);
  const auto found = probes_.find(key);
  if (found != probes_.end()) return found->second;
  if (!equations_->areConnected(plus, minus)) {
    throw Error(label_, "no element connects the nodes '" + net_.nodeName(plus) + "' and '" + net_.nodeName(minus) +
                            "': there is no voltage between them.");
  }
  return remembered(key, equations_->voltageBetween(plus, minus));
}

const CircuitState::Probe& CircuitState::nodeVoltage(std::size_t node) const {
  const std::string key = "n" + std::to_string(node);
  const auto found = probes_.find(key);
  return found != probes_.end() ? found->second : remembered(key, equations_->nodeVoltage(node));
}

const CircuitState::Probe& CircuitState::elementVoltage(std::size_t element) const {
  return voltage(net_.elements()[element].a, net_.elements()[element].b);
}

const CircuitState::Probe& CircuitState::elementCurrent(std::size_t element) const {
  const std::string key = "i" + std::to_string(element);
  const auto found = probes_.find(key);
  return found != probes_.end() ? found->second : remembered(key, equations_->elementCurrent(element));
}

std::size_t CircuitState::requireGate(std::string_view name) const {
  const std::size_t gate = net_.elements()[requireElement(name)].gate;
  if (gate == CircuitBranch::none) throw Error(label_, "element '" + std::string(name) + "' has no gate.");
  return gate;
}

void CircuitState::setGate(std::string_view element, bool closed) {
  const std::size_t gate = requireGate(element);
  if (net_.gates()[gate].gate.kind() != Gate::Kind::manual) {
    throw Error(label_, "the gate of '" + std::string(element) +
                            "' is not told by the program: it has edges, a "
                            "function or a voltage of its own.");
  }
  tell(gate, closed);
}

bool CircuitState::isOn(std::string_view element) const {
  const GateState& gate = gates_[requireGate(element)];
  return gate.isTold || gate.isLatched;
}

void CircuitState::setSource(std::string_view name, double value) {
  const CircuitNet::Element& element = net_.elements()[requireElement(name)];
  if (element.source == CircuitBranch::none || element.gate != CircuitBranch::none) {
    throw Error(label_, "element '" + std::string(name) + "' is no independent source.");
  }
  if (!std::isfinite(value)) {
    throw Error(label_, "source '" + std::string(name) + "' must be finite, got " + toText(value) + '.');
  }
  if (equations_->forcesState(element.source)) {
    throw Error(label_, "source '" + std::string(name) +
                            "' is in a loop of capacitors and voltage sources or a cut set of inductors and current "
                            "sources, where it must not jump: that takes an infinite current or voltage. A resistor in "
                            "series, or in parallel, bounds it.");
  }
  sources_->setConstant(element.source, value);
  parts_->sourceChanged(element.source);
  if (watch_.expired()) return;
  jumped_.push_back(element.source);
  settle();
}

// By the ideal part of its element, without what leaks beside it. The current of a thyristor that has just stopped is a
// sum that cancels.
bool CircuitState::conducts(std::size_t gate) {
  const Probe*& current = gates_[gate].current;
  if (current == nullptr) {
    const std::size_t branch = net_.elements()[net_.findElement(net_.gates()[gate].element)].current.front().first;
    current = &remembered("g" + std::to_string(gate), equations_->current(branch));
  }
  return current->isPositive();
}

// What a gate says from now on.
void CircuitState::tell(std::size_t gate, bool on) {
  const CircuitNet::GateEntry& entry = net_.gates()[gate];
  GateState& state = gates_[gate];
  if (entry.latches) state.isLatched = on || (state.isLatched && conducts(gate));
  state.isTold = on;
  if (entry.source != CircuitBranch::none) {
    sources_->setConstant(entry.source, on ? entry.high : entry.low);
    parts_->sourceChanged(entry.source);
    jumped_.push_back(entry.source);
  } else {
    parts_->setGate(gate, state.isTold || state.isLatched);
  }
}

// A thyristor that has stopped. Whether it has is known at the event: a little later the source is another one.
void CircuitState::unlatch(std::size_t gate) {
  gates_[gate].isLatched = false;
  parts_->setGate(gate, gates_[gate].isTold);
}

void CircuitState::ask(std::size_t gate, Asked what) {
  asked_[gate] = static_cast<char>(what);
  isAsked_ = true;
}

void CircuitState::applyAsked() {
  isAsked_ = false;
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) {
    const Asked asked = askedOf(gate);
    asked_[gate] = static_cast<char>(Asked::nothing);
    if (asked == Asked::stop) unlatch(gate);
    if (asked == Asked::on || asked == Asked::off) tell(gate, asked == Asked::on);
  }
}

// After sources have jumped: gates whose voltage jumps with them change, too, and what these set, until nothing
// changes. A chain of comparators comes to rest in as many passes as it is long.
void CircuitState::settle() {
  for (std::size_t pass = 0; !jumped_.empty(); ++pass) {
    settling_.clear();
    settling_.swap(jumped_);
    if (pass > 2 * gates_.size()) {
      throw Error(label_,
                  "comparators change each other round and round at one instant, without a delay between "
                  "them; a capacitor at a control input is one.");
    }
    for (const std::size_t source : settling_) {
      for (const std::size_t gate : followers_[source]) follow(gate, controlOf(gate).valueAtOnce());
    }
    applyAsked();
  }
}

const CircuitState::Probe& CircuitState::controlOf(std::size_t g) {
  if (gates_[g].control == nullptr) {
    const CircuitBranch& control = net_.branches()[net_.gates()[g].control];
    gates_[g].control = &voltage(control.a, control.b);
  }
  return *gates_[g].control;
}

// What it was asked for already counts, since a voltage may jump where it has come to a threshold.
void CircuitState::follow(std::size_t g, double voltage) {
  const Asked asked = askedOf(g);
  const bool isClosed = asked == Asked::on || (asked != Asked::off && gates_[g].isTold);
  const bool wanted = isClosedBy(net_.gates()[g].gate.thresholds(), voltage, isClosed);
  if (wanted != isClosed) ask(g, wanted ? Asked::on : Asked::off);
}

void CircuitState::examine(std::size_t g, double time) {
  const CircuitNet::GateEntry& entry = net_.gates()[g];
  const bool isTold = gates_[g].isTold;
  if (entry.gate.kind() == Gate::Kind::function) {
    const bool wanted = entry.gate.f(time) > 0.;
    if (wanted != isTold) ask(g, wanted ? Asked::on : Asked::off);
  } else if (entry.gate.kind() == Gate::Kind::voltage) {
    // What elements that switch do is known of the step that has ended, with the sources that it had.
    const Probe& control = controlOf(g);
    follow(g, control.hasMultipliers() ? control.value() : control.valueAtOnce());
  }
}

void CircuitState::examineAll() {
  if (!isWatched_) return;
  const auto watch = watch_.lock();
  if (!watch) return;
  askedTime_ = watch->time();
  for (std::size_t g = 0; g < gates_.size(); ++g) examine(g, askedTime_);
  examineLatches();
}

// The control voltage a little later, by the rates of states and by sources as they are then.
double CircuitState::controlAfter(std::size_t g, double time, double step) const {
  const CircuitBranch& control = net_.branches()[net_.gates()[g].control];
  const LinearForm form = equations_->voltageBetween(control.a, control.b);
  double sum = 0.;
  for (const LinearForm::Term& term : form.terms()) {
    const std::size_t index = term.symbol.index;
    if (term.symbol.kind == Symbol::state) {
      const auto [part, place] = parts_->placeOfState(index);
      const double rate = Probe(*this, equations_->states()[index].rate).value();
      sum += term.value * (parts_->systems()[part]->x()(place) + step * rate);
    } else {
      const bool isRate = term.symbol.kind == Symbol::sourceRate;
      sum += term.value * (isRate ? sources_->rate(index, time + step) : sources_->value(index, time + step));
    }
  }
  return sum;
}

// A time that differs from this one by what no run tells apart.
double CircuitState::justAfter(double time) const {
  const double span = end_ - t0_;
  return time + std::max(1e-10 * (std::isfinite(span) ? span : 1.), 1e3 * TimeEvents::resolution(time));
}

// What a gate is just after this time, which a function or a voltage steers.
bool CircuitState::isOnAfter(std::size_t g, double time) const {
  const Gate& gate = net_.gates()[g].gate;
  const double later = justAfter(time);
  if (gate.kind() == Gate::Kind::function) return gate.f(later) > 0.;
  const auto& [closes, opens, initially] = gate.thresholds();
  const double rising = closes >= opens ? 1. : -1.;
  const double voltage = controlAfter(g, time, later - time);
  return gates_[g].isTold ? rising * (voltage - opens) >= 0. : rising * (voltage - closes) > 0.;
}

// A function that begins at zero has no zero that an event-driven run could locate.
void CircuitState::examineStart() {
  examineAll();
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    const Gate::Kind kind = net_.gates()[g].gate.kind();
    if (kind != Gate::Kind::function && kind != Gate::Kind::voltage) continue;
    const bool wanted = isOnAfter(g, askedTime_);
    if (wanted != gates_[g].isTold) ask(g, wanted ? Asked::on : Asked::off);
  }
}

// Nor has one that is zero at an event, or jumps there, as functions of the same clock as an edge do.
void CircuitState::examineClocked(double time) {
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    if (!gates_[g].isOfTime) continue;
    const bool wanted = isOnAfter(g, time);
    if (wanted == gates_[g].isTold) continue;
    askedTime_ = time;
    ask(g, wanted ? Asked::on : Asked::off);
  }
}

void CircuitState::examineLatches() {
  const auto watch = watch_.lock();
  if (!watch) return;
  askedTime_ = watch->time();
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    const bool isOwn = gates_[g].isLatched && !gates_[g].isTold && askedOf(g) == Asked::nothing;
    if (isOwn && !conducts(g)) ask(g, Asked::stop);
  }
}

}  // namespace delassus
