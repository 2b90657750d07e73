// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistElements.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>

namespace delassus {
namespace {

std::optional<double> valueOf(const std::vector<std::pair<std::string, double>>& parameters, std::string_view wanted) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == wanted; });
  return found == parameters.end() ? std::nullopt : std::optional<double>(found->second);
}

}  // namespace

std::optional<double> Netlist::parameter(std::string_view wanted) const {
  return valueOf(parameters, wanted);
}

std::optional<double> NetlistElement::parameter(std::string_view wanted) const {
  return valueOf(parameters, wanted);
}

NetlistElement NetlistElementReader::read() {
  switch (inLowerCase(statement_.head()).front()) {
    case 'r':
      twoTerminal(NetlistKind::resistor, "r");
      if (element_.value == 0.) statement_.fail(NetlistFault::badValue, "expected a resistance that is not 0.");
      break;
    case 'c':
      twoTerminal(NetlistKind::capacitor, "c");
      requirePositive(element_.value, "a capacitance");
      break;
    case 'l':
      twoTerminal(NetlistKind::inductor, "l");
      requirePositive(element_.value, "an inductance");
      break;
    case 'k':
      coupling();
      break;
    case 'v':
      independentSource(NetlistKind::voltageSource);
      break;
    case 'i':
      independentSource(NetlistKind::currentSource);
      break;
    case 'e':
      voltageControlled(NetlistKind::voltageControlledVoltage);
      break;
    case 'g':
      voltageControlled(NetlistKind::voltageControlledCurrent);
      break;
    case 'f':
      currentControlled(NetlistKind::currentControlledCurrent);
      break;
    case 'h':
      currentControlled(NetlistKind::currentControlledVoltage);
      break;
    case 'd':
      diode();
      break;
    case 's':
      voltageSwitch();
      break;
    case 'm':
      mosfet();
      break;
    case 'z':
      igbt();
      break;
    default:
      statement_.fail(NetlistFault::unknownElement,
                      "expected an element R, C, L, K, V, I, E, F, G, H, D, S, M, Z or X by its first letter.");
  }
  statement_.requireEnd();
  return std::move(element_);
}

void NetlistElementReader::start(NetlistKind kind) {
  element_.kind = kind;
  element_.name = statement_.element();
  element_.place = statement_.place();
}

void NetlistElementReader::twoTerminal(NetlistKind kind, std::string_view valueName) {
  start(kind);
  nodes(2);
  if (statement_.atAssignment() && inLowerCase(statement_.peek().text) == valueName) statement_.skip(2);
  element_.value = value("its value");
  if (kind != NetlistKind::resistor) assigned({"ic"});
}

void NetlistElementReader::coupling() {
  start(NetlistKind::coupling);
  if (statement_.left() < 3) {
    statement_.fail(NetlistFault::wrongCount, "expected two or more inductors and a coefficient.");
  }
  while (statement_.left() > 1) reference(statement_.word("an inductor"));
  element_.value = value("its coefficient");
  if (!(std::abs(element_.value) < 1.)) {
    statement_.fail(NetlistFault::badValue, "expected a coefficient between -1 and 1, got " + toText(element_.value) +
                                                " (TRANSFORMER is an ideal one).");
  }
}

void NetlistElementReader::independentSource(NetlistKind kind) {
  start(kind);
  nodes(2);
  waveform();
}

void NetlistElementReader::voltageControlled(NetlistKind kind) {
  start(kind);
  nodes(2);
  if (kind == NetlistKind::voltageControlledCurrent && statement_.takeWord("table")) return table();
  for (const std::string_view form : {"value", "table", "poly", "laplace"}) {
    if (statement_.takeWord(form)) {
      statement_.fail(NetlistFault::unsupported, "expected two nodes of the control and a gain, got '" +
                                                     std::string(form) + "', which is not in the subset.");
    }
  }
  nodes(2);
  element_.value = value("its gain");
}

void NetlistElementReader::currentControlled(NetlistKind kind) {
  start(kind);
  nodes(2);
  reference(statement_.word("the voltage source whose current it follows"));
  element_.value = value("its gain");
}

// G a b TABLE {V(a,b)} = (v, i) (v, i) …: a conductance by straight lines.
void NetlistElementReader::table() {
  element_.kind = NetlistKind::piecewiseLinear;
  const std::string_view control = statement_.expression("the voltage in braces");
  const NetlistExpression voltage(control, {}, true, statement_.place(), statement_.element());
  const auto isOwn = [&](const NetlistSignal& signal) {
    return signal.kind == NetlistSignal::Kind::voltage &&
           names_.node(frame_, signal.first, statement_) == element_.nodes[0] &&
           names_.node(frame_, signal.second, statement_) == element_.nodes[1];
  };
  if (!voltage.isSignal() || !isOwn(voltage.signals().front())) {
    statement_.fail(NetlistFault::unsupported,
                    "expected the voltage between its own nodes in braces, got '" + std::string(control) + "'.");
  }
  statement_.expect(NetlistToken::Kind::equals, "'='");
  values("the points of its table", 2, std::string::npos);
  lineValues();
}

void NetlistElementReader::diode() {
  start(NetlistKind::diode);
  nodes(2);
  model({"d"}, {"vfwd", "ron", "rs", "roff", "bv", "vrev", "inom", "is", "n"},
        {"cjo",       "cj0",  "cj",  "tt",  "m",    "mj",   "vj",      "eg",         "xti",
         "ibv",       "nbv",  "kf",  "af",  "fc",   "tnom", "epsilon", "revepsilon", "ilimit",
         "revilimit", "iave", "vpk", "mfg", "type", "isr",  "nr",      "ikf"});
  thresholdOfDiode();
  requireNotNegative({"vfwd", "ron", "roff"});
}

