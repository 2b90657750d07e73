// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What an option of a program takes; its messages name the option and what came.
class CommandLineOption {
 public:
  explicit CommandLineOption(CLI::Option& option) : option_(option) {}

  CommandLineOption& positive();
  CommandLineOption& notNegative();
  /// The limits are allowed.
  ///@{
  CommandLineOption& between(double smallest, double largest);
  CommandLineOption& between(int smallest, int largest);
  ///@}
  CommandLineOption& oneOf(std::initializer_list<std::string> words);
  /// So many values, one after the other.
  CommandLineOption& values(int count);
  /// Values in one word, with `separator` between them.
  CommandLineOption& separatedBy(char separator);

 private:
  CLI::Option& option_;
};

/// The options of a program, which CLI11 reads and lists. CLI11 is compiled once for all examples: each of them would
/// take twice as long with it.
///
///     line.add("--mass", o.mass, "Mass, kg").positive();
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// An option for `value`, which keeps what it is where the option is not given. Numbers are finite, and 0 or of a
  /// magnitude between 1e-60 and 1e60: quantities in SI units lie far inside, and products of three of them are still
  /// finite numbers that are not 0.
  ///@{
  CommandLineOption add(const char* name, double& value, const char* text);
  CommandLineOption add(const char* name, std::size_t& value, const char* text);
  CommandLineOption add(const char* name, std::string& value, const char* text);
  CommandLineOption add(const char* name, std::vector<double>& value, const char* text);
  CommandLineOption add(const char* name, std::vector<std::string>& value, const char* text);
  ///@}
  /// One that is given without a value.
  void addFlag(const char* name, bool& value, const char* text);
  /// One that takes the words of `choices`, each with the value that it stands for.
  template <class Value>
  void addChoice(const char* name, Value& value, const std::vector<std::pair<std::string, Value>>& choices,
                 const char* text) {
    std::vector<std::string> words;
    std::string word;
    for (const auto& choice : choices) {
      words.push_back(choice.first);
      if (choice.second == value) word = choice.first;
    }
    addWords(name, words, word, text, [&value, choices](std::size_t place) { value = choices[place].second; });
  }

  /// Reads the arguments. What the program is to return where it ends with that: after --help, or where it refuses
  /// them.
  std::optional<int> parse(int argc, const char* const* argv);

  std::string program() const;
  /// All options but --help, with what was given or else stands without it.
  std::vector<std::pair<std::string, std::string>> settings() const;

 private:
  void addWords(const char* name, const std::vector<std::string>& words, const std::string& word, const char* text,
                const std::function<void(std::size_t)>& take);

  std::unique_ptr<CLI::App> app_;
};
