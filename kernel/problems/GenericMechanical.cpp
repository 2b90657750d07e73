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
  if (assembly.assembleMatrix(equations, problem.W())) {
    problem.parts().clear();
    for (const ActiveBlocks::ActiveBlock& block : assembly.blocks()) {
      problem.parts().push_back({assembly.law(block).set(), block.size});
    }
  }
  assembly.updateBounds(equations, problem.lower(), problem.upper());
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
