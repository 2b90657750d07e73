// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/Circuit.hpp>

#include <cmath>
#include <delassus/kernel/circuits/CircuitChecks.hpp>
#include <delassus/kernel/circuits/CircuitNet.hpp>
#include <delassus/kernel/circuits/CircuitState.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

using Branch = CircuitBranch;
using Kind = CircuitBranch::Kind;

// An element between two different nodes. Nothing is made unless all of it fits.
std::size_t begin(CircuitNet& net, const std::string& name, const std::string& a, const std::string& b) {
  net.requireFree(name);
  requireTerminals(name, a, b);
  return net.begin(name, a, b);
}

// An element of one branch.
std::size_t addSingle(CircuitNet& net, const std::string& name, const std::string& a, const std::string& b,
                      Branch branch) {
  const std::size_t number = begin(net, name, a, b);
  CircuitNet::Element& element = net.element(number);
  const std::size_t added = net.add(std::move(branch), element.a, element.b);
  element.current = {{added, 1.}};
  return number;
}

// Lets the branch that was added last look at the voltage between two nodes.
void look(CircuitNet& net, std::size_t plus, std::size_t minus) {
  const std::size_t branch = net.branches().size() - 1;
  const std::size_t input = net.addControl(plus, minus);
  net.branches()[branch].control = input;
}

void addSource(CircuitNet& net, const std::string& name, const std::string& a, const std::string& b, Kind kind,
               Waveform wave) {
  const std::size_t number = addSingle(net, name, a, b, {.kind = kind, .number = net.waves().size()});
  net.element(number).source = net.addWave(std::move(wave));
}

void addControlled(CircuitNet& net, const std::string& name, const std::string& a, const std::string& b, Branch branch,
                   const VoltageBetween& control) {
  requireFiniteValue(name, "its gain must be finite", branch.value);
  requireControl(name, control.plus, control.minus);
  addSingle(net, name, a, b, std::move(branch));
  look(net, net.node(control.plus), net.node(control.minus));
}

void addControlled(CircuitNet& net, const std::string& name, const std::string& a, const std::string& b, Branch branch,
                   const CurrentOf& control) {
  requireFiniteValue(name, "its gain must be finite", branch.value);
  branch.byCurrent = true;
  branch.controlElement = control.element;
  addSingle(net, name, a, b, std::move(branch));
}

// What is in series in an element.
struct Series {
  double threshold = 0.;
  double resistance = 0.;
  Branch::Port port = Branch::Port::diode;
  std::size_t gate = Branch::none;
};

// Threshold, resistance and ideal part from a to b; gives the branch of the ideal part.
std::size_t addSeries(CircuitNet& net, std::size_t a, std::size_t b, const Series& series) {
  if (series.threshold > 0.) {
    const std::size_t next = net.internalNode();
    net.add({.kind = Kind::source, .number = net.addWave(series.threshold)}, a, next);
    a = next;
  }
  if (series.resistance > 0.) {
    const std::size_t next = net.internalNode();
    net.add({.kind = Kind::resistor, .value = series.resistance, .isSeries = true}, a, next);
    a = next;
  }
  return net.add({.kind = Kind::port, .port = series.port, .gate = series.gate}, a, b);
}

// The gate of the element that was begun last.
std::size_t addGate(CircuitNet& net, std::size_t element, Gate gate, bool latches = false) {
  CircuitNet::GateEntry entry{.element = net.elements()[element].name, .gate = std::move(gate), .latches = latches};
  if (entry.gate.kind() == Gate::Kind::voltage) {
    entry.control = net.addControl(net.node(entry.gate.plus()), net.node(entry.gate.minus()));
  }
  return net.element(element).gate = net.addGate(std::move(entry));
}

// A resistor in parallel with all that an element has.
void addLeak(CircuitNet& net, CircuitNet::Element& element, double leak) {
  if (!std::isfinite(leak)) return;
  element.current.emplace_back(net.add({.kind = Kind::resistor, .value = leak}, element.a, element.b), 1.);
}

}  // namespace

Circuit::Circuit() : net_(std::make_unique<CircuitNet>()) {
}
Circuit::Circuit(const Circuit& other) : net_(std::make_unique<CircuitNet>(*other.net_)) {
}
Circuit::Circuit(Circuit&&) noexcept = default;
Circuit& Circuit::operator=(const Circuit& other) {
  net_ = std::make_unique<CircuitNet>(*other.net_);
  return *this;
}
Circuit& Circuit::operator=(Circuit&&) noexcept = default;
Circuit::~Circuit() = default;

