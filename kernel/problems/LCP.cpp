// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>

namespace delassus {
namespace {

numerics::AutomaticBoxSolver lastChoice(double tolerance) {
  numerics::AutomaticBoxOptions options;
  options.tolerance = tolerance;
  options.enumerateSize = 12;  // a step must not take minutes
  return numerics::AutomaticBoxSolver(options);
}

void addLcpDefaults(SolverList<numerics::LinearComplementarityProblem>& solvers, double tolerance) {
  solvers.add(BlockPivotingSolver(numerics::BlockPivotingOptions::ofDefinite(tolerance)));
  solvers.add(numerics::DirectSolver({.tolerance = tolerance}));
  solvers.add(lastChoice(tolerance));
}

}  // namespace

LCP::LCP() : LinearOSNS(Chain(addLcpDefaults)) {
}

std::size_t LCP::firstMember(const numerics::LinearComplementarityProblem& problem) {
  symmetricFrom_.renew(problem.stamp(), [&] { symmetric_ = problem.M().isSymmetric(); });
  if (symmetric_) return 0;
  return problem.size() <= numerics::DirectOptions().rememberSize ? 1 : 2;
}

void LCP::state(DelassusAssembly& assembly, const StepEquations& equations,
                numerics::LinearComplementarityProblem& problem) {
  assembly.assembleMatrix(equations, problem.M());
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
