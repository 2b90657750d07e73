// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/MLCP.hpp>

namespace delassus {
namespace {

void addMlcpDefaults(SolverList<numerics::MixedLinearComplementarityProblem>& solvers, double tolerance) {
  solvers.add(MlcpDirectSolver({.tolerance = tolerance}));
  solvers.add(AutomaticMlcpSolver({.tolerance = tolerance}));
}

}  // namespace

MLCP::MLCP() : LinearOSNS(Chain(addMlcpDefaults)) {
}

void MLCP::state(DelassusAssembly& assembly, const StepEquations& equations,
                 numerics::MixedLinearComplementarityProblem& problem) {
  using Row = numerics::MixedLinearComplementarityProblem::Row;
  if (assembly.assembleMatrix(equations, W_)) {
    assembly.assembleBounds(lower_, upper_);  // only their signs are read
    std::vector<Row> rows;
    for (const double lower : lower_.data()) rows.push_back(lower < 0. ? Row::equality : Row::complementarity);
    Matrix dense;
    W_.toDense(dense);
    const Vector q(rows.size());  // before rows are moved away
    problem = numerics::MixedLinearComplementarityProblem(std::move(dense), q, std::move(rows));
  } else if (!problemFrom_.isCurrent(W_.stamp())) {
    W_.toDense(problem.M());
    problem.touch();
  }
  if (!problemFrom_.isCurrent(W_.stamp())) {
    problem.adoptStamp(problemFrom_.take(W_.stamp(), problem.stamp()));
  }
  made_ = problem.stamp();
  assembly.assembleVector(equations, problem.q());
}

void MLCP::serializeState(StateArchive& archive) {
  problemFrom_.serializeState(archive, made_);
  LinearOSNS::serializeState(archive);
}

}  // namespace delassus
