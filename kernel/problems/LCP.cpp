// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>

namespace delassus {
namespace {

numerics::AutomaticLcpSolver secondChoice() {
  numerics::AutomaticLcpOptions options;
  options.enumerateSize = 12;  // a step is not to take minutes
  return numerics::AutomaticLcpSolver(options);
}

}  // namespace

LCP::LCP() : LCP(BlockPivotingSolver(), secondChoice()) {
}

void LCP::state(DelassusAssembly& assembly, const OneStepIntegrator& integrator,
                numerics::LinearComplementarityProblem& problem) {
  assembly.assembleMatrix(integrator, problem.M());
  assembly.assembleVector(integrator, problem.q());
}

}  // namespace delassus
