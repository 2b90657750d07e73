// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/SolverCatalogue.hpp>
#include <memory>

namespace delassus::numerics {

/// Options with the tolerance of the settings, and their iteration limit where one is set and the options have it.
template <class Options>
Options optionsFrom(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  if constexpr (requires { options.maxIterations; }) {
    if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  }
  return options;
}

/// For SolverEntry::make of a solver whose constructor takes its options.
template <class Problem, class Method, class Options>
std::unique_ptr<Solver<Problem>> makeSolver(const SolverSettings& settings) {
  return std::make_unique<Method>(optionsFrom<Options>(settings));
}

}  // namespace delassus::numerics
