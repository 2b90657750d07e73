// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/Relay.hpp>

namespace delassus {
namespace {

void addRelayDefaults(SolverList<numerics::RelayProblem>& solvers, double tolerance) {
  solvers.add(DirectSolver({.tolerance = tolerance}));
  solvers.add(AutomaticBoxSolver({.tolerance = tolerance}));
}

}  // namespace

Relay::Relay() : LinearOSNS(Chain(addRelayDefaults)) {
}

// Of many rows no active set is remembered.
std::size_t Relay::firstMember(const numerics::RelayProblem& problem) {
  return problem.size() > numerics::DirectOptions().rememberSize ? 1 : 0;
}

void Relay::state(DelassusAssembly& assembly, const StepEquations& equations, numerics::RelayProblem& problem) {
  assembly.assembleMatrix(equations, problem.M());
  assembly.updateBounds(equations, problem.lower(), problem.upper());
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
