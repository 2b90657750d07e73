// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/FrictionlessSolver.hpp>

#include <delassus/numerics/problem/Infeasibility.hpp>

namespace delassus::numerics {
FrictionlessSolver::FrictionlessSolver(LcpActiveSetOptions options) : tolerance_(options.tolerance), normal_(options) {
}

void FrictionlessSolver::formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
  BlockSparseMatrix& M = lcp_.M();
  M.clear();
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    M.beginRow(1);
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) M.addBlock(W.column(k));
  }
  M.finish();
  for (std::size_t k = 0; k < W.blockCount(); ++k) *M.block(k) = *W.block(k);
  M.touch();
  if (lcp_.q().size() != problem.contacts()) lcp_.q().resize(problem.contacts(), false);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    lcp_.q()(contact) = problem.q()(problem.dimension() * contact);
  }
}

FrictionlessSolver::Outcome FrictionlessSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  formulate(problem, problem.matrix());
  assignZero(z_, problem.contacts());
  normal_.setTimeLimit(remainingTime());
  normal_.setObserver(observer());
  const SolveReport report = normal_.solve(lcp_, z_, w_);
  setZero(r);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    r(problem.dimension() * contact) = z_(contact);
  }
  if (report.status != SolveStatus::infeasible) return {report.status, report.iterations, report.reason};
  if (provesInfeasible(problem, alongNormals(problem.dimension(), direction()))) {
    return {SolveStatus::infeasible, report.iterations,
            "normal reactions in balance with each other face a closing velocity: no reactions keep the contacts open"};
  }
  return {SolveStatus::inaccurate, report.iterations, "without friction there is no solution"};
}

}  // namespace delassus::numerics
