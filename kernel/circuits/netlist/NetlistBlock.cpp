// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <delassus/kernel/circuits/netlist/NetlistBlock.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>

namespace delassus {
namespace {

// Directives of SPICE programs that change nothing here.
constexpr std::array<std::string_view, 7> idleDirectives{".option", ".options", ".backanno", ".temp",
                                                         ".title",  ".op",      ".nodeset"};

class BlockSorter {
 public:
  BlockSorter(NetlistBlock& outermost, const NetlistLimits& limits, std::vector<std::string>& notes)
      : limits_(limits), notes_(notes) {
    open_.push_back(&outermost);
  }

  void add(const NetlistLine& line) {
    if (!line.text.starts_with('.')) {
      block().elements.push_back(&line);
      return;
    }
    NetlistStatement statement(line);
    const std::string directive = inLowerCase(statement.head());
    if (directive == ".subckt") {
      openBlock(statement);
    } else if (directive == ".ends") {
      closeBlock(statement);
    } else if (directive == ".param" || directive == ".params" || directive == ".parameters") {
      takeAssignments(statement, block().parameters);
      statement.requireEnd();
    } else if (directive == ".model") {
      addModel(statement);
    } else if (std::find(idleDirectives.begin(), idleDirectives.end(), directive) != idleDirectives.end()) {
      notes_.push_back(line.place.text() + ": " + directive + " has no effect.");
    } else {
      addCommand(line, statement);
    }
  }

  void finish() const {
    if (open_.size() == 1) return;
    throw NetlistError(NetlistFault::syntax, block().place, ".subckt " + block().name, "no .ends ends it.");
  }

 private:
  NetlistBlock& block() const { return *open_.back(); }

  void openBlock(NetlistStatement& statement) {
    auto made = std::make_unique<NetlistBlock>();
    made->name = statement.word("the name of the subcircuit");
    made->place = statement.place();
    while (!statement.atEnd() && !statement.takeWord("params:") && !statement.atAssignment()) {
      std::string port = inLowerCase(statement.word("a node"));
      if (port == "0" || port == "gnd" ||
          std::find(made->ports.begin(), made->ports.end(), port) != made->ports.end()) {
        statement.fail(NetlistFault::duplicate, "expected nodes that differ, and not ground, got '" + port + "'.");
      }
      made->ports.push_back(std::move(port));
    }
    takeAssignments(statement, made->defaults);
    statement.requireEnd();
    if (open_.size() > limits_.subcircuitDepth) {
      statement.fail(NetlistFault::limit, "expected definitions at most " + std::to_string(limits_.subcircuitDepth) +
                                              " deep in each other.");
    }
    auto& place = block().blocks[inLowerCase(made->name)];
    if (place) {
      statement.fail(NetlistFault::duplicate, "'" + made->name + "' is defined at " + place->place.text() + ", too.");
    }
    place = std::move(made);
    open_.push_back(place.get());
  }

  void closeBlock(NetlistStatement& statement) {
    if (open_.size() == 1) statement.fail(NetlistFault::syntax, "there is no .subckt that it ends.");
    if (!statement.atEnd() && !statement.takeWord(inLowerCase(block().name))) {
      statement.fail(NetlistFault::syntax, "expected '" + block().name + "', which is open, got '" +
                                               std::string(statement.peek().text.substr(0, 40)) + "'.");
    }
    statement.requireEnd();
    open_.pop_back();
  }

  void addModel(NetlistStatement& statement) {
    const std::string name = inLowerCase(statement.word("the name of the model"));
    NetlistModel model;
    model.place = statement.place();
    model.type = inLowerCase(statement.word("the type of the model"));
    const bool hasParentheses = statement.takeKind(NetlistToken::Kind::open);
    takeAssignments(statement, model.parameters);
    if (hasParentheses) statement.expect(NetlistToken::Kind::close, "name = value or ')'");
    statement.requireEnd();
    const auto [found, isNew] = block().models.try_emplace(name, std::move(model));
    if (!isNew) {
      statement.fail(NetlistFault::duplicate, "'" + name + "' is defined at " + found->second.place.text() + ", too.");
    }
  }

  void addCommand(const NetlistLine& line, const NetlistStatement& statement) {
    if (open_.size() > 1) {
      statement.fail(NetlistFault::unsupported, "stands in the subcircuit " + block().name + ", expected it outside.");
    }
    block().commands.push_back(&line);
  }

  const NetlistLimits& limits_;
  std::vector<std::string>& notes_;
  std::vector<NetlistBlock*> open_;
};

}  // namespace

NetlistBlock NetlistBlock::of(const NetlistText& text, const NetlistLimits& limits, std::vector<std::string>& notes) {
  NetlistBlock outermost;
  BlockSorter sorter(outermost, limits, notes);
  for (const NetlistLine& line : text.lines()) sorter.add(line);
  sorter.finish();
  return outermost;
}

void takeAssignments(NetlistStatement& statement, std::vector<NetlistAssignment>& assignments) {
  while (statement.atAssignment()) {
    NetlistAssignment taken{inLowerCase(statement.word("a name")), {}, statement.place()};
    statement.expect(NetlistToken::Kind::equals, "'='");
    taken.expression = statement.expression("the value of " + taken.name);
    assignments.push_back(std::move(taken));
  }
}

}  // namespace delassus
