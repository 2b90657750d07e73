// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpGaussSeidelSolver.hpp>
#include <delassus/numerics/mlcp/MlcpLeastNormSolver.hpp>

namespace delassus::numerics {
namespace {

// In the order of the constructor.
enum Member : std::size_t { direct, leastNorm, fischerBurmeister, gaussSeidel, enumeration };

}  // namespace

AutomaticMlcpSolver::AutomaticMlcpSolver(AutomaticMlcpOptions options)
    : WithOptions("AutomaticMlcpSolver", options, "AutomaticMlcpSolver", options.tolerance) {
  MlcpDirectOptions memory;
  memory.tolerance = options.tolerance;
  memory.maxPairs = 0;  // enumeration comes last here
  add(std::make_unique<MlcpDirectSolver>(memory));
  add(std::make_unique<MlcpLeastNormSolver>(MlcpLeastNormOptions{options.tolerance}));
  MlcpFischerBurmeisterOptions newton;
  newton.tolerance = options.tolerance;
  if (options.maxIterations > 0) newton.maxIterations = options.maxIterations;
  add(std::make_unique<MlcpFischerBurmeisterSolver>(newton));
  MlcpGaussSeidelOptions sweeps;
  sweeps.tolerance = options.tolerance;
  if (options.maxIterations > 0) sweeps.maxIterations = options.maxIterations;
  add(std::make_unique<MlcpGaussSeidelSolver>(sweeps));
  MlcpEnumerationOptions bases;
  bases.tolerance = options.tolerance;
  bases.maxPairs = options.enumeratePairs;
  add(std::make_unique<MlcpEnumerationSolver>(bases));
}

void AutomaticMlcpSolver::plan(const MixedLinearComplementarityProblem& problem, std::vector<std::size_t>& order) {
  if (problem.rows() == problem.size()) {
    order.assign({direct, leastNorm, fischerBurmeister, gaussSeidel});
  } else {
    order.assign({leastNorm, direct, fischerBurmeister});
  }
  if (problem.complementarities() <= options_.enumeratePairs) order.push_back(enumeration);
}

bool AutomaticMlcpSolver::proves(std::size_t, const MixedLinearComplementarityProblem&, const SolveReport&) {
  // Every member says it only with a proof.
  return true;
}

}  // namespace delassus::numerics
