// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitEquations.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

CircuitEquations::CircuitEquations(const CircuitNet& net, std::string label, double t0)
    : net_(net), label_(std::move(label)), branches_(net.branches()) {
  resolveControls();
  requireTerminals();
  requireInductances();
  chooseTree();
  for (;;) {
    const std::size_t before = amplifierRows_.size();
    nameVariables();
    makeForms();
    eliminateUnknowns();
    // An amplifier whose output is not determined by the resistive part gets a row, and all is done again.
    if (amplifierRows_.size() == before) break;
  }
  findExcess();
  reduceStates();
  findInitialValues(t0);
  makeRows();
}

void CircuitEquations::resolveControls() {
  for (const CircuitBranch& branch : branches_) {
    if (branch.controlElement.empty()) continue;
    const std::size_t element = net_.findElement(branch.controlElement);
    if (element != CircuitBranch::none) continue;
    throw Error(label_, "the controlled source '" + net_.elements()[branch.element].name +
                            "' looks at the current of '" + branch.controlElement + "', which is no element.");
  }
}

// A node at which one element ends carries no current: that is meant where a control input looks at its voltage, and
// that follows without a current; and of a voltage source, which may drive gates whose instants are known.
void CircuitEquations::requireTerminals() const {
  if (branches_.empty()) throw Error(label_, "the circuit has no elements.");
  std::vector<std::vector<std::size_t>> at(net_.nodes());
  std::vector<char> isLookedAt(net_.nodes());
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    for (const std::size_t node : {branches_[k].a, branches_[k].b}) {
      if (branches_[k].kind == Kind::open) {
        isLookedAt[node] = 1;
      } else {
        at[node].push_back(k);
      }
    }
  }
  for (const auto& [node, voltage] : net_.starts()) {
    if (node == 0 || !at[node].empty() || isLookedAt[node] != 0) continue;
    throw Error(label_, "node '" + net_.nodeName(node) + "' starts at " + toText(voltage) +
                            " V, but no element is at a node of this name.");
  }
  for (std::size_t node = 0; node < at.size(); ++node) {
    if (at[node].size() != 1) continue;
    const std::size_t only = at[node].front();
    if (branches_[only].kind == Kind::source) continue;
    if (isLookedAt[node] != 0 && branches_[only].kind != Kind::port) continue;
    throw Error(label_, "node '" + net_.nodeName(node) + "' has one element alone, '" + net_.nameOf(only) +
                            "', whose current has no way back.");
  }
}

std::string CircuitEquations::stateName(std::size_t state) const {
  const std::size_t branch = states_[state].branch;
  return (branches_[branch].kind == Kind::capacitor ? "v(" : "i(") + net_.nameOf(branch) + ")";
}

std::size_t CircuitEquations::addRow(std::size_t branch, double lower, double upper, const std::string& name) {
  rows_.push_back(
      {.branch = branch, .lower = lower, .upper = upper, .gate = branches_[branch].gate, .output = {}, .name = name});
  return rows_.size() - 1;
}

// The own variable of each branch: voltage in the tree, current of a link.
void CircuitEquations::nameVariables() {
  const std::size_t count = branches_.size();
  own_.assign(count, {});
  for (auto* const numbers : {&unknownOf_, &stateOf_, &excessOf_}) numbers->assign(count, CircuitBranch::none);
  unknowns_.clear();
  excess_.clear();
  states_.clear();
  rows_.clear();
  const auto name = [this](std::size_t k, Symbol symbol, std::vector<std::size_t>& numbers, std::size_t number) {
    numbers[k] = number;
    own_[k] = LinearForm({symbol, number}, 1.);
  };
  const auto nameUnknown = [&](std::size_t k) {
    name(k, Symbol::unknown, unknownOf_, unknowns_.size());
    unknowns_.push_back(k);
  };
  for (std::size_t k = 0; k < count; ++k) {
    const CircuitBranch& branch = branches_[k];
    switch (branch.kind) {
      case Kind::source:
      case Kind::currentSource:
        own_[k] = LinearForm({Symbol::source, branch.number}, 1.);
        break;
      case Kind::amplifier: {
        const bool hasRow = std::isfinite(branch.lower) || std::isfinite(branch.upper) ||
                            std::find(amplifierRows_.begin(), amplifierRows_.end(), k) != amplifierRows_.end();
        if (hasRow) {
          const std::size_t row = addRow(k, branch.lower, branch.upper, "v(" + net_.nameOf(k) + ")");
          own_[k] = LinearForm({Symbol::multiplier, row}, 1.);
        } else {
          nameUnknown(k);
        }
        break;
      }
      case Kind::resistor:
      case Kind::dependentVoltage:
      case Kind::dependentCurrent:
        nameUnknown(k);
        break;
      case Kind::capacitor:
      case Kind::inductor:
        if (tree_->contains(k) == (branch.kind == Kind::capacitor)) {
          name(k, Symbol::state, stateOf_, states_.size());
          states_.push_back({.branch = k, .initial = 0., .rate = {}});
        } else {
          name(k, Symbol::excess, excessOf_, excess_.size());
          excess_.push_back(k);
        }
        break;
      case Kind::port:
        namePort(k);
        break;
      case Kind::curve:
        nameCurve(k);
        break;
      case Kind::open:
        break;
    }
  }
}

