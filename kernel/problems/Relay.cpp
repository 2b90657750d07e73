// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/Relay.hpp>

namespace delassus {
namespace {

void addRelayDefaults(SolverList<numerics::RelayProblem>& solvers, double tolerance) {
  solvers.add(RelayDirectSolver({.tolerance = tolerance}));
  solvers.add(AutomaticRelaySolver({.tolerance = tolerance}));
}

}  // namespace

Relay::Relay() : LinearOSNS(Chain(addRelayDefaults)) {
}

void Relay::state(DelassusAssembly& assembly, const StepEquations& equations, numerics::RelayProblem& problem) {
  assembly.assembleMatrix(equations, problem.M());
  assembly.updateBounds(equations, problem.lower(), problem.upper());
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
