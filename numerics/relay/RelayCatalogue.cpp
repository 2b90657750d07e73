// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<RelaySolver>;

// For the methods whose limit is `maxIterations`.
template <class Method, class Options>
Made iterative(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<Method>(options);
}

// For those without one.
template <class Method, class Options>
Made finite(const SolverSettings& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  return std::make_unique<Method>(options);
}

Made automatic(const SolverSettings& settings) {
  AutomaticRelayOptions options;
  options.tolerance = settings.tolerance;
  options.maxIterations = settings.maxIterations;
  return std::make_unique<AutomaticRelaySolver>(options);
}

constexpr std::array<SolverEntry<RelayProblem>, 5> solvers{{
    {"automatic", "pivoting, then the LCP form, then sweeps, until the answer is certified", automatic},
    {"lemke", "Lemke's method on the LCP form", finite<RelayLemkeSolver, RelayLemkeOptions>},
    {"pivoting", "block principal pivoting on the box problem", iterative<RelayPivotingSolver, RelayPivotingOptions>},
    {"pgs", "projected Gauss-Seidel", iterative<RelayGaussSeidelSolver, RelayGaussSeidelOptions>},
    {"enumeration", "all bases, for at most 12 unknowns", finite<RelayEnumerationSolver, RelayEnumerationOptions>},
}};

}  // namespace

template <>
std::span<const SolverEntry<RelayProblem>> solversFor<RelayProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