// Of a model with an exponential the voltage at the current INOM; a series resistance RS is RON.
void NetlistElementReader::thresholdOfDiode() {
  constexpr double thermalVoltage = 8.617333262e-5 * 300.15;  // V, at SPICE's 27 °C
  const double saturation = element_.parameterOr("is", 1e-14), emission = element_.parameterOr("n", 1.);
  if (const auto nominal = element_.parameter("inom"); nominal && !element_.parameter("vfwd")) {
    requirePositive(*nominal, "INOM");
    requirePositive(saturation, "IS");
    requirePositive(emission, "N");
    parameter("vfwd", emission * thermalVoltage * std::log1p(*nominal / saturation));
  }
  if ((element_.parameter("is") || element_.parameter("n")) && !element_.parameter("vfwd")) {
    notes_.insert(modelLabel_ + ": no threshold: IS and N count with INOM, the current at which it is taken, only.");
  }
  if (const auto series = element_.parameter("rs"); series && !element_.parameter("ron")) parameter("ron", *series);
  if (const auto reverse = element_.parameter("vrev"); reverse && !element_.parameter("bv")) parameter("bv", *reverse);
  if (const auto breakdown = element_.parameter("bv")) requirePositive(*breakdown, "BV");
}

void NetlistElementReader::voltageSwitch() {
  start(NetlistKind::voltageSwitch);
  nodes(4);
  model({"sw", "vswitch"}, {"vt", "vh", "ron", "roff", "von", "voff"}, {});
  const auto closes = element_.parameter("von"), opens = element_.parameter("voff");
  if (closes.has_value() != opens.has_value() || (closes && element_.parameter("vt"))) {
    statement_.fail(NetlistFault::badValue, "expected VT and VH, or VON and VOFF, in its model.");
  }
  requireNotNegative({"vh", "ron", "roff"});
  if (statement_.takeWord("on")) {
    parameter("on", 1.);
  } else if (statement_.takeWord("off")) {
    parameter("on", 0.);
  }
}

void NetlistElementReader::mosfet() {
  start(NetlistKind::mosfet);
  nodes(3);
  if (statement_.left() > 1) {
    const std::string body = names_.node(frame_, statement_.word("its body"), statement_);
    if (body != element_.nodes[2]) statement_.fail(NetlistFault::unsupported, "expected its body at its source.");
  }
  const std::string type = model({"nmos", "pmos"}, {"vto", "vt0", "vh", "ron", "vfwd", "rd"}, {});
  if (const auto threshold = element_.parameter("vt0")) parameter("vto", *threshold);
  if (type == "pmos") parameter("p", 1.);
  requireNotNegative({"vh", "ron", "vfwd", "rd"});
}

void NetlistElementReader::igbt() {
  start(NetlistKind::igbt);
  nodes(3);
  model({"nigbt", "igbt"}, {"vto", "vh", "ron", "vfwd", "vd", "rd"}, {});
  requireNotNegative({"vh", "ron", "vfwd", "vd", "rd"});
}

void NetlistElementReader::nodes(std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    element_.nodes.push_back(names_.node(frame_, statement_.word("a node"), statement_));
  }
}

void NetlistElementReader::reference(std::string_view word) {
  element_.references.push_back(frame_.path + std::string(word));
}

double NetlistElementReader::value(std::string_view what) {
  const NetlistToken& token = statement_.take(what);
  if (token.kind == NetlistToken::Kind::expression || token.kind == NetlistToken::Kind::quoted) {
    return frame_.scope.evaluate(token.text, statement_.place(), statement_.element());
  }
  const std::optional<double> number =
      token.kind == NetlistToken::Kind::word ? netlistNumber(token.text) : std::nullopt;
  if (number) return *number;
  statement_.fail(NetlistFault::number, "expected " + std::string(what) +
                                            ", a number or an expression in braces, got '" +
                                            std::string(token.text.substr(0, 40)) + "'.");
}

// name = value, of names that are known.
void NetlistElementReader::assigned(std::initializer_list<std::string_view> known) {
  std::vector<NetlistAssignment> taken;
  takeAssignments(statement_, taken);
  for (const NetlistAssignment& one : taken) {
    if (std::find(known.begin(), known.end(), one.name) == known.end()) {
      throw NetlistError(NetlistFault::unknownParameter, one.place, element_.name,
                         "has no parameter '" + one.name + "'.");
    }
    if (element_.parameter(one.name)) {
      throw NetlistError(NetlistFault::duplicate, one.place, element_.name, "'" + one.name + "' was given before.");
    }
    parameter(one.name, frame_.scope.evaluate(one.expression, one.place, element_.name));
  }
}

void NetlistElementReader::requireNotNegative(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (element_.parameterOr(name, 0.) >= 0.) continue;
    statement_.fail(NetlistFault::badValue, "expected '" + std::string(name) + "' not below 0, got " +
                                                toText(element_.parameterOr(name, 0.)) + ".");
  }
}

void NetlistElementReader::requirePositive(double value, std::string_view what) const {
  if (value > 0.) return;
  statement_.fail(NetlistFault::badValue, "expected " + std::string(what) + " above 0, got " + toText(value) + ".");
}

}  // namespace delassus
