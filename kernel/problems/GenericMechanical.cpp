// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GenericMechanical.hpp>

namespace delassus {
namespace {

void addMechanicalDefaults(SolverList<numerics::GenericMechanicalProblem>& solvers, double tolerance) {
  solvers.add(numerics::AutomaticMechanicalSolver({.tolerance = tolerance}));
}

}  // namespace

GenericMechanical::GenericMechanical() : LinearOSNS(Chain(addMechanicalDefaults)) {
}

void GenericMechanical::state(DelassusAssembly& assembly, const StepEquations& equations,
                              numerics::GenericMechanicalProblem& problem) {
  assembly.state(equations, problem);
}

}  // namespace delassus
