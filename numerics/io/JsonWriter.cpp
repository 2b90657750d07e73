// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/JsonWriter.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace delassus::numerics {
namespace {

// Length of the UTF-8 sequence at the start of the text; 0 if there is none. (Unicode 15, table 3-7.)
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string escaped(unsigned char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("\\u00") + digits[c >> 4U] + digits[c & 15U];
}

}  // namespace

void JsonWriter::startValue() {
  if (afterKey_) {
    afterKey_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += ',';
  if (level.onLines) text_ += '\n';
  if (!level.onLines && !level.empty) text_ += ' ';
  level.empty = false;
}

void JsonWriter::endLevel(char bracket) {
  if (levels_.back().onLines && !levels_.back().empty) text_ += '\n';
  levels_.pop_back();
  text_ += bracket;
}

void JsonWriter::beginObject() {
  startValue();
  text_ += '{';
  levels_.push_back({});
}

void JsonWriter::endObject() {
  endLevel('}');
}

void JsonWriter::beginArray(bool onLines) {
  startValue();
  text_ += '[';
  levels_.push_back({true, onLines});
}

void JsonWriter::endArray() {
  endLevel(']');
}

void JsonWriter::key(std::string_view name) {
  startValue();
  appendString(name);
  text_ += ": ";
  afterKey_ = true;
}

void JsonWriter::string(std::string_view value) {
  startValue();
  appendString(value);
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  startValue();
  std::array<char, 32> digits{};
  text_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void JsonWriter::count(std::size_t value) {
  startValue();
  text_ += std::to_string(value);
}

void JsonWriter::null() {
  startValue();
  text_ += "null";
}

void JsonWriter::numbers(const Vector& values) {
  beginArray();
  for (const double value : values.data()) number(value);
  endArray();
}

void JsonWriter::appendString(std::string_view value) {
  text_ += '"';
  while (!value.empty()) {
    const std::size_t length = sequenceLength(value);
    const char c = value[0];
    if (length == 0) {
      text_ += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      text_ += {'\\', c};
    } else if (length == 1 && c < ' ') {
      text_ += escaped(static_cast<unsigned char>(c));
    } else {
      text_ += value.substr(0, length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

}  // namespace delassus::numerics
