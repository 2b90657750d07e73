// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/OptionFields.hpp>

namespace delassus {
namespace {

std::string valueText(const OptionField& field) {
  return settingsOf({field}).list().front().value;
}

bool isInRange(const OptionField& field) {
  if (std::holds_alternative<bool*>(field.value)) return true;
  return field.range.contains(std::visit([](const auto* value) { return static_cast<double>(*value); }, field.value));
}

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size();
}

bool read(std::string_view text, bool& value) {
  value = text == "true";
  return value || text == "false";
}

std::string expected(const OptionField& field) {
  if (std::holds_alternative<bool*>(field.value)) return "true or false";
  const bool isCount = std::holds_alternative<std::size_t*>(field.value);
  const std::string range = field.range.text();
  return (isCount ? "a whole number" : "a finite number") + (range.empty() ? range : ", " + range);
}

}  // namespace

bool OptionRange::contains(double value) const {
  if (!std::isfinite(value)) return false;
  return (withLeast ? value >= least : value > least) && (withMost ? value <= most : value < most);
}

std::string OptionRange::text() const {
  const bool isBounded = std::isfinite(most);
  if (!std::isfinite(least)) return isBounded ? "at most " + toText(most) : "";
  if (isBounded)
    return std::string("in ") + (withLeast ? '[' : '(') + toText(least) + ", " + toText(most) + (withMost ? ']' : ')');
  if (least == 0.) return withLeast ? "not negative" : "positive";
  return (withLeast ? "at least " : "above ") + toText(least);
}

void requireInRange(std::string_view owner, const OptionFields& fields) {
  for (const OptionField& field : fields) {
    if (isInRange(field)) continue;
    throw Error(std::string(owner),
                std::string(field.name) + " must be " + expected(field) + ", got " + valueText(field) + ".");
  }
}

Settings settingsOf(const OptionFields& fields) {
  Settings settings;
  for (const OptionField& field : fields) {
    std::visit([&](const auto* value) { settings.add(std::string(field.name), *value); }, field.value);
  }
  return settings;
}

std::string describe(const OptionFields& fields) {
  std::string lines;
  for (const OptionField& field : fields) {
    const bool isBool = std::holds_alternative<bool*>(field.value);
    const std::string range = isBool ? "true or false" : field.range.text();
    lines += std::string(field.name) + " = " + valueText(field) + (range.empty() ? "" : ", " + range) + ": " +
             std::string(field.meaning) + '\n';
  }
  return lines;
}

void setField(std::string_view owner, const OptionFields& fields, std::string_view name, std::string_view text) {
  std::string names;
  for (const OptionField& field : fields) {
    if (field.name != name) {
      names += (names.empty() ? "" : ", ") + std::string(field.name);
      continue;
    }
    const bool isValue = std::visit([&](auto* value) { return read(text, *value); }, field.value);
    if (isValue && isInRange(field)) return;
    throw Error(std::string(owner),
                std::string(name) + " must be " + expected(field) + ", got '" + std::string(text) + "'.");
  }
  throw Error(std::string(owner), "it has no option '" + std::string(name) + "'; there are " + names + ".");
}

}  // namespace delassus
