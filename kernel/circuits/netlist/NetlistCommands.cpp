// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <delassus/kernel/circuits/netlist/NetlistCommands.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>

namespace delassus {
namespace {

bool isMeasure(std::string_view directive) {
  return directive == ".meas" || directive == ".measure";
}

bool isOutput(std::string_view directive) {
  return directive == ".print" || directive == ".plot" || directive == ".save" || directive == ".probe";
}

std::optional<NetlistMeasure::Kind> measureKind(std::string_view word) {
  using Kind = NetlistMeasure::Kind;
  static constexpr std::array<std::pair<std::string_view, Kind>, 7> kinds{{{"avg", Kind::average},
                                                                           {"rms", Kind::rms},
                                                                           {"max", Kind::largest},
                                                                           {"min", Kind::smallest},
                                                                           {"pp", Kind::peakToPeak},
                                                                           {"integ", Kind::integral},
                                                                           {"integral", Kind::integral}}};
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == word; });
  return found == kinds.end() ? std::nullopt : std::optional<Kind>(found->second);
}

}  // namespace

void NetlistCommands::readGlobals() {
  for (const NetlistLine* line : whole_.block.commands) {
    NetlistStatement statement(*line);
    if (inLowerCase(statement.head()) != ".global") continue;
    while (!statement.atEnd()) names_.addGlobal(statement.word("a node"));
  }
}

void NetlistCommands::read() {
  for (const NetlistElement& element : netlist_.elements) {
    if (element.kind == NetlistKind::inductor) inductors_.insert(element.name);
  }
  for (const NetlistLine* line : whole_.block.commands) {
    NetlistStatement statement(*line);
    names_.charge(4 * line->text.size(), statement);
    readOne(statement);
  }
}

void NetlistCommands::readOne(NetlistStatement& statement) {
  const std::string directive = inLowerCase(statement.head());
  if (directive == ".global" || directive == ".step") return;
  if (directive == ".tran") {
    transient(statement);
  } else if (directive == ".ic") {
    initialValues(statement);
  } else if (isMeasure(directive)) {
    measure(statement);
  } else if (isOutput(directive)) {
    outputs(statement);
  } else {
    for (const std::string_view known :
         {".ac",    ".dc",   ".noise", ".tf",     ".four",    ".func",   ".lib",  ".disto",
          ".pz",    ".sens", ".net",   ".wave",   ".machine", ".if",     ".else", ".elseif",
          ".endif", ".data", ".alter", ".dcvolt", ".width",   ".csparam"}) {
      if (directive == known) statement.fail(NetlistFault::unsupported, "is not in the subset that is read.");
    }
    statement.fail(NetlistFault::unknownElement, "expected a directive, and this is none.");
  }
}

// .tran STEP END [START [LARGEST]] [UIC]
void NetlistCommands::transient(NetlistStatement& statement) {
  if (netlist_.transient) statement.fail(NetlistFault::duplicate, "expected one.");
  NetlistTransient t;
  t.place = statement.place();
  t.step = value(statement, "the step of output");
  t.end = value(statement, "the end of the run");
  const auto takesMore = [&] {
    t.usesInitialConditions = t.usesInitialConditions || statement.takeWord("uic");
    return !statement.atEnd() && !t.usesInitialConditions;
  };
  if (takesMore()) t.start = value(statement, "the start of output");
  if (takesMore()) t.largestStep = value(statement, "the largest step");
  takesMore();
  statement.requireEnd();
  if (!(t.step > 0. && t.end > t.start && t.start >= 0. && t.step <= t.end && t.largestStep >= 0.)) {
    statement.fail(NetlistFault::badValue, "expected 0 < step <= end and 0 <= start < end.");
  }
  netlist_.transient = t;
}

// .ic V(node) = value I(inductor) = value …
void NetlistCommands::initialValues(NetlistStatement& statement) {
  if (statement.atEnd()) statement.fail(NetlistFault::wrongCount, "expected V(node) = value or I(inductor) = value.");
  while (!statement.atEnd()) {
    NetlistInitialValue initial;
    initial.signal = signal(statement);
    initial.place = statement.place();
    if (initial.signal.second != "0" || initial.signal.first == "0") {
      statement.fail(NetlistFault::unsupported, "expected the voltage of one node against ground.");
    }
    statement.expect(NetlistToken::Kind::equals, "'='");
    initial.value = value(statement, "the value at the start");
    if (initial.signal.kind == NetlistSignal::Kind::current && !inductors_.contains(initial.signal.first)) {
      statement.fail(NetlistFault::unknownName, "there is no inductor '" + initial.signal.first + "'.");
    }
    netlist_.initialValues.push_back(std::move(initial));
  }
}