// i = λ of a link and v = −λ in the tree, with a second multiplier where a gate frees what λ ≥ 0 would hold.
void CircuitEquations::namePort(std::size_t k) {
  const bool inTree = tree_->contains(k);
  const double sign = inTree ? -1. : 1.;
  const std::string name = (inTree ? "v(" : "i(") + net_.nameOf(k) + ")";
  const auto add = [&](double lower, double factor) {
    const std::size_t row = addRow(k, lower, infinity, (factor < 0. ? "-" : "") + name);
    own_[k].add({Symbol::multiplier, row}, factor);
  };
  switch (branches_[k].port) {
    case CircuitBranch::Port::diode:
      add(0., sign);
      break;
    case CircuitBranch::Port::onOff:
      add(-infinity, sign);
      break;
    case CircuitBranch::Port::gatedDiode:
      add(0., sign);
      if (inTree) add(-infinity, sign);
      break;
    case CircuitBranch::Port::reverseDiode:
      add(0., -sign);
      if (!inTree) add(-infinity, sign);
      break;
  }
}

// One multiplier max(v − vₖ, 0) a corner.
void CircuitEquations::nameCurve(std::size_t k) {
  for (const auto& [voltage, change] : branches_[k].corners) {
    const std::size_t row = addRow(k, 0., infinity, "max(v(" + net_.nameOf(k) + ")-" + toText(voltage) + ",0)");
    own_[k].add({Symbol::multiplier, row}, change);
  }
}

LinearForm CircuitEquations::sumOfCurrents(std::size_t element) const {
  LinearForm sum;
  for (const auto& [branch, sign] : net_.elements()[element].current) sum.add(current_[branch], sign);
  return sum;
}

LinearForm CircuitEquations::controlOf(const CircuitBranch& branch) const {
  if (!branch.controlElement.empty()) return sumOfCurrents(net_.findElement(branch.controlElement));
  return branch.byCurrent ? current_[branch.control] : voltage_[branch.control];
}

LinearForm CircuitEquations::resolved(const LinearForm& form) const {
  return form.replacing(Symbol::unknown, solved_).replacing(Symbol::excess, excessFlow_);
}

void CircuitEquations::makeRows() {
  for (std::size_t row = 0; row < rows_.size();) {
    const std::size_t k = rows_[row].branch;
    const CircuitBranch& branch = branches_[k];
    if (branch.kind == Kind::amplifier) {
      rows_[row].output[0].add(resolved(controlOf(branch)), -1.);
      ++row;
    } else if (branch.kind == Kind::curve) {
      for (const auto& [voltage, change] : branch.corners) {
        LinearForm& y = rows_[row].output[0];
        y.add({Symbol::multiplier, row}, 1.);
        y.add(resolved(voltage_[k]), -1.);
        // The threshold is that of a constant source.
        y.add({Symbol::source, net_.unitSource()}, voltage);
        ++row;
      }
    } else {
      makePortRows(k, row);
    }
  }
}

void CircuitEquations::makePortRows(std::size_t k, std::size_t& row) {
  const bool inTree = tree_->contains(k);
  // The variable that is not the port's own, with the sign of a diode's: its current, or what blocks it.
  LinearForm other = resolved(inTree ? current_[k] : voltage_[k]);
  if (!inTree) other.scale(-1.);
  LinearForm reverse = other;
  reverse.scale(-1.);
  const auto itself = [&](std::size_t number) { return LinearForm({Symbol::multiplier, number}, 1.); };
  const auto put = [&](const LinearForm& off, const LinearForm& on) { rows_[row++].output = {off, on}; };
  switch (branches_[k].port) {
    case CircuitBranch::Port::diode:
      put(other, {});
      break;
    case CircuitBranch::Port::onOff:
      if (inTree) {
        put(other, itself(row));
      } else {
        put(itself(row), other);
      }
      break;
    case CircuitBranch::Port::gatedDiode:
      put(itself(row), other);
      if (inTree) put(other, itself(row));
      break;
    case CircuitBranch::Port::reverseDiode:
      put(reverse, itself(row));
      if (!inTree) put(itself(row), other);
      break;
  }
}

LinearForm CircuitEquations::voltageBetween(std::size_t plus, std::size_t minus) const {
  LinearForm sum;
  for (const NormalTree::Step& step : tree_->path(plus, minus)) sum.add(own_[step.branch], step.sign);
  return resolved(sum);
}

LinearForm CircuitEquations::nodeVoltage(std::size_t node) const {
  return voltageBetween(node, tree_->root(node));
}

LinearForm CircuitEquations::current(std::size_t branch) const {
  return resolved(current_[branch]);
}

LinearForm CircuitEquations::elementCurrent(std::size_t element) const {
  return resolved(sumOfCurrents(element));
}

}  // namespace delassus
