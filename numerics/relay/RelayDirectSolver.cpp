// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayDirectSolver.hpp>

namespace delassus::numerics {
namespace {

RelayPivotingOptions exchangesOf(const RelayDirectOptions& options) {
  RelayPivotingOptions exchanges;
  exchanges.tolerance = options.tolerance;
  if (options.maxIterations > 0) exchanges.maxIterations = options.maxIterations;
  return exchanges;
}

}  // namespace

RelayDirectSolver::RelayDirectSolver(RelayDirectOptions options)
    : WithOptions("RelayDirectSolver", options, options.memory, options.rememberSize),
      pivoting_(exchangesOf(options)),
      lemke_(RelayLemkeOptions{options.tolerance}),
      enumeration_(RelayEnumerationOptions{options.tolerance, options.enumerateSize}) {
}

RelaySolver* RelayDirectSolver::method(std::size_t earlier, const RelayProblem& problem) {
  if (earlier == 0) return &pivoting_;
  if (earlier == 1) return &lemke_;
  return earlier == 2 && problem.size() <= options_.enumerateSize ? &enumeration_ : nullptr;
}

void RelayDirectSolver::serializeState(StateArchive& archive) {
  DirectSolver::serializeState(archive);
  lemke_.serializeState(archive);
}

}  // namespace delassus::numerics
