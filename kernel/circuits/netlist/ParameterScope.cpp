// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/netlist/NetlistExpression.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <delassus/kernel/circuits/netlist/ParameterScope.hpp>

namespace delassus {

void ParameterScope::define(const std::string& name, std::string_view expression, const NetlistPlace& place) {
  const auto [found, isNew] = parameters_.try_emplace(name, Parameter{expression, place, std::nullopt, false, false});
  if (isNew || found->second.isSet) return;
  throw NetlistError(NetlistFault::duplicate, place, ".param",
                     "'" + name + "' has a value already, from line " + std::to_string(found->second.place.line) + ".");
}

void ParameterScope::set(const std::string& name, double value) {
  parameters_[name] = Parameter{{}, {}, value, true, false};
}

std::optional<double> ParameterScope::find(const std::string& name) {
  const auto found = parameters_.find(name);
  if (found != parameters_.end()) return valueOf(name, found->second);
  return around_ != nullptr ? around_->find(name) : std::nullopt;
}

double ParameterScope::evaluate(std::string_view text, const NetlistPlace& place, const std::string& element) {
  if (const std::optional<double> number = netlistNumber(text)) return *number;
  return NetlistExpression(
             text, [this](const std::string& name) { return find(name); }, false, place, element)
      .evaluate();
}

double ParameterScope::valueOf(const std::string& name, Parameter& parameter) {
  if (parameter.value) return *parameter.value;
  const std::string element = ".param " + name;
  if (parameter.isInWork) {
    throw NetlistError(NetlistFault::recursion, parameter.place, element, "its expression refers to itself.");
  }
  if (chain() >= deepest_) {
    throw NetlistError(NetlistFault::limit, parameter.place, element,
                       "expected at most " + std::to_string(deepest_) + " parameters in a chain of later ones.");
  }
  parameter.isInWork = true;
  ++chain();
  parameter.value = evaluate(parameter.expression, parameter.place, element);
  --chain();
  parameter.isInWork = false;
  return *parameter.value;
}

}  // namespace delassus
