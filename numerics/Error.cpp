// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>

#include <array>
#include <charconv>

namespace delassus {

Error::Error(const std::string& message) : std::runtime_error(message) {
}

Error::Error(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {
}

std::string toText(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace delassus
