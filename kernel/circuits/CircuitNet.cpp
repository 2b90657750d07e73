// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitNet.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {

CircuitNet::CircuitNet() : waves_{1.}, nodeNames_{"0"}, nodeNumbers_{{"0", 0}, {"gnd", 0}} {
}

std::size_t CircuitNet::node(const std::string& name) {
  if (name.empty()) throw Error("Circuit", "a node has an empty name.");
  const auto [place, isNew] = nodeNumbers_.try_emplace(name, nodeNames_.size());
  if (isNew) nodeNames_.push_back(name);
  return place->second;
}

std::size_t CircuitNet::findNode(std::string_view name) const {
  const auto place = nodeNumbers_.find(name);
  return place == nodeNumbers_.end() ? CircuitBranch::none : place->second;
}

std::size_t CircuitNet::internalNode() {
  nodeNames_.emplace_back();
  return nodeNames_.size() - 1;
}

void CircuitNet::requireFree(const std::string& name) const {
  if (name.empty()) throw Error("Circuit", "an element has an empty name.");
  if (elementNumbers_.contains(name) || reserved_.contains(name)) {
    throw Error("Circuit element '" + name + "'", "there is an element of this name already.");
  }
}

bool CircuitNet::areCoupled(std::size_t branch, std::size_t other) const {
  return std::any_of(mutual_.begin(), mutual_.end(), [=](const Mutual& m) {
    return (m.first == branch && m.second == other) || (m.first == other && m.second == branch);
  });
}

std::size_t CircuitNet::begin(const std::string& name, const std::string& a, const std::string& b) {
  requireFree(name);
  Element element{.name = name, .a = node(a), .b = node(b)};
  elementNumbers_.emplace(name, elements_.size());
  elements_.push_back(std::move(element));
  return elements_.size() - 1;
}

std::size_t CircuitNet::findElement(std::string_view name) const {
  const auto place = elementNumbers_.find(name);
  return place == elementNumbers_.end() ? CircuitBranch::none : place->second;
}

std::size_t CircuitNet::add(CircuitBranch branch, std::size_t a, std::size_t b) {
  branch.a = a;
  branch.b = b;
  branch.element = elements_.size() - 1;
  branches_.push_back(std::move(branch));
  return branches_.size() - 1;
}

std::size_t CircuitNet::addWave(Waveform wave) {
  waves_.push_back(std::move(wave));
  return waves_.size() - 1;
}

std::size_t CircuitNet::addGate(GateEntry entry) {
  gates_.push_back(std::move(entry));
  return gates_.size() - 1;
}

std::size_t CircuitNet::addControl(std::size_t a, std::size_t b) {
  return add({.kind = CircuitBranch::Kind::open}, a, b);
}

void CircuitNet::setLevels(std::size_t gate, std::size_t source, double low, double high) {
  gates_[gate].source = source;
  gates_[gate].low = low;
  gates_[gate].high = high;
}

void CircuitNet::startAt(const std::string& name, double voltage) {
  if (!std::isfinite(voltage)) {
    throw Error("Circuit node '" + name + "'", "its voltage at the start must be finite, got " + toText(voltage) + '.');
  }
  if (findNode(name) == 0 && voltage != 0.) {
    throw Error("Circuit node '" + name + "'",
                "it is ground, which is at 0 V, but starts at " + toText(voltage) + " V.");
  }
  const auto [place, isNew] = starts_.try_emplace(node(name), voltage);
  if (isNew || place->second == voltage) return;
  throw Error("Circuit node '" + name + "'",
              "it starts at " + toText(place->second) + " V already, got " + toText(voltage) + " V.");
}

}  // namespace delassus
