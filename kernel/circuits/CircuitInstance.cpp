// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitInstance.hpp>

#include <cmath>
#include <delassus/kernel/circuits/CircuitState.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

CircuitInstance::CircuitInstance(std::shared_ptr<CircuitState> state) : state_(std::move(state)) {
}

void CircuitInstance::attach(TimeStepping& simulation) {
  state_->attach(simulation);
}

void CircuitInstance::attach(EventDriven& simulation) {
  state_->attach(simulation);
}

double CircuitInstance::voltage(std::string_view nodeOrElement) const {
  if (state_->hasNode(nodeOrElement)) return state_->nodeVoltage(state_->requireNode(nodeOrElement)).value();
  return elementVoltage(nodeOrElement);
}

double CircuitInstance::voltage(std::string_view plus, std::string_view minus) const {
  return state_->voltage(state_->requireNode(plus), state_->requireNode(minus)).value();
}

double CircuitInstance::elementVoltage(std::string_view element) const {
  return state_->elementVoltage(state_->requireElement(element)).value();
}

double CircuitInstance::current(std::string_view element) const {
  return state_->elementCurrent(state_->requireElement(element)).value();
}

double CircuitInstance::power(std::string_view element) const {
  return elementVoltage(element) * current(element);
}

CircuitInstance::Tellegen CircuitInstance::tellegen() const {
  Tellegen result;
  for (std::size_t k = 0; k < state_->elements(); ++k) {
    const double p = state_->elementVoltage(k).value() * state_->elementCurrent(k).value();
    result.sum += p;
    result.scale += std::abs(p);
  }
  return result;
}

namespace {

// "out" of "v(out)".
std::string_view insideOf(std::string_view expression, std::string_view kinds) {
  const bool isCall = expression.size() >= 4 && expression[1] == '(' && expression.back() == ')';
  if (isCall && kinds.find(expression.front()) != std::string_view::npos) {
    return expression.substr(2, expression.size() - 3);
  }
  throw Error("CircuitInstance", "expected v(node), v(node,node), v(element)" +
                                     std::string(kinds == "vi" ? " or i(element)" : ", i(element) or p(element)") +
                                     ", got '" + std::string(expression) + "'.");
}

const CircuitState::Probe& findProbe(const CircuitState& state, char kind, std::string_view inside) {
  const std::size_t comma = inside.find(',');
  if (kind == 'i') return state.elementCurrent(state.requireElement(inside));
  if (comma != std::string_view::npos) {
    return state.voltage(state.requireNode(inside.substr(0, comma)), state.requireNode(inside.substr(comma + 1)));
  }
  if (state.hasNode(inside)) return state.nodeVoltage(state.requireNode(inside));
  return state.elementVoltage(state.requireElement(inside));
}

}  // namespace

std::function<double()> CircuitInstance::probe(std::string_view expression) const {
  const std::string_view inside = insideOf(expression, "vip");
  if (expression.front() == 'p') {
    const std::size_t element = state_->requireElement(inside);
    const CircuitState::Probe& v = state_->elementVoltage(element);
    const CircuitState::Probe& i = state_->elementCurrent(element);
    return [state = state_, &v, &i] { return v.value() * i.value(); };
  }
  return [state = state_, &probe = findProbe(*state_, expression.front(), inside)] { return probe.value(); };
}

std::function<double()> CircuitInstance::impulse(std::string_view expression) const {
  const std::string_view inside = insideOf(expression, "vi");
  return [state = state_, &probe = findProbe(*state_, expression.front(), inside)] { return probe.impulse(); };
}

double CircuitInstance::voltageImpulse(std::string_view element) const {
  return state_->elementVoltage(state_->requireElement(element)).impulse();
}

double CircuitInstance::currentImpulse(std::string_view element) const {
  return state_->elementCurrent(state_->requireElement(element)).impulse();
}

void CircuitInstance::setGate(std::string_view element, bool closed) {
  state_->setGate(element, closed);
}

bool CircuitInstance::isOn(std::string_view element) const {
  return state_->isOn(element);
}

void CircuitInstance::setSource(std::string_view element, double value) {
  state_->setSource(element, value);
}

const std::vector<std::shared_ptr<FirstOrderLinearTIDS>>& CircuitInstance::systems() const {
  return state_->parts().systems();
}

const std::vector<std::shared_ptr<Interaction>>& CircuitInstance::interactions() const {
  return state_->parts().interactions();
}

Vector CircuitInstance::state() const {
  Vector all;
  for (std::size_t k = 0; k < systems().size(); ++k) {
    if (state_->parts().statesOf(k).front() != CircuitBranch::none) append(systems()[k]->x(), all);
  }
  return all;
}

void CircuitInstance::setState(const Vector& state) {
  requireSize(state, this->state().size(), "CircuitInstance::setState (one number a state)");
  requireFinite(state, "CircuitInstance::setState");
  std::size_t next = 0;
  for (std::size_t k = 0; k < systems().size(); ++k) {
    if (state_->parts().statesOf(k).front() == CircuitBranch::none) continue;
    Vector x(systems()[k]->dimension());
    for (double& component : x) component = state(next++);
    systems()[k]->setState(x);
  }
}

std::vector<std::string> CircuitInstance::stateNames() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < systems().size(); ++k) {
    for (const std::size_t state : state_->parts().statesOf(k)) {
      names.push_back(state == CircuitBranch::none ? "(none)" : state_->equations().stateName(state));
    }
  }
  return names;
}

std::vector<std::string> CircuitInstance::multiplierNames() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < interactions().size(); ++k) {
    for (const std::size_t row : state_->parts().rowsOf(k)) names.push_back(state_->equations().rows()[row].name);
  }
  return names;
}

std::string CircuitInstance::report() const {
  return state_->report();
}

}  // namespace delassus
