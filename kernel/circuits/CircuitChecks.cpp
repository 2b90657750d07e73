// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitChecks.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

// The two names of ground.
bool isGround(const std::string& node) {
  return node == "0" || node == "gnd";
}

}  // namespace

std::string labelOf(const std::string& name) {
  return "Circuit element '" + name + "'";
}

void require(bool fits, const std::string& name, const char* what, double value) {
  if (!fits) throw Error(labelOf(name), std::string(what) + ", got " + toText(value) + '.');
}

void requireFiniteValue(const std::string& name, const char* what, double value) {
  require(std::isfinite(value), name, what, value);
}

void requirePositive(const std::string& name, const char* what, double value) {
  require(value > 0. && std::isfinite(value), name, what, value);
}

void requireNotNegative(const std::string& name, const char* what, double value) {
  require(value >= 0. && std::isfinite(value), name, what, value);
}

void requireTerminals(const std::string& name, const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) throw Error(labelOf(name), "a terminal has a node with an empty name.");
  if (a == b || (isGround(a) && isGround(b))) {
    throw Error(labelOf(name), "both of its terminals are at node '" + a + "'.");
  }
}

void requireControl(const std::string& name, const std::string& plus, const std::string& minus) {
  if (plus.empty() || minus.empty()) throw Error(labelOf(name), "a control input has a node with an empty name.");
}

void requireDiode(const std::string& name, const DiodeOptions& options) {
  requireNotNegative(name, "its threshold must not be negative", options.threshold);
  requireNotNegative(name, "its resistance must not be negative", options.resistance);
  require(options.leak > 0., name, "the resistance of its leak must be positive", options.leak);
}

void requireTransistor(const std::string& name, const TransistorOptions& options) {
  requireNotNegative(name, "its threshold must not be negative", options.threshold);
  requireNotNegative(name, "its resistance must not be negative", options.onResistance);
  requireDiode(name, {options.diodeThreshold, options.diodeResistance});
}

}  // namespace delassus
