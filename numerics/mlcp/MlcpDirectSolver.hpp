// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/ActiveSetMemory.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpDirectSolver.
struct MlcpDirectOptions {
  double tolerance = 1e-8;    ///< for the certificate
  std::size_t memory = 8;     ///< active sets remembered
  std::size_t maxPairs = 14;  ///< up to which all bases are tried if pivoting finds no answer

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"memory", &memory, range::positive, "active sets remembered"},
            {"maxPairs", &maxPairs, range::fromTo(0., 30.),
             "pairs up to which all bases are tried where pivoting finds no answer"}};
  }
};

/// Remembers the last active sets across calls with their LU factors, and tries them first (ActiveSetMemory): a
/// time-stepping simulation meets the same few sets repeatedly, and a step in a known configuration costs one pair of
/// triangular solves and the certificate. If none fits, MlcpReductionSolver finds a new set by pivoting, and
/// MlcpEnumerationSolver if that does not. The start z is not used. Where a solution is not unique the answer may
/// depend on earlier calls.
class MlcpDirectSolver final : public WithOptions<Solver<MixedLinearComplementarityProblem>, MlcpDirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpDirectSolver(MlcpDirectOptions options = {});

  std::string_view name() const override { return "MlcpDirectSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;
  SolveReport findNewSet(const MixedLinearComplementarityProblem& problem, Vector& z);

  MlcpReductionSolver reduction_;
  MlcpEnumerationSolver enumeration_;
  ActiveSetMemory<MixedLinearComplementarityProblem> memory_;
  HalfLines bounds_;
  Vector other_, w_;
};

}  // namespace delassus::numerics
