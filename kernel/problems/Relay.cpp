// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/Relay.hpp>

namespace delassus {

void Relay::state(DelassusAssembly& assembly, const OneStepIntegrator& integrator, numerics::RelayProblem& problem) {
  const bool newIndexSet = assembly.assembleMatrix(integrator, problem.M());
  if (newIndexSet || boundsScale_ != integrator.multiplierScale()) {
    boundsScale_ = integrator.multiplierScale();
    assembly.assembleBounds(boundsScale_, problem.lower(), problem.upper());
  }
  assembly.assembleVector(integrator, problem.q());
}

}  // namespace delassus
