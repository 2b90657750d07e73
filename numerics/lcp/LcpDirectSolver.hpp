// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/DirectSolver.hpp>
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

/// DirectSolver for LCPs, M symmetric or not: a new set is found by LemkeSolver, or by EnumerationSolver where Lemke's
/// method ends on a ray and n is small. The start z is not used. For large or sparse M take BlockPivotingSolver.
class LcpDirectSolver final : public WithOptions<DirectSolver<LinearComplementarityProblem>, LcpDirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LcpDirectSolver(LcpDirectOptions options = {});

  std::string_view name() const override { return "LcpDirectSolver"; }

  /// The ray on which Lemke's method ended the last solve, for provesInfeasible(); empty if it was not needed or ended
  /// otherwise.
  const Vector& ray() const { return hasSearched() ? lemke_.ray() : noRay_; }

 private:
  LcpSolver* method(std::size_t earlier, const LinearComplementarityProblem& problem) override;

  LemkeSolver lemke_;
  EnumerationSolver enumeration_;
  Vector noRay_;
};

}  // namespace delassus::numerics
