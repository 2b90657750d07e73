// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Settings.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <delassus/numerics/algebra/SquareMatrix.hpp>

namespace delassus {
namespace {

constexpr std::size_t mostShown = 16;

// FNV-1a over the bits of the numbers.
std::string checksum(std::span<const double> values) {
  std::uint64_t sum = 14695981039346656037ull;
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8) sum = (sum ^ ((bits >> shift) & 0xffu)) * 1099511628211ull;
  }
  std::array<char, 16> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), sum, 16).ptr;
  return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

std::string size(std::size_t n) {
  return std::to_string(n) + " numbers";
}

}  // namespace

void Settings::add(std::string name, const Vector& value) {
  add(std::move(name), std::span<const double>(delassus::data(value), value.size()));
}

void Settings::add(std::string name, std::span<const double> values) {
  std::string text;
  if (values.size() > mostShown) {
    text = size(values.size()) + " with checksum " + checksum(values);
  } else {
    for (const double value : values) text += (text.empty() ? "(" : ", ") + toText(value);
    text += text.empty() ? "()" : ")";
  }
  list_.push_back({std::move(name), std::move(text)});
}

void Settings::add(const std::string& name, const SquareMatrix& value) {
  if (!value.isSparse()) return add(name, value.dense());
  add(name + ".entries", std::span<const double>(value.sparse().value_data().data(), entryCount(value.sparse())));
}

void Settings::add(std::string name, const Matrix& value) {
  const std::size_t count = value.size1() * value.size2();
  std::string text;
  if (count > mostShown) {
    text = std::to_string(value.size1()) + " x " + std::to_string(value.size2()) + " with checksum " +
           checksum(std::span<const double>(delassus::data(value), count));
  } else {
    for (std::size_t i = 0; i < value.size1(); ++i) {
      for (std::size_t j = 0; j < value.size2(); ++j) {
        text += (j > 0 ? ", " : i > 0 ? "; " : "(") + toText(value(i, j));
      }
    }
    text += text.empty() ? "()" : ")";
  }
  list_.push_back({std::move(name), std::move(text)});
}

}  // namespace delassus
