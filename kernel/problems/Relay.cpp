// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/Relay.hpp>

namespace delassus {

Relay::Relay() {
  addDefaults();
}

void Relay::makeDefaults(double tolerance) {
  add(RelayDirectSolver({.tolerance = tolerance}));
  add(AutomaticRelaySolver({.tolerance = tolerance}));
}

void Relay::state(DelassusAssembly& assembly, const StepEquations& equations, numerics::RelayProblem& problem) {
  assembly.assembleMatrix(equations, problem.M());
  assembly.updateBounds(equations, problem.lower(), problem.upper());
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
