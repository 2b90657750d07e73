// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/ActiveSetMemory.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of RelayDirectSolver.
struct RelayDirectOptions {
  double tolerance = 1e-8;        ///< for the certificate
  std::size_t memory = 8;         ///< active sets remembered
  std::size_t rememberSize = 60;  ///< for larger problems no set is remembered
  std::size_t enumerateSize = 8;  ///< up to which all bases are tried where pivoting finds no answer
  std::size_t maxIterations = 0;  ///< exchanges of RelayPivotingSolver; 0: its own default

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {
        {"tolerance", &tolerance, range::positive, "for the certificate"},
        {"memory", &memory, range::notNegative, "active sets remembered"},
        {"rememberSize", &rememberSize, range::notNegative, "for larger problems no set is remembered"},
        {"enumerateSize", &enumerateSize, range::fromTo(0., 19.),
         "up to this size all bases are tried where pivoting finds no answer"},
        {"maxIterations", &maxIterations, range::notNegative, "exchanges of RelayPivotingSolver; 0: its own default"}};
  }
};

/// For time stepping of small problems with relays, diodes and equations, M symmetric or not, singular or not:
/// remembers the last active sets across calls, each component at its lower bound, free or at its upper bound, with
/// their LU factors, and tries them first (ActiveSetMemory), so that a step in a known configuration costs one pair of
/// triangular solves and the certificate, about 0.1 µs at n = 4. Bounds may change with every call. A new set is found
/// by RelayPivotingSolver from z, by RelayLemkeSolver where that meets a singular basis, or by RelayEnumerationSolver
/// where n is small. Where a solution is not unique the answer may depend on earlier calls. For large n take
/// RelayPivotingSolver.
class RelayDirectSolver final : public WithOptions<Solver<RelayProblem>, RelayDirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayDirectSolver(RelayDirectOptions options = {});

  std::string_view name() const override { return "RelayDirectSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const RelayProblem& problem, Vector& z) override;
  SolveReport findNewSet(const RelayProblem& problem, Vector& z);
  bool tryMethod(RelaySolver& method, const RelayProblem& problem, SolveReport& best, Vector& z);

  ActiveSetMemory<RelayProblem> memory_;
  RelayPivotingSolver pivoting_;
  RelayLemkeSolver lemke_;
  RelayEnumerationSolver enumeration_;
  DenseBox box_;
  Vector start_, other_, w_;
};

}  // namespace delassus::numerics
