// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// Why a solver stopped.
enum class SolveStatus {
  converged,         ///< the certificate holds: error <= tolerance
  inaccurate,        ///< the solver finished, but its answer does not meet the tolerance
  iterationLimit,    ///< the iteration limit was reached before the tolerance
  timeLimit,         ///< the time limit was reached before the tolerance
  infeasible,        ///< there is no solution: a proof was found and checked (see `reason`)
  numericalFailure,  ///< a factorisation broke down, or a ray ended the method and proves nothing
  unsupported        ///< the solver does not take this kind of problem (see `reason`)
};

/// For sentences that begin with the name of a solver: "converged", "reached its iteration limit", …
std::string_view toString(SolveStatus status);

/// The work of a solver and the quality of its answer. `error` is always the error measure of the problem class,
/// computed after the solve by code that no solver shares; it is the certificate.
struct SolveReport {
  SolveStatus status = SolveStatus::numericalFailure;  ///< of solve(): `converged` if and only if error <= tolerance
  std::size_t iterations = 0;                          ///< pivots, sweeps or Newton iterations, as the solver counts
  double error = 0.;                                   ///< error measure of the answer
  double tolerance = 0.;                               ///< what was asked for
  std::string_view solver;                             ///< name of the solver of the answer (a literal)
  std::string_view reason;                             ///< one clause (a literal); empty if the status is enough
  /// By SolversInTurn: the solvers that took the problem without a certified answer, before the one of the answer.
  std::size_t failedSolvers = 0;

  /// True if the answer is certified.
  bool converged() const { return status == SolveStatus::converged; }

  /// One sentence: "LemkeSolver converged after 12 iterations with error 3e-16 (tolerance 1e-8)."
  std::string summary() const;
};

}  // namespace delassus::numerics