// .meas [tran] NAME KIND expression [from = t] [to = t]
void NetlistCommands::measure(NetlistStatement& statement) {
  statement.takeWord("tran");
  const std::string name(statement.word("the name of the measure"));
  const NetlistPlace place = statement.place();
  const std::string_view word = statement.word("AVG, RMS, MAX, MIN, PP or INTEG");
  const std::optional<NetlistMeasure::Kind> kind = measureKind(inLowerCase(word));
  if (!kind) {
    statement.fail(NetlistFault::unsupported,
                   "expected AVG, RMS, MAX, MIN, PP or INTEG, got '" + std::string(word.substr(0, 40)) + "'.");
  }
  if (!measures_.insert(inLowerCase(name)).second) {
    statement.fail(NetlistFault::duplicate, "there is a measure '" + name + "' before it.");
  }
  names_.charge(sizeof(NetlistMeasure) + 128, statement);
  std::size_t count = 0;
  const auto isBorder = [&] {
    const std::string next = inLowerCase(statement.peek(count).text);
    return (next == "from" || next == "to") && statement.peek(count + 1).kind == NetlistToken::Kind::equals;
  };
  while (count < statement.left() && !isBorder()) ++count;
  const bool isOnePiece = count == 1 && statement.peek().kind != NetlistToken::Kind::word;
  const std::string_view text = isOnePiece ? statement.peek().text : statement.textOf(count);
  if (text.empty()) statement.fail(NetlistFault::wrongCount, "expected an expression of V(…) and I(…).");
  statement.skip(count);
  NetlistExpression expression(
      text, [this](const std::string& parameter) { return whole_.scope.find(parameter); }, true, place,
      ".meas " + name);
  for (NetlistSignal& one : expression.signals()) one = spelled(one, statement);
  NetlistMeasure measure{*kind, name, std::move(expression), std::nullopt, std::nullopt, place};
  while (statement.atAssignment()) {
    const bool isFrom = inLowerCase(statement.word("FROM or TO")) == "from";
    statement.expect(NetlistToken::Kind::equals, "'='");
    std::optional<double>& border = isFrom ? measure.from : measure.to;
    if (border) statement.fail(NetlistFault::duplicate, "expected FROM and TO once.");
    border = value(statement, "an instant");
  }
  statement.requireEnd();
  if (measure.from && measure.to && *measure.from >= *measure.to) {
    statement.fail(NetlistFault::badValue, "expected FROM before TO.");
  }
  netlist_.measures.push_back(std::move(measure));
}

// .print [tran] V(node) V(node, node) I(element) …
void NetlistCommands::outputs(NetlistStatement& statement) {
  statement.takeWord("tran");
  while (!statement.atEnd()) {
    NetlistSignal found = signal(statement);
    names_.charge(sizeof(NetlistSignal) + 128, statement);
    if (outputs_.insert(found.text()).second) netlist_.outputs.push_back(std::move(found));
  }
}

NetlistSignal NetlistCommands::signal(NetlistStatement& statement) {
  const std::string letter = inLowerCase(statement.word("V(…) or I(…)"));
  if (letter != "v" && letter != "i") {
    statement.fail(NetlistFault::syntax, "expected V(…) or I(…), got '" + letter.substr(0, 40) + "'.");
  }
  statement.expect(NetlistToken::Kind::open, "'('");
  NetlistSignal found;
  found.kind = letter == "v" ? NetlistSignal::Kind::voltage : NetlistSignal::Kind::current;
  found.first = statement.word("a name");
  found.second = "0";
  if (letter == "v" && statement.peek().kind == NetlistToken::Kind::word && !statement.atEnd()) {
    found.second = statement.word("a node");
  }
  statement.expect(NetlistToken::Kind::close, "')'");
  return spelled(found, statement);
}

NetlistSignal NetlistCommands::spelled(const NetlistSignal& signal, const NetlistStatement& statement) const {
  const auto known = [&](const std::string& name, bool isNode) {
    if (const auto found = isNode ? names_.knownNode(name) : names_.knownElement(name)) return *found;
    statement.fail(NetlistFault::unknownName,
                   "there is no " + std::string(isNode ? "node" : "element") + " '" + name.substr(0, 40) + "'.");
  };
  if (signal.kind == NetlistSignal::Kind::current) return {signal.kind, known(signal.first, false), "0"};
  return {signal.kind, known(signal.first, true), known(signal.second, true)};
}

double NetlistCommands::value(NetlistStatement& statement, std::string_view what) {
  const std::string_view text = statement.expression(what);
  return whole_.scope.evaluate(text, statement.place(), statement.element());
}

}  // namespace delassus
