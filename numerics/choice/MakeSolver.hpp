// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// `options` with the tolerance of the settings, their iteration limit where one is set and the options have it, and
/// the further options that they name. Throws Error for names and values that these options do not take.
template <class Options>
Options optionsFrom(const SolverSettings& settings, Options options = {}) {
  options.tolerance = settings.tolerance;
  if constexpr (requires { options.maxIterations; }) {
    if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  }
  for (const Setting& setting : settings.options.list()) {
    setField("solver catalogue", options.fields(), setting.name, setting.value);
  }
  return options;
}

/// For SolverEntry::make of a solver whose constructor takes its options.
template <class Problem, class Method, class Options>
std::unique_ptr<AnySolver<Problem>> makeSolver(const SolverSettings& settings) {
  return std::make_unique<Method>(optionsFrom<Options>(settings));
}

/// For SolverEntry::make of a solver that has a tolerance only. Throws Error, naming the solver and the option, if the
/// settings have options.
template <class Problem, class Method>
std::unique_ptr<AnySolver<Problem>> makePlainSolver(const SolverSettings& settings) {
  auto solver = std::make_unique<Method>(settings.tolerance);
  const std::vector<Setting>& options = settings.options.list();
  if (options.empty()) return solver;
  throw Error("solver catalogue",
              std::string(solver->name()) + " has a tolerance only, and no option '" + options.front().name + "'.");
}

/// For SolverEntry::options: the members of an options struct with their usual values.
template <class Options>
std::string describeOptions() {
  Options options;
  return describe(options.fields());
}

/// The entry of a solver whose constructor takes its options.
template <class Method, class Options, class Problem>
constexpr SolverEntry<RootOf<Problem>> entry(std::string_view name, std::string_view summary) {
  return {name, summary, makeSolver<Problem, Method, Options>, describeOptions<Options>};
}

/// The entry of a solver that has a tolerance only.
template <class Method, class Problem>
constexpr SolverEntry<RootOf<Problem>> plainEntry(std::string_view name, std::string_view summary) {
  return {name, summary, makePlainSolver<Problem, Method>};
}

}  // namespace delassus::numerics
