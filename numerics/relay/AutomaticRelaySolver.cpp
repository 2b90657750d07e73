// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <delassus/numerics/relay/RelayDirectSolver.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>

namespace delassus::numerics {
namespace {

enum Number : std::size_t { direct, pivoting, lcpForm, gaussSeidel, enumeration };

}  // namespace

AutomaticRelaySolver::AutomaticRelaySolver(AutomaticRelayOptions options)
    : WithOptions("AutomaticRelaySolver", options, "AutomaticRelaySolver", options.tolerance) {
}

AutomaticRelaySolver::Member AutomaticRelaySolver::make(std::size_t number) {
  const double tolerance = options_.tolerance;
  const SolverSettings common{tolerance, options_.maxIterations};
  switch (number) {
    case direct:  // without enumeration, which comes last here
      return std::make_unique<RelayDirectSolver>(
          optionsFrom(common, RelayDirectOptions{.rememberSize = options_.rememberSize, .enumerateSize = 0}));
    case pivoting:
      return makeSolver<RelayProblem, RelayPivotingSolver, RelayPivotingOptions>(common);
    case lcpForm:  // tighter than required, since the error of the LCP is relative to other data
      return std::make_unique<RelayLemkeSolver>(
          RelayLemkeOptions{tolerance}, std::make_unique<AutomaticLcpSolver>(
                                            AutomaticLcpOptions{.tolerance = std::clamp(0.1 * tolerance, 1e-12, 1e-8),
                                                                .enumerateSize = options_.enumerateSize,
                                                                .maxIterations = options_.maxIterations}));
    case gaussSeidel:
      return makeSolver<RelayProblem, RelayGaussSeidelSolver, RelayGaussSeidelOptions>(common);
    case enumeration:
      return std::make_unique<RelayEnumerationSolver>(
          RelayEnumerationOptions{.tolerance = tolerance, .maxSize = options_.enumerateSize});
    default:
      return nullptr;
  }
}

void AutomaticRelaySolver::plan(const RelayProblem& problem, std::vector<std::size_t>& order) {
  symmetricFrom_.renew(problem.stamp(), [&] { symmetric_ = problem.M().isSymmetric(); });
  if (problem.size() <= options_.rememberSize) {
    order.assign({direct, lcpForm, gaussSeidel});
  } else if (problem.size() <= options_.denseSize) {
    order.assign({pivoting, lcpForm, gaussSeidel});
  } else if (symmetric_ || !PrincipalLU::isNearlyFull(problem.M())) {
    order.assign({pivoting, gaussSeidel});
  } else {
    order.assign({gaussSeidel, pivoting});
  }
  if (problem.size() <= options_.enumerateSize) order.push_back(enumeration);
}

bool AutomaticRelaySolver::proves(std::size_t, const RelayProblem&, const SolveReport&) {
  // Every member says it only with a proof.
  return true;
}

}  // namespace delassus::numerics
