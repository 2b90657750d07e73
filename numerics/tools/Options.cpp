// SPDX-License-Identifier: Apache-2.0
#include "Options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <delassus/Config.hpp>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>

namespace delassus::tools {
namespace {

// A whole text as a finite number.
std::optional<double> parseFinite(std::string_view text) {
  double value = 0.;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string checkSeconds(const std::string& text) {
  const std::optional<double> value = parseFinite(text);
  return value && *value >= 0. ? "" : "expected a finite number of seconds, not below 0, got '" + text + "'";
}

std::string checkCount(const std::string& text) {
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole ? "" : "expected a whole number, not below 0, got '" + text + "'";
}

// "1e-4,1e-8" as numbers; an empty list where one is none or not positive.
std::vector<double> parseTolerances(const std::string& text) {
  std::vector<double> tolerances;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    const std::optional<double> value = parseFinite(part);
    if (!value || !(*value > 0.)) return {};
    tolerances.push_back(*value);
  }
  return tolerances;
}

std::string checkTolerances(const std::string& text) {
  return parseTolerances(text).empty() ? "expected positive, finite numbers with commas between, got '" + text + "'"
                                       : "";
}

// "patience=5". The tolerance has an option of its own: results are listed by it.
std::string checkNamedValue(const std::string& text) {
  const std::size_t end = text.find('=');
  if (end == 0 || end == std::string::npos) return "expected NAME=VALUE, got '" + text + "'";
  return text.substr(0, end) == "tolerance" ? "give the tolerance with --tolerance, not '" + text + "'" : "";
}

const std::map<std::string, numerics::ErrorMeasure> measures{{"published", numerics::ErrorMeasure::published},
                                                             {"scaled", numerics::ErrorMeasure::scaled}};

const std::map<std::string, numerics::TextStorage> storages{{"natural", numerics::TextStorage::natural},
                                                            {"dense", numerics::TextStorage::dense},
                                                            {"blocks", numerics::TextStorage::blocks},
                                                            {"sparse", numerics::TextStorage::sparse}};

const std::map<std::string, numerics::ProblemClass> classes{
    {"lcp", numerics::ProblemClass::lcp},
    {"mlcp", numerics::ProblemClass::mlcp},
    {"relay", numerics::ProblemClass::relay},
    {"friction", numerics::ProblemClass::friction},
    {"global_friction", numerics::ProblemClass::globalFriction},
    {"mechanical", numerics::ProblemClass::mechanical},
    {"global_mechanical", numerics::ProblemClass::globalMechanical},
    {"rolling", numerics::ProblemClass::rolling},
    {"second_order", numerics::ProblemClass::secondOrder},
    {"typed_parts", numerics::ProblemClass::typedParts},
    {"plasticity", numerics::ProblemClass::plasticity}};

template <class Value>
std::vector<std::string> namesOf(const std::map<std::string, Value>& values) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

// Options that must be read as text before they get their type.
struct Texts {
  std::string tolerance = "1e-8";
  std::string measure = "published";
  std::string storage = "natural";
  std::string problemClass;
  std::vector<std::string> solverOptions;
};

void addSolvingOptions(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("FILE", options.files, "Problem files: text (.dat) or FCLIB (.hdf5)");
  app.add_option("--solver", options.solver, "A solver of --list, or 'all' for every one that applies");
  app.add_option("--tolerance", texts.tolerance, "What the error measure must meet; several with commas between")
      ->check(CLI::Validator(checkTolerances, "X[,X...]"));
  app.add_option("--max-iterations", options.maxIterations, "Iteration limit; 0: the solver's own")
      ->check(CLI::Validator(checkCount, "N"));
  app.add_option("--option", texts.solverOptions,
                 "An option of the solver; repeatable (--list --solver NAME tells them)")
      ->check(CLI::Validator(checkNamedValue, "NAME=VALUE"))
      ->allow_extra_args(false)
      ->default_str("");
  app.add_option("--time-limit", options.timeLimit, "Time limit of a solve, s; 0: none")
      ->check(CLI::Validator(checkSeconds, "S"));
  app.add_option("--repeat", options.repeat, "Solves of which the median time is told")->check(CLI::Range(1, 1000000));
  app.add_option("--measure", texts.measure, "Error measure: as results are published, or the library's scaled one")
      ->check(CLI::IsMember(namesOf(measures)));
  app.add_option("--class", texts.problemClass, "Class of the files (default: recognised)")
      ->check(CLI::IsMember(namesOf(classes)));
  app.add_option("--max-bytes", options.largestFile, "Size above which a file is refused, bytes")
      ->check(CLI::Validator(checkCount, "N"));
}

void addOutputOptions(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("--solution", options.solutionFile, "Write the unknowns to this file, as JSON");
  app.add_flag("--json", options.json, "Print results as JSON");
  app.add_flag("--markdown", options.markdown, "Print results as a Markdown table for each class");
  app.add_flag("--list", options.list, "List the solvers of each class, or the options of --solver, and end");
  app.add_option("--convert", options.convertFile,
                 "Write the problem of the one FILE to this file, and end; .hdf5 and .h5: FCLIB, else text");
  app.add_option("--storage", texts.storage, "Matrices of a text file that --convert writes")
      ->check(CLI::IsMember(namesOf(storages)));
  app.add_option("--profile", options.profileFolder, "Write performance profiles (data and picture) to this folder");
}

void checkTogether(const Options& options, const Texts& texts) {
  if (options.files.empty() && !options.list) throw CLI::RequiredError("FILE");
  if (!options.convertFile.empty() && options.files.size() != 1) {
    throw CLI::ValidationError("--convert", "expected one FILE");
  }
  // One name means different things in different solvers.
  if (options.solver == "all" && !texts.solverOptions.empty()) {
    throw CLI::ValidationError("--option", "expected one --solver, not 'all'");
  }
  if (options.json && options.markdown) throw CLI::ValidationError("--json", "excludes --markdown");
}

}  // namespace

std::optional<int> parseCommandLine(int argc, char** argv, Options& options) {
  CLI::App app(
      "Solves complementarity and friction contact problems from files. The reported residual is computed\n"
      "after each solve by code that no solver shares. Ends with 0 only if all converged.",
      "delassus-solve");
  app.option_defaults()->always_capture_default();
  app.set_version_flag("--version", std::string("delassus-solve ") + libraryVersion);
  Texts texts;
  addSolvingOptions(app, options, texts);
  addOutputOptions(app, options, texts);
  try {
    app.parse(argc, argv);
    checkTogether(options, texts);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  options.listOptions = options.list && app.count("--solver") > 0;
  for (const std::string& text : texts.solverOptions) {
    const std::size_t end = text.find('=');
    options.solverOptions.add(text.substr(0, end), text.substr(end + 1));
  }
  options.tolerances = parseTolerances(texts.tolerance);
  options.measure = measures.at(texts.measure);
  options.storage = storages.at(texts.storage);
  if (!texts.problemClass.empty()) options.problemClass = classes.at(texts.problemClass);
  return std::nullopt;
}

}  // namespace delassus::tools
