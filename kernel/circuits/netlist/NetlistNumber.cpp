// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <system_error>
#include <utility>

namespace delassus {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// A letter of a suffix or unit; bytes of UTF-8 (µ, Ω) are letters.
bool isUnitLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

struct Mantissa {
  std::size_t length = 0;  // with a sign
  bool hasDigits = false;
};

Mantissa mantissaOf(std::string_view text) {
  Mantissa found;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) ++found.length;
  bool hasPoint = false;
  for (; found.length < text.size(); ++found.length) {
    const char c = text[found.length];
    if (isDigit(c)) {
      found.hasDigits = true;
    } else if (c == '.' && !hasPoint) {
      hasPoint = true;
    } else {
      break;
    }
  }
  return found;
}

// Characters of an exponent at the start of `text`, and its value. An exponent beyond 99999 stands for any such.
std::pair<std::size_t, int> exponentOf(std::string_view text) {
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return {0, 0};
  std::size_t place = 1;
  const bool isNegative = place < text.size() && text[place] == '-';
  if (place < text.size() && (text[place] == '-' || text[place] == '+')) ++place;
  const std::size_t digits = place;
  int value = 0;
  for (; place < text.size() && isDigit(text[place]); ++place) {
    if (value < 10000) value = 10 * value + (text[place] - '0');
  }
  if (place == digits) return {0, 0};
  return {place, isNegative ? -value : value};
}

// The power of ten that a unit begins with.
int suffixPower(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, int>, 12> powers{{{"meg", 6},
                                                                            {"\xC2\xB5", -6},
                                                                            {"\xCE\xBC", -6},
                                                                            {"f", -15},
                                                                            {"p", -12},
                                                                            {"n", -9},
                                                                            {"u", -6},
                                                                            {"m", -3},
                                                                            {"k", 3},
                                                                            {"g", 9},
                                                                            {"t", 12},
                                                                            {"", 0}}};
  for (const auto& [suffix, power] : powers) {
    if (unit.starts_with(suffix)) return power;
  }
  return 0;
}

}  // namespace

std::string inLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<NetlistNumber> numberAtStart(std::string_view text) {
  const Mantissa mantissa = mantissaOf(text);
  if (!mantissa.hasDigits) return std::nullopt;
  const auto [exponentLength, exponent] = exponentOf(text.substr(mantissa.length));
  const std::size_t unitStart = mantissa.length + exponentLength;
  std::size_t end = unitStart;
  while (end < text.size() && isUnitLetter(text[end])) ++end;
  if (end < text.size() && end > unitStart && (isDigit(text[end]) || text[end] == '.' || text[end] == '_')) {
    return std::nullopt;
  }
  const std::string unit = inLowerCase(text.substr(unitStart, end - unitStart));
  const bool isMil = unit.starts_with("mil");
  std::string_view digits = text.substr(0, mantissa.length);
  if (digits.front() == '+') digits.remove_prefix(1);
  const std::string decimal = std::string(digits) + "e" + std::to_string(exponent + (isMil ? 0 : suffixPower(unit)));
  double value = 0.;
  const auto [stop, failure] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (failure != std::errc() || stop != decimal.data() + decimal.size()) return std::nullopt;
  if (isMil) value *= 25.4e-6;
  if (!std::isfinite(value)) return std::nullopt;
  return NetlistNumber{value, end};
}

std::optional<double> netlistNumber(std::string_view text) {
  const std::optional<NetlistNumber> number = numberAtStart(text);
  if (!number || number->length != text.size()) return std::nullopt;
  return number->value;
}

}  // namespace delassus
