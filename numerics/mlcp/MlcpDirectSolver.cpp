// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/MlcpDirectSolver.hpp>

namespace delassus::numerics {

MlcpDirectSolver::MlcpDirectSolver(MlcpDirectOptions options)
    : WithOptions("MlcpDirectSolver", options, options.memory),
      reduction_(MlcpReductionOptions{options.tolerance}),
      enumeration_(MlcpEnumerationOptions{options.tolerance, options.maxPairs}) {
}

MlcpSolver* MlcpDirectSolver::method(std::size_t earlier, const MixedLinearComplementarityProblem& problem) {
  if (earlier == 0) return &reduction_;
  return earlier == 1 && problem.complementarities() <= options_.maxPairs ? &enumeration_ : nullptr;
}

void MlcpDirectSolver::serializeState(StateArchive& archive) {
  DirectSolver::serializeState(archive);
  reduction_.serializeState(archive);
}

}  // namespace delassus::numerics
