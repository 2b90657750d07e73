// SPDX-License-Identifier: Apache-2.0
#include "NumberChecks.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <string>

namespace {

// A check that takes texts of numbers with the property `isRight`, as CLI11 reads them.
CLI::Validator numberCheck(const std::string& expected, const std::string& description,
                           const std::function<bool(double)>& isRight) {
  const auto check = [expected, isRight](const std::string& text) {
    double value = 0.;
    const bool right = CLI::detail::lexical_cast(text, value) && isRight(value);
    return right ? std::string() : "expected " + expected + ", got '" + text + "'";
  };
  return CLI::Validator(check, description);
}

bool isSensible(double value) {
  const double magnitude = std::abs(value);  // no comparison with NaN holds
  return magnitude == 0. || (magnitude >= smallestMagnitude && magnitude <= largestMagnitude);
}

}  // namespace

CLI::Validator positiveNumber() {
  return numberCheck("a number above 0", "POSITIVE", [](double value) { return value > 0.; });
}

CLI::Validator notNegativeNumber() {
  return numberCheck("a number not below 0", "NOT NEGATIVE", [](double value) { return value >= 0.; });
}

CLI::Validator numberBetween(double smallest, double largest) {
  const std::string range = CLI::detail::to_string(smallest) + " to " + CLI::detail::to_string(largest);
  return numberCheck("a number from " + range, range,
                     [=](double value) { return value >= smallest && value <= largest; });
}

void checkNumbers(CLI::App& app) {
  const CLI::Validator check =
      numberCheck("a finite number, 0 or of a magnitude between 1e-60 and 1e60", "", isSensible);
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_type_name().starts_with(CLI::detail::type_name<double>())) option->check(check);
  }
}
