// SPDX-License-Identifier: Apache-2.0
//
// The part of CircuitEquations that solves for what is no state: unknowns of the resistive part, and excess of
// capacitors and inductors.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/CircuitEquations.hpp>
#include <delassus/kernel/circuits/FormSystem.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <utility>

namespace delassus {
namespace {

using Numbers = std::vector<std::size_t>;

// Rows and symbols of one kind, one as many as the other, in groups that do not share symbols.
std::vector<Numbers> groupsOf(const std::vector<LinearForm>& rows, CircuitSymbol::Kind kind) {
  Numbers group;
  DisjointSets sets(group, rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const LinearForm::Term& term : rows[row].terms()) {
      if (term.symbol.kind == kind) sets.join(row, term.symbol.index);
    }
  }
  std::vector<Numbers> groups(sets.number());
  for (std::size_t row = 0; row < rows.size(); ++row) groups[group[row]].push_back(row);
  return groups;
}

}  // namespace

// The equation of a resistor, a controlled source or an amplifier without limits, as a form that is zero.
LinearForm CircuitEquations::equationOf(std::size_t k) const {
  const CircuitBranch& branch = branches_[k];
  LinearForm form;
  if (branch.kind == Kind::resistor) {
    // v − R i in the tree, i − v/R of a link: the own variable has the coefficient 1.
    const bool inTree = tree_->contains(k);
    form.add(own_[k]);
    form.add(inTree ? current_[k] : voltage_[k], inTree ? -branch.value : -1. / branch.value);
  } else if (branch.kind == Kind::amplifier) {
    form.add(controlOf(branch));
  } else {
    form.add(own_[k]);
    form.add(controlOf(branch), -branch.value);
  }
  return form;
}

void CircuitEquations::eliminateUnknowns() {
  std::vector<LinearForm> equations;
  equations.reserve(unknowns_.size());
  for (const std::size_t branch : unknowns_) equations.push_back(equationOf(branch));
  solved_.assign(unknowns_.size(), {});
  Numbers place(unknowns_.size());
  for (const Numbers& group : groupsOf(equations, Symbol::unknown)) solveUnknowns(group, equations, place);
}

void CircuitEquations::solveUnknowns(const Numbers& group, const std::vector<LinearForm>& equations, Numbers& place) {
  const std::size_t n = group.size();
  FormSystem system(n);
  std::vector<LinearForm> forms(n);
  for (std::size_t j = 0; j < n; ++j) place[group[j]] = j;
  for (std::size_t i = 0; i < n; ++i) {
    for (const LinearForm::Term& term : equations[group[i]].terms()) {
      if (term.symbol.kind == Symbol::unknown) system.set(i, place[term.symbol.index], term.value);
    }
    forms[i].add(equations[group[i]].without(Symbol::unknown), -1.);
  }
  if (!system.solve(forms)) {
    Numbers branches;
    std::size_t added = 0;
    for (const std::size_t unknown : group) {
      branches.push_back(unknowns_[unknown]);
      if (branches_[unknowns_[unknown]].kind != Kind::amplifier) continue;
      amplifierRows_.push_back(unknowns_[unknown]);
      ++added;
    }
    if (added > 0) return;
    throw Error(label_, "the equations of " + names(branches) +
                            " do not determine their voltages and currents: they contradict each other, or say the "
                            "same.");
  }
  for (std::size_t i = 0; i < n; ++i) solved_[group[i]] = std::move(forms[i]);
}

// A link with its way in the tree.
Numbers CircuitEquations::loopOf(std::size_t link) const {
  Numbers loop{link};
  for (const NormalTree::Step& step : tree_->path(branches_[link].a, branches_[link].b)) loop.push_back(step.branch);
  return loop;
}

// A branch of the tree with the links whose way it is on.
Numbers CircuitEquations::cutSetOf(std::size_t branch) const {
  Numbers cutSet{branch};
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    if (tree_->contains(k)) continue;
    const Numbers loop = loopOf(k);
    if (std::find(loop.begin(), loop.end(), branch) != loop.end()) cutSet.push_back(k);
  }
  return cutSet;
}

