// SPDX-License-Identifier: Apache-2.0
#include "CommandLine.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

namespace {

// A check that takes texts of numbers with the property `isRight`, as CLI11 reads them. (The range checks of CLI11 let
// NaN pass: it is neither below nor above.)
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
  constexpr double smallestMagnitude = 1e-60, largestMagnitude = 1e60;
  const double magnitude = std::abs(value);  // no comparison with NaN holds
  return magnitude == 0. || (magnitude >= smallestMagnitude && magnitude <= largestMagnitude);
}

CLI::Option& sensible(CLI::Option* option) {
  return *option->check(numberCheck("a finite number, 0 or of a magnitude between 1e-60 and 1e60", "", isSensible));
}

// What was given on the command line, or else stands without it.
std::string valueOf(const CLI::Option& option) {
  if (option.count() == 0) return option.get_expected_max() == 0 ? "false" : option.get_default_str();
  const std::string values = CLI::detail::join(option.results(), ",");
  return option.get_items_expected_max() > 1 ? '[' + values + ']' : values;  // as CLI11 writes defaults
}

}  // namespace

CommandLineOption& CommandLineOption::positive() {
  option_.check(numberCheck("a number above 0", "POSITIVE", [](double value) { return value > 0.; }));
  return *this;
}

CommandLineOption& CommandLineOption::notNegative() {
  option_.check(numberCheck("a number not below 0", "NOT NEGATIVE", [](double value) { return value >= 0.; }));
  return *this;
}

CommandLineOption& CommandLineOption::between(double smallest, double largest) {
  const std::string range = CLI::detail::to_string(smallest) + " to " + CLI::detail::to_string(largest);
  option_.check(numberCheck("a number from " + range, range,
                            [=](double value) { return value >= smallest && value <= largest; }));
  return *this;
}

CommandLineOption& CommandLineOption::between(int smallest, int largest) {
  option_.check(CLI::Range(smallest, largest));
  return *this;
}

CommandLineOption& CommandLineOption::oneOf(std::initializer_list<std::string> words) {
  option_.check(CLI::IsMember(words));
  return *this;
}

CommandLineOption& CommandLineOption::values(int count) {
  option_.expected(count);
  return *this;
}

CommandLineOption& CommandLineOption::separatedBy(char separator) {
  option_.delimiter(separator);
  return *this;
}

CommandLine::CommandLine(const std::string& program, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, program)) {
  app_->option_defaults()->always_capture_default();
}

CommandLine::~CommandLine() = default;

CommandLineOption CommandLine::add(const char* name, double& value, const char* text) {
  return CommandLineOption(sensible(app_->add_option(name, value, text)));
}

CommandLineOption CommandLine::add(const char* name, std::size_t& value, const char* text) {
  return CommandLineOption(*app_->add_option(name, value, text));
}

CommandLineOption CommandLine::add(const char* name, std::string& value, const char* text) {
  return CommandLineOption(*app_->add_option(name, value, text));
}

CommandLineOption CommandLine::add(const char* name, std::vector<double>& value, const char* text) {
  return CommandLineOption(sensible(app_->add_option(name, value, text)));
}

CommandLineOption CommandLine::add(const char* name, std::vector<std::string>& value, const char* text) {
  return CommandLineOption(*app_->add_option(name, value, text));
}

void CommandLine::addFlag(const char* name, bool& value, const char* text) {
  app_->add_flag(name, value, text);
}

void CommandLine::addWords(const char* name, const std::vector<std::string>& words, const std::string& word,
                           const char* text, const std::function<void(std::size_t)>& take) {
  const auto takeWord = [words, take](const std::string& given) {
    take(static_cast<std::size_t>(std::find(words.begin(), words.end(), given) - words.begin()));
  };
  app_->add_option_function<std::string>(name, takeWord, text)->default_str(word)->check(CLI::IsMember(words));
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error);
  }
  return std::nullopt;
}

std::string CommandLine::program() const {
  return app_->get_name();
}

std::vector<std::pair<std::string, std::string>> CommandLine::settings() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const CLI::Option* const option : std::as_const(*app_).get_options()) {
    if (option != app_->get_help_ptr()) all.emplace_back(option->get_single_name(), valueOf(*option));
  }
  return all;
}