void Circuit::resistor(std::string name, std::string a, std::string b, double resistance) {
  require(std::isfinite(resistance) && resistance != 0., name, "its resistance must be finite and not zero",
          resistance);
  addSingle(*net_, name, a, b, {.kind = Kind::resistor, .value = resistance});
}

void Circuit::capacitor(std::string name, std::string a, std::string b, double capacitance) {
  requirePositive(name, "its capacitance must be positive", capacitance);
  const std::size_t number = addSingle(*net_, name, a, b, {.kind = Kind::capacitor, .value = capacitance});
  net_->element(number).state = net_->branches().size() - 1;
}

void Circuit::capacitor(std::string name, std::string a, std::string b, double capacitance, double initialVoltage) {
  requireFiniteValue(name, "its initial voltage must be finite", initialVoltage);
  capacitor(std::move(name), std::move(a), std::move(b), capacitance);
  net_->branches().back().initial = initialVoltage;
}

void Circuit::inductor(std::string name, std::string a, std::string b, double inductance) {
  requirePositive(name, "its inductance must be positive", inductance);
  const std::size_t number = addSingle(*net_, name, a, b, {.kind = Kind::inductor, .value = inductance});
  net_->element(number).state = net_->branches().size() - 1;
}

void Circuit::inductor(std::string name, std::string a, std::string b, double inductance, double initialCurrent) {
  requireFiniteValue(name, "its initial current must be finite", initialCurrent);
  inductor(std::move(name), std::move(a), std::move(b), inductance);
  net_->branches().back().initial = initialCurrent;
}

void Circuit::coupling(std::string name, const std::vector<std::string>& inductors, double k) {
  net_->requireFree(name);
  require(std::abs(k) < 1., name, "its coupling must be between -1 and 1 (a coupling of 1 is a transformer)", k);
  if (inductors.size() < 2) throw Error(labelOf(name), "it couples at least two inductors.");
  std::vector<std::size_t> branches;
  for (const std::string& inductor : inductors) {
    const std::size_t element = net_->findElement(inductor);
    const std::size_t branch = element == Branch::none ? Branch::none : net_->elements()[element].state;
    if (branch == Branch::none || net_->branches()[branch].kind != Kind::inductor) {
      throw Error(labelOf(name), "'" + inductor + "' is no inductor that was given before.");
    }
    for (const std::size_t other : branches) {
      if (other == branch) throw Error(labelOf(name), "it has '" + inductor + "' twice.");
    }
    branches.push_back(branch);
  }
  for (std::size_t i = 0; i < branches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!net_->areCoupled(branches[i], branches[j])) continue;
      throw Error(labelOf(name), "'" + inductors[j] + "' and '" + inductors[i] + "' are coupled already.");
    }
  }
  net_->reserve(name);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double product = net_->branches()[branches[i]].value * net_->branches()[branches[j]].value;
      net_->addMutual({branches[i], branches[j], k * std::sqrt(product)});
    }
  }
}

void Circuit::transformer(std::string name, std::string a1, std::string b1, std::string a2, std::string b2,
                          double ratio) {
  require(std::isfinite(ratio) && ratio != 0., name, "its ratio must be finite and not zero", ratio);
  for (const std::string& each : {name, name + ".1", name + ".2"}) net_->requireFree(each);
  requireTerminals(name, a1, b1);
  requireTerminals(name, a2, b2);
  net_->reserve(name);
  addSingle(*net_, name + ".1", a1, b1, {.kind = Kind::dependentCurrent, .value = -1. / ratio, .byCurrent = true});
  const std::size_t first = net_->branches().size() - 1;
  addSingle(*net_, name + ".2", a2, b2, {.kind = Kind::dependentVoltage, .value = 1. / ratio, .control = first});
  net_->branches()[first].control = first + 1;
  net_->branches()[first].partner = first + 1;
  net_->branches()[first + 1].partner = first;
}

void Circuit::source(std::string name, std::string a, std::string b, Waveform voltage) {
  addSource(*net_, name, a, b, Kind::source, std::move(voltage));
}

void Circuit::currentSource(std::string name, std::string a, std::string b, Waveform current) {
  addSource(*net_, name, a, b, Kind::currentSource, std::move(current));
}

void Circuit::controlledSource(std::string name, std::string a, std::string b, VoltageBetween control, double gain) {
  addControlled(*net_, name, a, b, {.kind = Kind::dependentVoltage, .value = gain}, control);
}

void Circuit::controlledSource(std::string name, std::string a, std::string b, CurrentOf control, double gain) {
  addControlled(*net_, name, a, b, {.kind = Kind::dependentVoltage, .value = gain}, control);
}

