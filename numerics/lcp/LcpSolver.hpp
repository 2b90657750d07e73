// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <string_view>

namespace delassus::numerics {

/// A method for LCP(M, q), with the workspace that it reuses: after a first solve of some size, further
/// solves of that size do not allocate unless a solver says otherwise.
///
///     LemkeSolver solver;
///     Vector z, w;
///     SolveReport report = solver.solve(problem, z, w);
///     if (!report.converged()) std::cerr << report.summary() << '\n';
class LcpSolver {
 public:
  virtual ~LcpSolver() = default;

  virtual std::string_view name() const = 0;

  /// Solves, then certifies: the report's error is lcpError of the answer, and its status is
  /// `converged` if and only if that is at most the solver's tolerance.
  ///
  /// z is the start where the method can use one, and the answer; an empty z starts from zero.
  /// w = M z + q on return. Throws Error if z has another size than the problem, or the problem or
  /// z is not finite. An answer that did not converge is in z as the best the method has.
  SolveReport solve(const LinearComplementarityProblem& problem, Vector& z, Vector& w);

  /// What the certificate is compared with.
  virtual double tolerance() const = 0;

 protected:
  /// What a method says of itself: `converged` if it stopped on its own criterion.
  struct Outcome {
    SolveStatus status = SolveStatus::numericalFailure;
    std::size_t iterations = 0;
    std::string_view reason = {};
  };

  LcpSolver() = default;
  LcpSolver(const LcpSolver&) = default;
  LcpSolver(LcpSolver&&) = default;
  LcpSolver& operator=(const LcpSolver&) = default;
  LcpSolver& operator=(LcpSolver&&) = default;

 private:
  /// z has the size of the problem and holds the start; only z is to be set.
  virtual Outcome compute(const LinearComplementarityProblem& problem, Vector& z) = 0;

  std::uint64_t validatedStamp_ = 0;
};

}  // namespace delassus::numerics
