// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistElements.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>

namespace delassus {
namespace {

struct NetlistDevice {
  std::string_view name;
  NetlistKind kind;
  std::size_t nodes;
};

constexpr std::array<NetlistDevice, 4> devices{{{"thyristor", NetlistKind::thyristor, 4},
                                                {"opamp", NetlistKind::opAmp, 3},
                                                {"comparator", NetlistKind::comparator, 3},
                                                {"transformer", NetlistKind::transformer, 4}}};

const NetlistDevice* findDevice(std::string_view name) {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.name == name; });
  return found == devices.end() ? nullptr : &*found;
}

bool isAmong(std::initializer_list<std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string joined(std::initializer_list<std::string_view> list) {
  std::string text;
  for (const std::string_view word : list) text += (text.empty() ? "" : " or ") + std::string(word);
  return text;
}

}  // namespace

bool NetlistElementReader::isDevice(std::string_view model) {
  return findDevice(model) != nullptr;
}

NetlistElement NetlistElementReader::readDevice(const std::vector<std::string_view>& nodes, const std::string& model) {
  const NetlistDevice& device = *findDevice(model);
  start(device.kind);
  if (nodes.size() != device.nodes) {
    statement_.fail(NetlistFault::wrongCount, "expected " + std::to_string(device.nodes) + " nodes of " + model +
                                                  ", got " + std::to_string(nodes.size()) + ".");
  }
  for (const std::string_view node : nodes) element_.nodes.push_back(names_.node(frame_, node, statement_));
  switch (device.kind) {
    case NetlistKind::thyristor:
      assigned({"vt", "vh", "ron", "vfwd"});
      break;
    case NetlistKind::opAmp:
      assigned({"vmin", "vmax"});
      if (element_.parameterOr("vmin", -HUGE_VAL) >= element_.parameterOr("vmax", HUGE_VAL)) {
        statement_.fail(NetlistFault::badValue, "expected vmin below vmax.");
      }
      break;
    case NetlistKind::comparator:
      assigned({"low", "high", "vh"});
      if (element_.parameterOr("low", 0.) >= element_.parameterOr("high", 5.)) {
        statement_.fail(NetlistFault::badValue, "expected low below high.");
      }
      break;
    default:
      assigned({"ratio"});
      requirePositive(element_.parameterOr("ratio", 1.), "ratio");
  }
  requireNotNegative({"vh", "ron", "vfwd"});
  statement_.requireEnd();
  return std::move(element_);
}

// Takes the name of a model and what it says into the parameters of the element; returns its type.
std::string NetlistElementReader::model(std::initializer_list<std::string_view> types,
                                        std::initializer_list<std::string_view> used,
                                        std::initializer_list<std::string_view> idle) {
  const std::string name = inLowerCase(statement_.word("its model"));
  const auto [model, owner] = frame_.model(name);
  if (model == nullptr) statement_.fail(NetlistFault::missingModel, "there is no .model '" + name + "'.");
  if (!isAmong(types, model->type)) {
    statement_.fail(NetlistFault::missingModel, "expected a model of type " + joined(types) + ", but '" + name +
                                                    "' is of type " + model->type + ".");
  }
  names_.charge(64 * model->parameters.size(), statement_);
  const std::string label = ".model " + name;
  modelLabel_ = model->place.text() + ": " + label;
  for (const NetlistAssignment& one : model->parameters) {
    if (isAmong(idle, one.name)) {
      notes_.insert(one.place.text() + ": " + label + ": '" + one.name + "' has no effect.");
    } else if (!isAmong(used, one.name)) {
      throw NetlistError(NetlistFault::unknownParameter, one.place, label,
                         "a model of type " + model->type + " has no parameter '" + one.name + "'.");
    } else if (element_.parameter(one.name)) {
      throw NetlistError(NetlistFault::duplicate, one.place, label, "'" + one.name + "' was given before.");
    } else {
      parameter(one.name, owner->scope.evaluate(one.expression, one.place, label));
    }
  }
  return model->type;
}

}  // namespace delassus