void Circuit::controlledCurrentSource(std::string name, std::string a, std::string b, VoltageBetween control,
                                      double gain) {
  addControlled(*net_, name, a, b, {.kind = Kind::dependentCurrent, .value = gain}, control);
}

void Circuit::controlledCurrentSource(std::string name, std::string a, std::string b, CurrentOf control, double gain) {
  addControlled(*net_, name, a, b, {.kind = Kind::dependentCurrent, .value = gain}, control);
}

void Circuit::diode(std::string name, std::string anode, std::string cathode, const DiodeOptions& options) {
  requireDiode(name, options);
  CircuitNet::Element& element = net_->element(begin(*net_, name, anode, cathode));
  element.current = {{addSeries(*net_, element.a, element.b, {options.threshold, options.resistance}), 1.}};
  addLeak(*net_, element, options.leak);
}

void Circuit::zener(std::string name, std::string anode, std::string cathode, const ZenerOptions& options) {
  requireDiode(name, {options.threshold, options.resistance, options.leak});
  requirePositive(name, "its breakdown voltage must be positive", options.breakdown);
  CircuitNet::Element& element = net_->element(begin(*net_, name, anode, cathode));
  element.current = {{addSeries(*net_, element.a, element.b, {options.threshold, options.resistance}), 1.},
                     {addSeries(*net_, element.b, element.a, {options.breakdown, options.resistance}), -1.}};
  addLeak(*net_, element, options.leak);
}

void Circuit::idealSwitch(std::string name, std::string a, std::string b, Gate gate, const SwitchOptions& options) {
  requireNotNegative(name, "its resistance while on must not be negative", options.onResistance);
  require(options.offResistance > options.onResistance, name,
          "its resistance while off must be larger than that while on", options.offResistance);
  const std::size_t number = begin(*net_, name, a, b);
  const std::size_t entry = addGate(*net_, number, std::move(gate));
  const double on = options.onResistance, off = options.offResistance;
  const bool leaks = std::isfinite(off);
  // In parallel with what leaks, so that both make `on`.
  const double series = leaks ? on * off / (off - on) : on;
  CircuitNet::Element& element = net_->element(number);
  element.current = {
      {addSeries(*net_, element.a, element.b, {.resistance = series, .port = Branch::Port::onOff, .gate = entry}), 1.}};
  addLeak(*net_, element, off);
}

void Circuit::thyristor(std::string name, std::string anode, std::string cathode, Gate gate,
                        const DiodeOptions& options) {
  requireDiode(name, options);
  const std::size_t number = begin(*net_, name, anode, cathode);
  const std::size_t entry = addGate(*net_, number, std::move(gate), true);
  CircuitNet::Element& element = net_->element(number);
  element.current = {
      {addSeries(*net_, element.a, element.b, {options.threshold, options.resistance, Branch::Port::gatedDiode, entry}),
       1.}};
  addLeak(*net_, element, options.leak);
}

void Circuit::mosfet(std::string name, std::string drain, std::string source, Gate gate,
                     const TransistorOptions& options) {
  requireTransistor(name, options);
  const std::size_t number = begin(*net_, name, drain, source);
  const std::size_t entry = addGate(*net_, number, std::move(gate));
  CircuitNet::Element& element = net_->element(number);
  const bool isIdeal = options.onResistance == 0. && options.diodeThreshold == 0. && options.diodeResistance == 0.;
  const auto port = options.diode && isIdeal ? Branch::Port::reverseDiode : Branch::Port::onOff;
  element.current = {
      {addSeries(*net_, element.a, element.b, {.resistance = options.onResistance, .port = port, .gate = entry}), 1.}};
  if (!options.diode || isIdeal) return;
  const std::size_t diode = addSeries(*net_, element.b, element.a, {options.diodeThreshold, options.diodeResistance});
  element.current.emplace_back(diode, -1.);
}

void Circuit::igbt(std::string name, std::string collector, std::string emitter, Gate gate,
                   const TransistorOptions& options) {
  requireTransistor(name, options);
  const bool isIdeal = options.threshold == 0. && options.onResistance == 0. && options.diodeThreshold == 0. &&
                       options.diodeResistance == 0.;
  // Two ideal diodes against each other share a current in no particular way; while on they are a switch.
  if (options.diode && isIdeal) {
    mosfet(std::move(name), std::move(collector), std::move(emitter), std::move(gate));
    return;
  }
  const std::size_t number = begin(*net_, name, collector, emitter);
  const std::size_t entry = addGate(*net_, number, std::move(gate));
  CircuitNet::Element& element = net_->element(number);
  const Series series{options.threshold, options.onResistance, Branch::Port::gatedDiode, entry};
  element.current = {{addSeries(*net_, element.a, element.b, series), 1.}};
  if (!options.diode) return;
  const std::size_t diode = addSeries(*net_, element.b, element.a, {options.diodeThreshold, options.diodeResistance});
  element.current.emplace_back(diode, -1.);
}

