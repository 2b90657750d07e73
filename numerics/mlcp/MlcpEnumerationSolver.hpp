// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/ComplementaryBasis.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpEnumerationSolver.
struct MlcpEnumerationOptions {
  double tolerance = 1e-10;   ///< on the error: a complementary basis is taken if it meets this
  std::size_t maxPairs = 20;  ///< problems with more pairs are refused: the work is up to 2ᵐ solves
};

/// Tries all 2ᵐ complementary bases of the m pairs, equality rows always holding, in the order of the binary number of
/// the set of pairs with z free, until one gives z ≥ 0, w ≥ 0 on the pairs. The reference for tests: any M, square or
/// not. A basis that is singular or not square gets its least-squares solution of least norm (which allocates). If no
/// basis fits, the report says `infeasible` if that is proved (provesUnsolvable), `numericalFailure` otherwise.
class MlcpEnumerationSolver final : public MlcpSolver {
 public:
  /// Throws Error unless the tolerance is positive and finite and maxPairs at most 30.
  explicit MlcpEnumerationSolver(MlcpEnumerationOptions options = {});

  std::string_view name() const override { return "MlcpEnumerationSolver"; }
  double tolerance() const override { return options_.tolerance; }
  Settings settings() const override;

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;

  MlcpEnumerationOptions options_;
  ComplementaryBasis basis_;
  Vector best_;
  HalfLines bounds_;
};

}  // namespace delassus::numerics
