// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextReader.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <optional>
#include <system_error>

namespace delassus::numerics {
namespace {

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text(word.substr(0, longest));
  // A binary file must not reach the terminal as it is.
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return "'" + text + (word.size() > longest ? "...'" : "'");
}

struct Parsed {
  double value = 0.;
  bool tooLarge = false;
};

std::optional<Parsed> parseNumber(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  Parsed parsed;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), parsed.value);
  if (end != word.data() + word.size() || failure == std::errc::invalid_argument) return std::nullopt;
  if (failure == std::errc::result_out_of_range) {
    // A number too small for a double is 0; one too large is an error.
    const std::size_t exponent = word.find_first_of("eE");
    parsed.tooLarge = exponent == std::string_view::npos || word.substr(exponent + 1, 1) != "-";
    parsed.value = word[0] == '-' ? -0. : 0.;
  }
  return parsed;
}

}  // namespace

std::string_view TextReader::nextWord() {
  while (position_ < text_.size() && isSpace(text_[position_])) ++position_;
  wordStart_ = position_;
  while (position_ < text_.size() && !isSpace(text_[position_])) ++position_;
  return text_.substr(wordStart_, position_ - wordStart_);
}

std::size_t TextReader::line() const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(wordStart_);
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

void TextReader::fail(const std::string& what) const {
  throw Error(name_ + ", line " + std::to_string(line()), what);
}

std::string_view TextReader::word(std::string_view what) {
  const std::string_view next = nextWord();
  if (next.empty()) fail("expected " + std::string(what) + ", but the file ends.");
  return next;
}

std::size_t TextReader::count(std::string_view what) {
  const std::string_view next = word(what);
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(next.data(), next.data() + next.size(), value);
  if (end != next.data() + next.size() || failure != std::errc()) {
    fail("expected " + std::string(what) + ", a whole number not below 0, got " + quoted(next) + ".");
  }
  return value;
}

double TextReader::extendedNumber(std::string_view what) {
  const std::string_view next = word(what);
  const std::optional<Parsed> parsed = parseNumber(next);
  if (!parsed || std::isnan(parsed->value)) {
    fail("expected " + std::string(what) + ", a number, got " + quoted(next) + ".");
  }
  if (parsed->tooLarge) fail("expected " + std::string(what) + ", but " + quoted(next) + " is too large for a double.");
  return parsed->value;
}

double TextReader::number(std::string_view what) {
  const double value = extendedNumber(what);
  if (!std::isfinite(value)) fail("expected " + std::string(what) + ", a finite number, got " + toText(value) + ".");
  return value;
}

void TextReader::numbers(std::size_t count, double* values, std::string_view what) {
  for (std::size_t i = 0; i < count; ++i) values[i] = number(what);
}

Vector TextReader::vector(std::size_t size, std::string_view what) {
  require(size, what);
  Vector v(size);
  numbers(size, data(v), what);
  return v;
}

void TextReader::require(std::size_t count, std::string_view what) const {
  const std::size_t room = (text_.size() - position_ + 1) / 2;
  if (count <= room) return;
  fail("expected " + std::string(what) + " with " + std::to_string(count) + " numbers, but the rest of the file, " +
       std::to_string(text_.size() - position_) + " bytes, cannot hold so many.");
}

std::size_t TextReader::requireProduct(std::size_t rows, std::size_t columns, std::string_view what) const {
  if (columns != 0 && rows > std::numeric_limits<std::size_t>::max() / columns) {
    fail("expected " + std::string(what) + " that a computer can hold, got " + std::to_string(rows) + " x " +
         std::to_string(columns) + ".");
  }
  require(rows * columns, what);
  return rows * columns;
}

std::size_t TextReader::numbersLeft() const {
  TextReader rest = *this;
  std::size_t count = 0;
  for (std::string_view next = rest.nextWord(); !next.empty() && parseNumber(next); next = rest.nextWord()) ++count;
  return count;
}

}  // namespace delassus::numerics