void Circuit::opAmp(std::string name, std::string plus, std::string minus, std::string out,
                    const AmplifierOptions& options) {
  require(options.lowest < options.highest, name, "its lowest output must be below the highest one", options.lowest);
  requireControl(name, plus, minus);
  addSingle(*net_, name, out, "0", {.kind = Kind::amplifier, .lower = options.lowest, .upper = options.highest});
  look(*net_, net_->node(plus), net_->node(minus));
}

void Circuit::comparator(std::string name, std::string plus, std::string minus, std::string out,
                         const ComparatorOptions& options) {
  requireFiniteValue(name, "its low output must be finite", options.low);
  requireFiniteValue(name, "its high output must be finite", options.high);
  require(options.low < options.high, name, "its low output must be below the high one", options.low);
  requireNotNegative(name, "its hysteresis must not be negative", options.hysteresis);
  if (options.hysteresis == 0.) {
    opAmp(std::move(name), std::move(plus), std::move(minus), std::move(out), {options.low, options.high});
    return;
  }
  requireControl(name, plus, minus);
  source(name, std::move(out), "0", options.low);
  const std::size_t number = net_->elements().size() - 1;
  const double half = 0.5 * options.hysteresis;
  const std::size_t gate =
      addGate(*net_, number, Gate::voltage(std::move(plus), std::move(minus), {.closes = half, .opens = -half}));
  net_->setLevels(gate, net_->elements()[number].source, options.low, options.high);
}

void Circuit::piecewiseLinear(std::string name, std::string a, std::string b, const PiecewiseLinearCurve& curve) {
  if (curve.points.empty()) throw Error(labelOf(name), "its curve has no point.");
  std::vector<std::pair<double, double>> corners;
  double slope = curve.firstConductance;
  requireFiniteValue(name, "its first conductance must be finite", slope);
  requireFiniteValue(name, "its last conductance must be finite", curve.lastConductance);
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const auto& [v, i] = curve.points[k];
    requireFiniteValue(name, "the voltages of its curve must be finite", v);
    requireFiniteValue(name, "the currents of its curve must be finite", i);
    const bool isLast = k + 1 == curve.points.size();
    require(isLast || curve.points[k + 1].first > v, name, "the voltages of its curve must ascend", v);
    const double next =
        isLast ? curve.lastConductance : (curve.points[k + 1].second - i) / (curve.points[k + 1].first - v);
    if (next != slope) corners.emplace_back(v, next - slope);
    slope = next;
  }
  CircuitNet::Element& element = net_->element(begin(*net_, name, a, b));
  const double offset = curve.points.front().second - curve.firstConductance * curve.points.front().first;
  const auto add = [&](Branch branch) {
    element.current.emplace_back(net_->add(std::move(branch), element.a, element.b), 1.);
  };
  add({.kind = Kind::curve, .corners = std::move(corners)});
  if (curve.firstConductance != 0.) add({.kind = Kind::resistor, .value = 1. / curve.firstConductance});
  if (offset != 0.) add({.kind = Kind::currentSource, .number = net_->addWave(offset)});
}

void Circuit::startAt(std::string node, double voltage) {
  net_->startAt(node, voltage);
}

bool Circuit::hasElement(std::string_view name) const {
  return net_->findElement(name) != Branch::none;
}

bool Circuit::hasNode(std::string_view name) const {
  return net_->findNode(name) != Branch::none;
}

std::vector<std::string> Circuit::elementNames() const {
  std::vector<std::string> names;
  for (const CircuitNet::Element& element : net_->elements()) names.push_back(element.name);
  return names;
}

std::vector<std::string> Circuit::nodeNames() const {
  std::vector<std::string> names;
  for (std::size_t node = 0; node < net_->nodes(); ++node) {
    if (!net_->nodeName(node).empty()) names.push_back(net_->nodeName(node));
  }
  return names;
}

CircuitInstance Circuit::insertInto(NonSmoothDynamicalSystem& model, std::string name) const {
  return CircuitInstance(CircuitState::make(*net_, model, std::move(name)));
}

}  // namespace delassus