// The voltage of a capacitor that is a link, and the current of an inductor in the tree, out of states and sources.
void CircuitEquations::findExcess() {
  excessValue_.assign(excess_.size(), {});
  for (std::size_t e = 0; e < excess_.size(); ++e) {
    const std::size_t k = excess_[e];
    const bool isCapacitor = branches_[k].kind == Kind::capacitor;
    LinearForm value = (isCapacitor ? voltage_ : current_)[k].replacing(Symbol::unknown, solved_);
    const auto with = [&] { return names(isCapacitor ? loopOf(k) : cutSetOf(k)); };
    if (value.has(Symbol::multiplier) || value.has(Symbol::excess)) {
      throw Error(label_, (isCapacitor ? "the voltage of capacitor " : "the current of inductor ") + names({k}) +
                              " is forced by elements that switch or are controlled (" + with() +
                              "), so that it would have to jump with them; a small resistance " +
                              (isCapacitor ? "in series lets it follow." : "in parallel lets it follow."));
    }
    for (const LinearForm::Term& term : value.terms()) {
      if (term.symbol.kind != Symbol::source || !jumps(term.symbol.index)) continue;
      throw Error(label_, (isCapacitor ? "the loop of capacitors and voltage sources "
                                       : "the cut set of inductors and current sources ") +
                              with() + " has a source that jumps, which takes an infinite " +
                              (isCapacitor ? "current; a resistor in the loop bounds it."
                                           : "voltage; a resistor in parallel bounds it."));
    }
    excessValue_[e] = std::move(value);
  }
}

// A comparator with hysteresis sets a constant source anew.
bool CircuitEquations::jumps(std::size_t source) const {
  const auto& gates = net_.gates();
  return net_.waves()[source].hasJumps() ||
         std::any_of(gates.begin(), gates.end(), [=](const auto& gate) { return gate.source == source; });
}

bool CircuitEquations::forcesState(std::size_t source) const {
  return std::any_of(excessValue_.begin(), excessValue_.end(), [=](const LinearForm& value) {
    return value.of({Symbol::source, source}) != 0.;
  });
}

// C v̇ of a capacitor, L di/dt of an inductor with what couples, in rates: a symbol of a state is its rate here.
LinearForm CircuitEquations::chargeRate(std::size_t k) const {
  const auto rateOf = [this](std::size_t branch) {
    if (stateOf_[branch] != CircuitBranch::none) return LinearForm({Symbol::state, stateOf_[branch]}, 1.);
    LinearForm rate;
    for (const LinearForm::Term& term : excessValue_[excessOf_[branch]].terms()) {
      const bool isSource = term.symbol.kind == Symbol::source;
      if (isSource && net_.waves()[term.symbol.index].isConstant()) continue;
      rate.add({isSource ? Symbol::sourceRate : Symbol::state, term.symbol.index}, term.value);
    }
    return rate;
  };
  LinearForm sum;
  sum.add(rateOf(k), branches_[k].value);
  for (const CircuitNet::Mutual& mutual : net_.mutual()) {
    if (mutual.first == k) sum.add(rateOf(mutual.second), mutual.value);
    if (mutual.second == k) sum.add(rateOf(mutual.first), mutual.value);
  }
  return sum;
}

// M ẋ = (what flows into the states), with the flows of excess, N z = N (K ẋ + K_u u̇), on the left side.
void CircuitEquations::reduceStates() {
  std::vector<LinearForm> excessRate;
  excessRate.reserve(excess_.size());
  for (const std::size_t k : excess_) excessRate.push_back(chargeRate(k));
  std::vector<LinearForm> left(states_.size()), right(states_.size());
  for (std::size_t s = 0; s < states_.size(); ++s) {
    const std::size_t k = states_[s].branch;
    const bool isCapacitor = branches_[k].kind == Kind::capacitor;
    const LinearForm flow = (isCapacitor ? current_ : voltage_)[k].replacing(Symbol::unknown, solved_);
    LinearForm rates = chargeRate(k);
    for (const LinearForm::Term& term : flow.terms()) {
      if (term.symbol.kind == Symbol::excess) rates.add(excessRate[term.symbol.index], -term.value);
    }
    right[s] = flow.without(Symbol::excess);
    right[s].add(rates.without(Symbol::state), -1.);
    left[s] = rates.without(Symbol::sourceRate);
  }
  solveStates(left, right);
  std::vector<LinearForm> rates;
  for (const State& state : states_) rates.push_back(state.rate);
  excessFlow_.clear();
  for (const LinearForm& rate : excessRate) excessFlow_.push_back(rate.replacing(Symbol::state, rates));
}

