// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/Relay.hpp>

namespace delassus {

void Relay::state(DelassusAssembly& assembly, const OneStepBlocks& step, numerics::RelayProblem& problem) {
  assembly.assembleMatrix(step, problem.M());
  assembly.updateBounds(step, problem.lower(), problem.upper());
  assembly.assembleVector(step, problem.q());
}

}  // namespace delassus
