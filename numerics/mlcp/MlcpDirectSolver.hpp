// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/lcp/ComplementaryBasis.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of MlcpDirectSolver.
struct MlcpDirectOptions {
  double tolerance = 1e-8;
  std::size_t memory = 6;     ///< active sets remembered
  std::size_t maxPairs = 14;  ///< up to which all bases are tried where pivoting finds no answer
};

/// Remembers the last active sets across calls, and tries them first: a time-stepping simulation meets the same few
/// sets again and again. Each is a dense LU factorisation of its basis, kept while M stays, so that a step in a known
/// configuration costs one pair of triangular solves and the certificate. If none fits, MlcpReductionSolver finds a new
/// set by pivoting, and MlcpEnumerationSolver if that does not; it takes the place of the one that was not used for
/// longest. Only new sets allocate. Where a solution is not unique the answer may depend on earlier calls.
class MlcpDirectSolver final : public MlcpSolver {
 public:
  /// Throws Error unless the tolerance and the memory are positive.
  explicit MlcpDirectSolver(MlcpDirectOptions options = {});

  std::string_view name() const override { return "MlcpDirectSolver"; }
  double tolerance() const override { return options_.tolerance; }

 private:
  struct ActiveSet {
    ComplementaryBasis basis;
    std::uint64_t stamp = 0;
    bool regular = false;
  };

  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;
  bool tryRemembered(const MixedLinearComplementarityProblem& problem, std::size_t index, Vector& z);
  void remember(const MixedLinearComplementarityProblem& problem, const Vector& z);

  MlcpDirectOptions options_;
  MlcpReductionSolver reduction_;
  MlcpEnumerationSolver enumeration_;
  std::vector<ActiveSet> sets_;  // the last used first
  ActiveSet fresh_;
  Vector trial_, w_;
};

}  // namespace delassus::numerics
