// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/circuits/netlist/NetlistCommands.hpp>
#include <delassus/kernel/circuits/netlist/NetlistElements.hpp>
#include <delassus/kernel/circuits/netlist/NetlistExpansion.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <unordered_map>

namespace delassus {
namespace {

std::size_t bytesOf(const NetlistElement& element) {
  std::size_t bytes = sizeof(NetlistElement) + 2 * element.name.size() + 40 * element.parameters.size();
  for (const std::string& node : element.nodes) bytes += sizeof(std::string) + node.size();
  for (const std::string& reference : element.references) bytes += sizeof(std::string) + reference.size();
  return bytes;
}

}  // namespace

Netlist NetlistExpansion::expand(const std::vector<std::pair<std::string, double>>& parameters) {
  for (const auto& [name, value] : parameters) whole_.scope.set(inLowerCase(name), value);
  defineParameters(whole_);
  for (const NetlistAssignment& one : whole_.block.parameters) {
    netlist_.parameters.emplace_back(one.name, *whole_.scope.find(one.name));
  }
  NetlistCommands commands(whole_, names_, netlist_);
  commands.readGlobals();
  addElements(whole_);
  findReferences();
  commands.read();
  netlist_.notes.assign(notes_.begin(), notes_.end());
  return std::move(netlist_);
}

// All of them are evaluated at once, so that a wrong one is told even if nothing uses it.
void NetlistExpansion::defineParameters(NetlistFrame& frame) {
  for (const NetlistAssignment& one : frame.block.defaults) {
    frame.scope.define(one.name, one.expression, one.place);
  }
  for (const NetlistAssignment& one : frame.block.parameters) {
    frame.scope.define(one.name, one.expression, one.place);
  }
  for (const NetlistAssignment& one : frame.block.defaults) frame.scope.find(one.name);
  for (const NetlistAssignment& one : frame.block.parameters) frame.scope.find(one.name);
}

void NetlistExpansion::addElements(NetlistFrame& frame) {
  for (const NetlistLine* line : frame.block.elements) {
    NetlistStatement statement(*line, frame.path);
    names_.charge(line->text.size(), statement);
    if (statement.head().front() == 'x' || statement.head().front() == 'X') {
      addInstance(statement, frame);
    } else {
      add(NetlistElementReader(statement, frame, names_, notes_).read(), statement);
    }
  }
}

// X NAME node … SUBCIRCUIT [params:] [name = value …]
void NetlistExpansion::addInstance(NetlistStatement& statement, NetlistFrame& frame) {
  std::vector<std::string_view> words;
  while (!statement.atEnd() && !statement.takeWord("params:") && !statement.atAssignment()) {
    words.push_back(statement.word("a node or a subcircuit"));
  }
  if (words.empty()) statement.fail(NetlistFault::wrongCount, "expected nodes and the name of a subcircuit.");
  const std::string name = inLowerCase(words.back());
  words.pop_back();
  const auto [block, owner] = frame.subcircuit(name);
  if (block != nullptr) {
    addSubcircuit(*block, *owner, statement, words, frame);
  } else if (NetlistElementReader::isDevice(name)) {
    add(NetlistElementReader(statement, frame, names_, notes_).readDevice(words, name), statement);
  } else {
    statement.fail(NetlistFault::missingModel, "there is no .subckt '" + name + "'.");
  }
}

void NetlistExpansion::addSubcircuit(const NetlistBlock& block, NetlistFrame& owner, NetlistStatement& statement,
                                     const std::vector<std::string_view>& nodes, NetlistFrame& caller) {
  requireNoRecursion(block, caller, statement);
  names_.addElement(statement.element(), statement);
  NetlistFrame frame(block, &owner, limits_.parameterDepth);
  frame.caller = &caller;
  frame.depth = caller.depth + 1;
  frame.path = statement.element() + ".";
  std::vector<NetlistAssignment> given;
  takeAssignments(statement, given);
  statement.requireEnd();
  connect(frame, nodes, caller, statement);
  for (const NetlistAssignment& one : given) {
    const auto isIt = [&](const NetlistAssignment& known) { return known.name == one.name; };
    if (std::none_of(block.defaults.begin(), block.defaults.end(), isIt)) {
      throw NetlistError(NetlistFault::unknownParameter, one.place, statement.element(),
                         "the subcircuit " + block.name + " has no parameter '" + one.name + "'.");
    }
    frame.scope.set(one.name, caller.scope.evaluate(one.expression, one.place, statement.element()));
  }
  for (const NetlistAssignment& one : block.parameters) names_.charge(one.expression.size() + 64, statement);
  for (const NetlistAssignment& one : block.defaults) names_.charge(one.expression.size() + 64, statement);
  defineParameters(frame);
  addElements(frame);
}

void NetlistExpansion::connect(NetlistFrame& frame, const std::vector<std::string_view>& nodes,
                               const NetlistFrame& caller, const NetlistStatement& statement) {
  const std::vector<std::string>& ports = frame.block.ports;
  if (nodes.size() != ports.size()) {
    statement.fail(NetlistFault::wrongCount, "expected " + std::to_string(ports.size()) + " nodes of the subcircuit " +
                                                 frame.block.name + ", got " + std::to_string(nodes.size()) + ".");
  }
  for (std::size_t k = 0; k < ports.size(); ++k) frame.ports[ports[k]] = names_.node(caller, nodes[k], statement);
}

void NetlistExpansion::requireNoRecursion(const NetlistBlock& block, const NetlistFrame& caller,
                                          const NetlistStatement& statement) {
  for (const NetlistFrame* frame = &caller; frame != nullptr; frame = frame->caller) {
    if (&frame->block == &block) {
      statement.fail(NetlistFault::recursion, "the subcircuit " + block.name + " contains itself.");
    }
  }
  if (caller.depth >= limits_.subcircuitDepth) {
    statement.fail(NetlistFault::limit,
                   "expected subcircuits at most " + std::to_string(limits_.subcircuitDepth) + " deep in each other.");
  }
}

void NetlistExpansion::add(NetlistElement element, const NetlistStatement& statement) {
  names_.addElement(element.name, statement);
  names_.charge(bytesOf(element), statement);
  netlist_.elements.push_back(std::move(element));
}

// Elements may refer to later ones.
void NetlistExpansion::findReferences() {
  std::unordered_map<std::string, const NetlistElement*> elements;
  for (const NetlistElement& element : netlist_.elements) {
    if (element.kind == NetlistKind::inductor || element.kind == NetlistKind::voltageSource) {
      elements.emplace(inLowerCase(element.name), &element);
    }
  }
  for (NetlistElement& element : netlist_.elements) {
    for (std::string& reference : element.references) {
      const auto found = elements.find(inLowerCase(reference));
      const bool isCoupling = element.kind == NetlistKind::coupling;
      const NetlistKind wanted = isCoupling ? NetlistKind::inductor : NetlistKind::voltageSource;
      if (found == elements.end() || found->second->kind != wanted) {
        throw NetlistError(
            NetlistFault::unknownName, element.place, element.name,
            "there is no " + std::string(isCoupling ? "inductor" : "voltage source") + " '" + reference + "'.");
      }
      reference = found->second->name;
    }
    auto sorted = element.references;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      throw NetlistError(NetlistFault::duplicate, element.place, element.name, "expected inductors that differ.");
    }
  }
}

}  // namespace delassus
