// SPDX-License-Identifier: Apache-2.0
//
// The part of CircuitEquations that is about the tree, and Kirchhoff's laws.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/CircuitEquations.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

// Branches up to this preference must be in the tree, those from `firstLink` on must not.
constexpr int lastVoltage = 0;
constexpr int firstLink = 20;
constexpr int openInput = 21;

}  // namespace

// Small resistances in the tree and large ones outside of it keep the equations of mixed circuits well scaled.
int CircuitEquations::preference(const CircuitBranch& branch) const {
  using Port = CircuitBranch::Port;
  switch (branch.kind) {
    case Kind::source:
    case Kind::amplifier:
    case Kind::dependentVoltage:
      return lastVoltage;
    case Kind::capacitor:
      return hasInitial(branch) ? 1 : 2;
    case Kind::resistor:
      return branch.isSeries || std::abs(branch.value) <= meanResistance_ ? 3 : 8;
    case Kind::port:
      return branch.port == Port::reverseDiode ? 4 : branch.port == Port::gatedDiode ? 6 : 5;
    case Kind::inductor:
      return hasInitial(branch) ? 11 : 10;
    case Kind::curve:
    case Kind::dependentCurrent:
    case Kind::currentSource:
      return firstLink;
    case Kind::open:
      return openInput;
  }
  return openInput;
}

void CircuitEquations::chooseTree() {
  double sum = 0.;
  std::size_t count = 0;
  for (const CircuitBranch& branch : branches_) {
    if (branch.kind != Kind::resistor || branch.isSeries) continue;
    sum += std::log(std::abs(branch.value));
    ++count;
  }
  // A resistance that is the mean but for rounding counts as small.
  meanResistance_ = count > 0 ? (1. + 1e-9) * std::exp(sum / static_cast<double>(count)) : 0.;
  orientTransformers();
  tree_ = std::make_unique<NormalTree>(makeTree());
  requireTree();
}

NormalTree CircuitEquations::makeTree() const {
  std::vector<NormalTree::Branch> graph;
  graph.reserve(branches_.size());
  for (const CircuitBranch& branch : branches_) graph.push_back({branch.a, branch.b, preference(branch)});
  return NormalTree(net_.nodes(), std::move(graph));
}

// How far a tree is from one without loops of sources, cut sets of sources, and excess of capacitors and inductors.
std::size_t CircuitEquations::misfits(const NormalTree& tree) const {
  constexpr std::size_t most = 1000;
  std::size_t sum = 0;
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    const int rank = preference(branches_[k]);
    if (tree.contains(k) ? rank >= firstLink : rank <= lastVoltage) sum += most;
    const bool isExcess = (branches_[k].kind == Kind::capacitor && !tree.contains(k)) ||
                          (branches_[k].kind == Kind::inductor && tree.contains(k));
    if (isExcess) ++sum;
  }
  return sum;
}

// One winding of a transformer gives a voltage, the other one a current; which one is which is chosen winding after
// winding, so that the tree fits best. A factor of a voltage, v₁ = f v₂, is −f⁻¹ of the current, i₁ = −f⁻¹ i₂.
void CircuitEquations::orientTransformers() {
  const auto swap = [this](std::size_t k) {
    for (const std::size_t winding : {k, branches_[k].partner}) {
      CircuitBranch& branch = branches_[winding];
      branch.kind = branch.kind == Kind::dependentVoltage ? Kind::dependentCurrent : Kind::dependentVoltage;
      branch.byCurrent = branch.kind == Kind::dependentCurrent;
      branch.value = -1. / branch.value;
      branch.control = branch.partner;
    }
  };
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      if (branches_[k].partner == CircuitBranch::none || branches_[k].partner < k) continue;
      const std::size_t before = misfits(makeTree());
      if (before == 0) return;
      swap(k);
      if (misfits(makeTree()) >= before) swap(k);
    }
  }
}

void CircuitEquations::requireTree() const {
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    const int rank = preference(branches_[k]);
    if (!tree_->contains(k) && rank <= lastVoltage) refuseLoop(k);
    if (tree_->contains(k) && rank >= firstLink) refuseCut(k);
  }
}

std::string CircuitEquations::names(const std::vector<std::size_t>& branches) const {
  std::vector<std::string> all;
  for (const std::size_t branch : branches) {
    const std::string name = "'" + net_.nameOf(branch) + "'";
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }
  std::string text;
  for (std::size_t k = 0; k < all.size(); ++k) text += (k == 0 ? "" : k + 1 == all.size() ? " and " : ", ") + all[k];
  return text;
}

void CircuitEquations::refuseLoop(std::size_t branch) const {
  std::vector<std::size_t> loop{branch};
  for (const NormalTree::Step& step : tree_->path(branches_[branch].a, branches_[branch].b))
    loop.push_back(step.branch);
  throw Error(label_, "there is a loop of voltage sources: " + names(loop) +
                          ". Their voltages contradict each other, or do not say what current flows round; a resistor "
                          "in the loop does.");
}

void CircuitEquations::refuseCut(std::size_t branch) const {
  std::vector<std::size_t> cut{branch};
  for (std::size_t k = 0; k < branches_.size(); ++k) {
    if (tree_->contains(k)) continue;
    const auto path = tree_->path(branches_[k].a, branches_[k].b);
    if (std::any_of(path.begin(), path.end(), [branch](const NormalTree::Step& s) { return s.branch == branch; })) {
      cut.push_back(k);
    }
  }
  if (branches_[branch].kind == Kind::open) {
    throw Error(label_, "the control input of " + names(cut) +
                            " is between nodes that no element connects, so that its voltage is not determined.");
  }
  throw Error(label_, "there is a cut set of current sources: " + names(cut) +
                          ". Their currents contradict each other, or do not say what voltage is across them; a "
                          "resistor in parallel does.");
}

// v of a link is the sum over its way through the tree, and i of a branch of the tree that over the links whose ways
// it is on.
void CircuitEquations::makeForms() {
  const std::size_t count = branches_.size();
  voltage_.assign(count, {});
  current_.assign(count, {});
  for (std::size_t k = 0; k < count; ++k) {
    if (tree_->contains(k)) {
      voltage_[k] = own_[k];
      continue;
    }
    current_[k] = own_[k];
    for (const NormalTree::Step& step : tree_->path(branches_[k].a, branches_[k].b)) {
      voltage_[k].add(own_[step.branch], step.sign);
      current_[step.branch].add(own_[k], -step.sign);
    }
  }
}

}  // namespace delassus
