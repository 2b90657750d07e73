// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/relay/AutomaticRelaySolver.hpp>
#include <delassus/numerics/relay/RelayDirectSolver.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>

namespace delassus::numerics {
namespace {

// In the order of the constructor.
enum Member : std::size_t { direct, pivoting, lcpForm, gaussSeidel, enumeration };

// As in RelayPivotingSolver, which factors a symmetric M sparse.
constexpr double symmetryTolerance = 1e-8;

}  // namespace

AutomaticRelaySolver::AutomaticRelaySolver(AutomaticRelayOptions options)
    : WithOptions("AutomaticRelaySolver", options, "AutomaticRelaySolver", options.tolerance) {
  RelayDirectOptions memory;
  memory.tolerance = options.tolerance;
  memory.rememberSize = options.rememberSize;
  memory.enumerateSize = 0;  // it comes last here
  memory.maxIterations = options.maxIterations;
  add(std::make_unique<RelayDirectSolver>(memory));
  RelayPivotingOptions exchanges;
  exchanges.tolerance = options.tolerance;
  if (options.maxIterations > 0) exchanges.maxIterations = options.maxIterations;
  add(std::make_unique<RelayPivotingSolver>(exchanges));
  // Tighter than required, since the error of the LCP is relative to other data.
  AutomaticLcpOptions inner;
  inner.tolerance = std::clamp(0.1 * options.tolerance, 1e-12, 1e-8);
  inner.enumerateSize = options.enumerateSize;
  inner.maxIterations = options.maxIterations;
  add(std::make_unique<RelayLemkeSolver>(RelayLemkeOptions{options.tolerance},
                                         std::make_unique<AutomaticLcpSolver>(inner)));
  RelayGaussSeidelOptions sweeps;
  sweeps.tolerance = options.tolerance;
  if (options.maxIterations > 0) sweeps.maxIterations = options.maxIterations;
  add(std::make_unique<RelayGaussSeidelSolver>(sweeps));
  RelayEnumerationOptions bases;
  bases.tolerance = options.tolerance;
  bases.maxSize = options.enumerateSize;
  add(std::make_unique<RelayEnumerationSolver>(bases));
}

void AutomaticRelaySolver::plan(const RelayProblem& problem, std::vector<std::size_t>& order) {
  if (stamp_ != problem.stamp()) {
    symmetric_ = problem.M().isSymmetric(symmetryTolerance);
    stamp_ = problem.stamp();
  }
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
