// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/ActiveSetMemory.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>

namespace delassus::numerics {

/// Options of LcpDirectSolver.
struct LcpDirectOptions {
  double tolerance = 1e-8;         ///< for the certificate
  std::size_t memory = 8;          ///< active sets remembered
  std::size_t rememberSize = 60;   ///< larger problems go to Lemke's method at once
  std::size_t enumerateSize = 12;  ///< up to which all bases are tried where Lemke's method finds no answer
  std::size_t maxIterations = 0;   ///< pivots of Lemke's method; 0: its own

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"memory", &memory, range::notNegative, "active sets remembered"},
            {"rememberSize", &rememberSize, range::notNegative, "larger problems go to Lemke's method at once"},
            {"enumerateSize", &enumerateSize, range::fromTo(0., 30.),
             "up to this size all bases are tried where Lemke's method finds no answer"},
            {"maxIterations", &maxIterations, range::notNegative, "pivots of Lemke's method; 0: its own limit"}};
  }
};

/// For time stepping of small problems, M symmetric or not: remembers the last active sets across calls with their LU
/// factors and tries them first (ActiveSetMemory), so that a step in a known configuration costs one pair of triangular
/// solves and the certificate, about 0.1 µs at n = 4. A new set is found by LemkeSolver, or by EnumerationSolver where
/// Lemke's method ends on a ray and n is small. The start z is not used. Where a solution is not unique the answer may
/// depend on earlier calls. For large or sparse M take BlockPivotingSolver.
class LcpDirectSolver final : public WithOptions<Solver<LinearComplementarityProblem>, LcpDirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LcpDirectSolver(LcpDirectOptions options = {});

  std::string_view name() const override { return "LcpDirectSolver"; }

  /// The ray on which Lemke's method ended the last solve, for provesInfeasible(); empty if it was not needed or ended
  /// otherwise.
  const Vector& ray() const { return usedLemke_ ? lemke_.ray() : noRay_; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;
  SolveReport findNewSet(const LinearComplementarityProblem& problem, Vector& z);

  ActiveSetMemory<LinearComplementarityProblem> memory_;
  LemkeSolver lemke_;
  EnumerationSolver enumeration_;
  DenseBox box_;
  HalfLines bounds_;
  bool usedLemke_ = false;
  Vector noRay_, other_, w_;
};

}  // namespace delassus::numerics
