// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LcpSolver.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/lcp/LcpError.hpp>

namespace delassus::numerics {

SolveReport LcpSolver::solve(const LinearComplementarityProblem& problem, Vector& z, Vector& w) {
  const std::size_t n = problem.size();
  if (problem.M().stamp() != validatedStamp_) {
    problem.validate();
    validatedStamp_ = problem.M().stamp();
  } else {
    requireSize(problem.q(), problem.M().size(), "LinearComplementarityProblem: q");
    requireFinite(problem.q(), "LinearComplementarityProblem: q");
  }
  if (z.size() == 0) assignZero(z, n);
  requireSize(z, n, "LcpSolver: the start z");
  requireFinite(z, "LcpSolver: the start z");

  const Outcome outcome = compute(problem, z);

  SolveReport report;
  report.solver = name();
  report.tolerance = tolerance();
  report.iterations = outcome.iterations;
  report.reason = outcome.reason;
  report.error = lcpError(problem, z, w);
  if (report.error <= report.tolerance) {
    report.status = SolveStatus::converged;
    report.reason = {};
  } else {
    report.status = outcome.status == SolveStatus::converged ? SolveStatus::inaccurate : outcome.status;
  }
  return report;
}

}  // namespace delassus::numerics
