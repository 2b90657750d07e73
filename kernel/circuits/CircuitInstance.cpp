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

std::function<double()> CircuitInstance::probe(std::string_view expression) const {
  const auto refuse = [&] {
    throw Error(
        "CircuitInstance::probe",
        "expected v(node), v(node,node), v(element), i(element) or p(element), got '" + std::string(expression) + "'.");
  };
  if (expression.size() < 4 || expression[1] != '(' || expression.back() != ')') refuse();
  const std::string_view inside = expression.substr(2, expression.size() - 3);
  const std::size_t comma = inside.find(',');
  const auto valueOf = [state = state_](const CircuitState::Probe& probe) {
    return [state, &probe] { return probe.value(); };
  };
  switch (expression.front()) {
    case 'v':
      if (comma != std::string_view::npos) {
        return valueOf(state_->voltage(state_->requireNode(inside.substr(0, comma)),
                                       state_->requireNode(inside.substr(comma + 1))));
      }
      if (state_->hasNode(inside)) return valueOf(state_->nodeVoltage(state_->requireNode(inside)));
      return valueOf(state_->elementVoltage(state_->requireElement(inside)));
    case 'i':
      return valueOf(state_->elementCurrent(state_->requireElement(inside)));
    case 'p': {
      const std::size_t element = state_->requireElement(inside);
      const CircuitState::Probe& v = state_->elementVoltage(element);
      const CircuitState::Probe& i = state_->elementCurrent(element);
      return [state = state_, &v, &i] { return v.value() * i.value(); };
    }
    default:
      refuse();
  }
  return {};
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
