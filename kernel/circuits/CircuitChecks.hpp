// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/CircuitElements.hpp>
#include <string>

namespace delassus {

// What Circuit asks of an element before it makes any of it. Each throws Error naming the element.

/// "Circuit element 'R1'".
std::string labelOf(const std::string& name);
/// Unless it fits: what was expected, and the value.
void require(bool fits, const std::string& name, const char* what, double value);
/// Unless finite.
void requireFiniteValue(const std::string& name, const char* what, double value);
/// Unless positive and finite.
void requirePositive(const std::string& name, const char* what, double value);
/// Unless zero or positive, and finite.
void requireNotNegative(const std::string& name, const char* what, double value);
/// Unless two nodes have names and differ, ground having two names.
void requireTerminals(const std::string& name, const std::string& a, const std::string& b);
/// Unless two nodes that it looks at have names.
void requireControl(const std::string& name, const std::string& plus, const std::string& minus);
/// Unless threshold, resistance and leak of a diode are in their ranges.
void requireDiode(const std::string& name, const DiodeOptions& options);
/// Unless thresholds and resistances of a transistor are in their ranges.
void requireTransistor(const std::string& name, const TransistorOptions& options);

}  // namespace delassus
