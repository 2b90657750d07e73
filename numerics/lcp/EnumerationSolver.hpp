// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/ComplementaryBasis.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of EnumerationSolver.
struct EnumerationOptions {
  double tolerance = 1e-10;  ///< on the error: a complementary basis is taken if it meets this
  std::size_t maxSize = 20;  ///< larger problems are refused: the work is up to 2ⁿ solves
};

/// Tries all 2ⁿ complementary bases (z_S free with w_S = 0, z = 0 elsewhere) in the order of the binary number of S
/// until one gives z ≥ 0, w ≥ 0. The reference for tests: any M, without assumptions. A singular M_SS gets its
/// least-squares solution of least norm (which allocates). If no basis fits, the report says `infeasible` if that is
/// proved (provesUnsolvable), `numericalFailure` otherwise.
class EnumerationSolver final : public LcpSolver {
 public:
  /// Throws Error unless the tolerance is positive and finite and maxSize at most 30.
  explicit EnumerationSolver(EnumerationOptions options = {});

  std::string_view name() const override { return "EnumerationSolver"; }
  double tolerance() const override { return options_.tolerance; }
  Settings settings() const override;

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;

  EnumerationOptions options_;
  DenseLcp dense_;
  ComplementaryBasis basis_;
  Vector best_;
  HalfLines bounds_;
  DenseBox box_;
};

}  // namespace delassus::numerics
