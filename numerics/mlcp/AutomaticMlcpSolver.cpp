// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpGaussSeidelSolver.hpp>
#include <delassus/numerics/mlcp/MlcpLeastNormSolver.hpp>

namespace delassus::numerics {
namespace {

using Problem = MixedLinearComplementarityProblem;

enum Number : std::size_t { direct, leastNorm, fischerBurmeister, gaussSeidel, enumeration };

}  // namespace

AutomaticMlcpSolver::AutomaticMlcpSolver(AutomaticMlcpOptions options)
    : WithOptions("AutomaticMlcpSolver", options, "AutomaticMlcpSolver", options.tolerance) {
}

AutomaticMlcpSolver::Member AutomaticMlcpSolver::make(std::size_t number) {
  const double tolerance = options_.tolerance;
  const SolverSettings common{tolerance, options_.maxIterations};
  switch (number) {
    case direct:  // without enumeration, which comes last here
      return std::make_unique<MlcpDirectSolver>(MlcpDirectOptions{.tolerance = tolerance, .maxPairs = 0});
    case leastNorm:
      return std::make_unique<MlcpLeastNormSolver>(MlcpLeastNormOptions{tolerance});
    case fischerBurmeister:
      return makeSolver<Problem, MlcpFischerBurmeisterSolver, MlcpFischerBurmeisterOptions>(common);
    case gaussSeidel:
      return makeSolver<Problem, MlcpGaussSeidelSolver, MlcpGaussSeidelOptions>(common);
    case enumeration:
      return std::make_unique<MlcpEnumerationSolver>(
          MlcpEnumerationOptions{.tolerance = tolerance, .maxPairs = options_.enumeratePairs});
    default:
      return nullptr;
  }
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
