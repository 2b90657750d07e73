// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/MLCP.hpp>

namespace delassus {
namespace {

constexpr std::size_t largestRemembered = 3000;  // its bases are dense

void addMlcpDefaults(SolverList<numerics::MixedLinearComplementarityProblem>& solvers, double tolerance) {
  solvers.add(DirectSolver({.tolerance = tolerance, .rememberSize = largestRemembered, .enumerateSize = 14}));
  solvers.add(AutomaticBoxSolver({.tolerance = tolerance}));
}

}  // namespace

MLCP::MLCP() : LinearOSNS(Chain(addMlcpDefaults)) {
}

std::size_t MLCP::firstMember(const numerics::MixedLinearComplementarityProblem& problem) {
  return problem.size() > largestRemembered ? 1 : 0;
}

void MLCP::state(DelassusAssembly& assembly, const StepEquations& equations,
                 numerics::MixedLinearComplementarityProblem& problem) {
  assembly.state(equations, problem);
}

}  // namespace delassus