void CircuitEquations::solveStates(const std::vector<LinearForm>& left, const std::vector<LinearForm>& right) {
  Numbers place(states_.size());
  for (const Numbers& group : groupsOf(left, Symbol::state)) {
    const std::size_t n = group.size();
    if (n == 1) {
      const std::size_t s = group.front();
      const double m = left[s].of({Symbol::state, s});
      if (m != 0.) {
        for (const LinearForm::Term& term : right[s].terms()) {
          states_[s].rate.add({term.symbol, term.value / m});
        }
        continue;
      }
    }
    FormSystem system(n);
    std::vector<LinearForm> forms(n);
    for (std::size_t j = 0; j < n; ++j) place[group[j]] = j;
    for (std::size_t i = 0; i < n; ++i) {
      for (const LinearForm::Term& term : left[group[i]].terms()) system.set(i, place[term.symbol.index], term.value);
      forms[i] = right[group[i]];
    }
    if (!system.solve(forms)) {
      Numbers branches;
      for (const std::size_t s : group) branches.push_back(states_[s].branch);
      throw Error(label_, "the rates of " + names(branches) + " are not determined.");
    }
    for (std::size_t i = 0; i < n; ++i) states_[group[i]].rate = std::move(forms[i]);
  }
}

// Coupled inductors store energy in any state: their matrix is positive definite.
void CircuitEquations::requireInductances() const {
  if (net_.mutual().empty()) return;
  Numbers inductors, place(branches_.size(), CircuitBranch::none);
  for (const CircuitNet::Mutual& mutual : net_.mutual()) {
    for (const std::size_t k : {mutual.first, mutual.second}) {
      if (place[k] != CircuitBranch::none) continue;
      place[k] = inductors.size();
      inductors.push_back(k);
    }
  }
  Matrix L(inductors.size(), inductors.size());
  for (const std::size_t k : inductors) L(place[k], place[k]) = 1.;
  for (const CircuitNet::Mutual& mutual : net_.mutual()) {
    const double scale = std::sqrt(branches_[mutual.first].value * branches_[mutual.second].value);
    L(place[mutual.first], place[mutual.second]) += mutual.value / scale;
    L(place[mutual.second], place[mutual.first]) += mutual.value / scale;
  }
  CholeskyFactorization cholesky;
  if (cholesky.tryFactor(L)) return;
  throw Error(label_, "the couplings of the inductors " + names(inductors) +
                          " contradict each other: some currents would store a negative energy.");
}

bool CircuitEquations::hasInitial(const CircuitBranch& branch) const {
  return branch.initial || initialByNodes(branch);
}

// A capacitor without a voltage of its own takes that between its nodes, of which those that are told none count as
// zero.
double CircuitEquations::initialOf(const CircuitBranch& branch) const {
  if (branch.initial) return *branch.initial;
  return branch.kind == Kind::capacitor ? startOf(branch.a) - startOf(branch.b) : 0.;
}

double CircuitEquations::startOf(std::size_t node) const {
  const auto told = net_.starts().find(node);
  return node == 0 || told == net_.starts().end() ? 0. : told->second;
}

// The voltage of a capacitor both of whose nodes are told one.
std::optional<double> CircuitEquations::initialByNodes(const CircuitBranch& branch) const {
  const auto isTold = [this](std::size_t node) { return node == 0 || net_.starts().contains(node); };
  if (branch.kind != Kind::capacitor || !isTold(branch.a) || !isTold(branch.b)) return std::nullopt;
  return startOf(branch.a) - startOf(branch.b);
}

// A capacitor's own voltage and those of its nodes say the same.
void CircuitEquations::requireStarts() const {
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    const std::optional<double> own = branches_[k].initial, told = initialByNodes(branches_[k]);
    if (!own || !told || std::abs(*own - *told) <= 1e-9 * std::max(std::abs(*own), std::abs(*told))) continue;
    throw Error(label_, "capacitor '" + net_.nameOf(k) + "' starts at " + toText(*own) +
                            " V, but the voltages that its nodes start at make " + toText(*told) + " V.");
  }
}

void CircuitEquations::findInitialValues(double t0) {
  requireStarts();
  for (State& state : states_) state.initial = initialOf(branches_[state.branch]);
  for (std::size_t e = 0; e < excess_.size(); ++e) {
    const CircuitBranch& branch = branches_[excess_[e]];
    double value = 0., scale = 0.;
    for (const LinearForm::Term& term : excessValue_[e].terms()) {
      const bool isSource = term.symbol.kind == Symbol::source;
      const double x = isSource ? net_.waves()[term.symbol.index].value(t0) : states_[term.symbol.index].initial;
      value += term.value * x;
      scale += std::abs(term.value * x);
    }
    const double told = initialOf(branch);
    const bool isInductor = branch.kind == Kind::inductor;
    if (!hasInitial(branch) || std::abs(value - told) <= 1e-9 * std::max(scale, std::abs(told))) continue;
    throw Error(label_, (isInductor ? "inductor '" : "capacitor '") + net_.nameOf(excess_[e]) + "' starts at " +
                            toText(told) + (isInductor ? " A" : " V") + ", but Kirchhoff's laws with the others make " +
                            toText(value) + ".");
  }
}

}  // namespace delassus
