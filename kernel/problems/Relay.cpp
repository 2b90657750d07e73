// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/Relay.hpp>

namespace delassus {

void Relay::state(DelassusAssembly& assembly, const OneStepIntegrator& integrator, numerics::RelayProblem& problem) {
  assembly.assembleMatrix(integrator, problem.M());
  assembly.updateBounds(integrator, problem.lower(), problem.upper());
  assembly.assembleVector(integrator, problem.q());
}

}  // namespace delassus
