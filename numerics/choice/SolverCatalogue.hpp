// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// Settings common to all solvers of all classes.
struct SolverSettings {
  double tolerance = 1e-8;  ///< error up to which an answer is certified
  /// 0: the solver's default. AutomaticBoxSolver passes it on to its methods that have such a limit. No effect on
  /// solvers without such a limit: enumeration; `least_norm` of MLCP; `lemke` of relay; `frictionless`; `reduction`,
  /// and the automatic choices of friction and of global forms.
  std::size_t maxIterations = 0;
  Settings options = {};  ///< further options of the solver, by the names of the members of its options struct
};

/// A solver by its name, for programs that choose at run time. `Root` is the class whose certificate it has.
template <class Root>
struct SolverEntry {
  std::string_view name;     ///< lower case with underscores: "lemke", "nsgs"
  std::string_view summary;  ///< one line
  /// A new solver. Throws Error for settings that it does not take.
  std::unique_ptr<CertifiedSolver<Root>> (*make)(const SolverSettings& settings);
  /// What the options of its settings may be, a line each; null where it has none.
  std::string (*options)() = nullptr;
};

/// All solvers of a problem class, "automatic" first. Defined for LinearComplementarityProblem,
/// MixedLinearComplementarityProblem, RelayProblem, FrictionContactProblem, GlobalFrictionContactProblem,
/// GenericMechanicalProblem, GlobalMechanicalProblem, VariationalInequality, NonlinearComplementarityProblem and
/// MixedComplementarityProblem.
template <class Problem>
std::span<const SolverEntry<RootOf<Problem>>> solversFor();

/// The solver of that name. Throws Error, listing the names, if there is none.
template <class Problem>
std::unique_ptr<AnySolver<Problem>> solverNamed(std::string_view name, const SolverSettings& settings = {}) {
  std::string names;
  for (const auto& entry : solversFor<Problem>()) {
    if (entry.name == name) return entry.make(settings);
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error("solver catalogue", "there is no solver '" + std::string(name) + "'; there are " + names + ".");
}

/// `options` with the tolerance of the settings, their iteration limit where one is set and the options have it, and
/// the further options that they name. Throws Error for names and values that these options do not take.
template <class Options>
Options optionsFrom(const SolverSettings& settings, Options options = {}) {
  options.tolerance = settings.tolerance;
  if constexpr (requires { options.maxIterations; }) {
    if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  }
  if constexpr (requires { options.maxPivots; }) options.maxPivots = settings.maxIterations;
  for (const Setting& setting : settings.options.list()) {
    setField("solver catalogue", options.fields(), setting.name, setting.value);
  }
  return options;
}

}  // namespace delassus::numerics
