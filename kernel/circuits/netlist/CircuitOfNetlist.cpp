// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistGates.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <numbers>
#include <unordered_map>
#include <utility>
#include <vector>

namespace delassus {
namespace {

constexpr double endlessTime = std::numeric_limits<double>::infinity();

using InitialCurrents = std::unordered_map<std::string, double>;

std::vector<std::pair<double, double>> pairsOf(const std::vector<double>& values) {
  std::vector<std::pair<double, double>> pairs;
  for (std::size_t k = 0; k + 1 < values.size(); k += 2) pairs.emplace_back(values[k], values[k + 1]);
  return pairs;
}

Waveform waveformOf(const NetlistWaveform& wave) {
  const std::vector<double>& v = wave.values;
  switch (wave.kind) {
    case NetlistWaveform::Kind::sine:
      return SineWave{.amplitude = v[1],
                      .frequency = v[2],
                      .offset = v[0],
                      .delay = v[3],
                      .damping = v[4],
                      .phase = v[5] * std::numbers::pi / 180.};
    case NetlistWaveform::Kind::pulse:
      return PulseWave{.low = v[0],
                       .high = v[1],
                       .delay = v[2],
                       .rise = v[3],
                       .fall = v[4],
                       .width = v[5],
                       .period = v[6] > 0. ? v[6] : endlessTime};
    case NetlistWaveform::Kind::piecewiseLinear:
      return Waveform::piecewiseLinear(pairsOf(v));
    case NetlistWaveform::Kind::exponential:
      return ExponentialWave{
          .low = v[0], .high = v[1], .riseDelay = v[2], .riseTime = v[3], .fallDelay = v[4], .fallTime = v[5]};
    case NetlistWaveform::Kind::constant:
      break;
  }
  return v[0];
}

// Closed above `threshold` + vh, open below `threshold` − vh.
Gate gateOf(const NetlistGates& gates, const NetlistElement& e, const std::string& plus, const std::string& minus,
            double threshold) {
  const double half = e.parameterOr("vh", 0.);
  return gates.gate(
      plus, minus, {.closes = threshold + half, .opens = threshold - half, .initially = e.parameterOr("on", 0.) != 0.});
}

void addDiode(Circuit& circuit, const NetlistElement& e) {
  const double threshold = e.parameterOr("vfwd", 0.), resistance = e.parameterOr("ron", 0.);
  const double leak = e.parameterOr("roff", endlessTime);
  if (const auto breakdown = e.parameter("bv")) {
    circuit.zener(e.name, e.nodes[0], e.nodes[1],
                  {.breakdown = *breakdown, .threshold = threshold, .resistance = resistance, .leak = leak});
  } else {
    circuit.diode(e.name, e.nodes[0], e.nodes[1], {.threshold = threshold, .resistance = resistance, .leak = leak});
  }
}

void addSwitch(Circuit& circuit, const NetlistGates& gates, const NetlistElement& e) {
  const SwitchOptions options{.onResistance = e.parameterOr("ron", 0.),
                              .offResistance = e.parameterOr("roff", endlessTime)};
  Gate gate = gateOf(gates, e, e.nodes[2], e.nodes[3], e.parameterOr("vt", 0.));
  if (const auto closes = e.parameter("von")) {
    gate = gates.gate(
        e.nodes[2], e.nodes[3],
        {.closes = *closes, .opens = e.parameterOr("voff", *closes), .initially = e.parameterOr("on", 0.) != 0.});
  }
  circuit.idealSwitch(e.name, e.nodes[0], e.nodes[1], gate, options);
}

// A channel of type p conducts below its threshold, and its body diode from drain to source.
void addMosfet(Circuit& circuit, const NetlistGates& gates, const NetlistElement& e) {
  const TransistorOptions options{.onResistance = e.parameterOr("ron", 0.),
                                  .diodeThreshold = e.parameterOr("vfwd", 0.),
                                  .diodeResistance = e.parameterOr("rd", 0.)};
  const std::string &drain = e.nodes[0], &gate = e.nodes[1], &source = e.nodes[2];
  const double threshold = e.parameterOr("vto", 0.);
  if (e.parameter("p")) {
    circuit.mosfet(e.name, source, drain, gateOf(gates, e, source, gate, -threshold), options);
  } else {
    circuit.mosfet(e.name, drain, source, gateOf(gates, e, gate, source, threshold), options);
  }
}

void addIgbt(Circuit& circuit, const NetlistGates& gates, const NetlistElement& e) {
  const TransistorOptions options{.threshold = e.parameterOr("vfwd", 0.),
                                  .onResistance = e.parameterOr("ron", 0.),
                                  .diodeThreshold = e.parameterOr("vd", 0.),
                                  .diodeResistance = e.parameterOr("rd", 0.)};
  circuit.igbt(e.name, e.nodes[0], e.nodes[2], gateOf(gates, e, e.nodes[1], e.nodes[2], e.parameterOr("vto", 0.)),
               options);
}

void addControlled(Circuit& circuit, const NetlistElement& e) {
  const std::string &a = e.nodes[0], &b = e.nodes[1];
  switch (e.kind) {
    case NetlistKind::voltageControlledVoltage:
      circuit.controlledSource(e.name, a, b, VoltageBetween{e.nodes[2], e.nodes[3]}, e.value);
      break;
    case NetlistKind::voltageControlledCurrent:
      circuit.controlledCurrentSource(e.name, a, b, VoltageBetween{e.nodes[2], e.nodes[3]}, e.value);
      break;
    case NetlistKind::currentControlledVoltage:
      circuit.controlledSource(e.name, a, b, CurrentOf{e.references[0]}, e.value);
      break;
    default:
      circuit.controlledCurrentSource(e.name, a, b, CurrentOf{e.references[0]}, e.value);
  }
}

void addPassive(Circuit& circuit, const NetlistElement& e, const InitialCurrents& currents) {
  const std::string &a = e.nodes[0], &b = e.nodes[1];
  const auto initial = e.parameter("ic");
  if (e.kind == NetlistKind::resistor) {
    circuit.resistor(e.name, a, b, e.value);
  } else if (e.kind == NetlistKind::inductor) {
    const auto told = currents.find(e.name);
    if (initial && told != currents.end() && *initial != told->second) {
      throw Error("Circuit element '" + e.name + "'",
                  "it starts at IC = " + toText(*initial) + " A, but .ic says " + toText(told->second) + " A.");
    }
    if (initial || told != currents.end()) {
      circuit.inductor(e.name, a, b, e.value, initial ? *initial : told->second);
    } else {
      circuit.inductor(e.name, a, b, e.value);
    }
  } else if (initial) {
    circuit.capacitor(e.name, a, b, e.value, *initial);
  } else {
    circuit.capacitor(e.name, a, b, e.value);
  }
}

void addElement(Circuit& circuit, const NetlistGates& gates, const NetlistElement& e, const InitialCurrents& currents) {
  switch (e.kind) {
    case NetlistKind::resistor:
    case NetlistKind::capacitor:
    case NetlistKind::inductor:
      return addPassive(circuit, e, currents);
    case NetlistKind::coupling:
      return circuit.coupling(e.name, e.references, e.value);
    case NetlistKind::voltageSource:
      return circuit.source(e.name, e.nodes[0], e.nodes[1], waveformOf(e.waveform));
    case NetlistKind::currentSource:
      return circuit.currentSource(e.name, e.nodes[0], e.nodes[1], waveformOf(e.waveform));
    case NetlistKind::diode:
      return addDiode(circuit, e);
    case NetlistKind::voltageSwitch:
      return addSwitch(circuit, gates, e);
    case NetlistKind::mosfet:
      return addMosfet(circuit, gates, e);
    case NetlistKind::igbt:
      return addIgbt(circuit, gates, e);
    case NetlistKind::thyristor:
      return circuit.thyristor(e.name, e.nodes[0], e.nodes[1],
                               gateOf(gates, e, e.nodes[2], e.nodes[3], e.parameterOr("vt", 0.5)),
                               {.threshold = e.parameterOr("vfwd", 0.), .resistance = e.parameterOr("ron", 0.)});
    case NetlistKind::opAmp:
      return circuit.opAmp(
          e.name, e.nodes[0], e.nodes[1], e.nodes[2],
          {.lowest = e.parameterOr("vmin", -endlessTime), .highest = e.parameterOr("vmax", endlessTime)});
    case NetlistKind::comparator:
      return circuit.comparator(e.name, e.nodes[0], e.nodes[1], e.nodes[2],
                                {.low = e.parameterOr("low", 0.),
                                 .high = e.parameterOr("high", 5.),
                                 .hysteresis = 2. * e.parameterOr("vh", 0.)});
    case NetlistKind::piecewiseLinear:
      return circuit.piecewiseLinear(e.name, e.nodes[0], e.nodes[1], {.points = pairsOf(e.waveform.values)});
    case NetlistKind::transformer:
      return circuit.transformer(e.name, e.nodes[0], e.nodes[1], e.nodes[2], e.nodes[3], e.parameterOr("ratio", 1.));
    default:
      return addControlled(circuit, e);
  }
}

// What Circuit says, with the line of the element.
template <class Action>
void atPlaceOf(const NetlistPlace& place, const std::string& element, const Action& action) {
  try {
    action();
  } catch (const NetlistError&) {
    throw;
  } catch (const Error& error) {
    throw NetlistError(NetlistFault::badValue, place, element, error.what());
  }
}

}  // namespace

Circuit circuitOf(const Netlist& netlist) {
  Circuit circuit;
  const NetlistGates gates(netlist);
  InitialCurrents currents;
  for (const NetlistInitialValue& initial : netlist.initialValues) {
    if (initial.signal.kind == NetlistSignal::Kind::current) currents[initial.signal.first] = initial.value;
  }
  // A coupling follows its inductors.
  for (const bool areCouplings : {false, true}) {
    for (const NetlistElement& e : netlist.elements) {
      if ((e.kind == NetlistKind::coupling) != areCouplings) continue;
      atPlaceOf(e.place, e.name, [&] { addElement(circuit, gates, e, currents); });
    }
  }
  for (const NetlistInitialValue& initial : netlist.initialValues) {
    if (initial.signal.kind != NetlistSignal::Kind::voltage) continue;
    atPlaceOf(initial.place, ".ic", [&] { circuit.startAt(initial.signal.first, initial.value); });
  }
  return circuit;
}

CircuitInstance insertNetlist(const Netlist& netlist, NonSmoothDynamicalSystem& model, const std::string& name) {
  const Circuit circuit = circuitOf(netlist);
  try {
    return circuit.insertInto(model, name);
  } catch (const Error& error) {
    const std::string reason = error.what();
    NetlistPlace place = netlist.elements.empty() ? netlist.place : netlist.elements.front().place;
    std::size_t first = std::string::npos;
    std::string element;
    for (const NetlistElement& e : netlist.elements) {
      const std::size_t at = reason.find("'" + e.name + "'");
      if (at >= first) continue;
      first = at;
      place = e.place;
      element = e.name;
    }
    throw NetlistError(NetlistFault::circuit, place, element, reason);
  }
}

}  // namespace delassus
