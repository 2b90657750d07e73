// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/ComplementaryBasis.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of EnumerationSolver.
struct EnumerationOptions {
  double tolerance = 1e-10;  ///< on the error: a complementary basis is taken if it meets this
  std::size_t maxSize = 20;  ///< larger problems are refused: the work is up to 2ⁿ solves

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "error that a basis must meet"},
            {"maxSize", &maxSize, range::fromTo(0., 30.), "larger problems are refused: the work is up to 2^n solves"}};
  }
};

/// Tries all 2ⁿ complementary bases (z_S free with w_S = 0, z = 0 elsewhere) in the order of the binary number of S
/// until one gives z ≥ 0, w ≥ 0. The reference for tests: any M, without assumptions. A singular M_SS gets its
/// least-squares solution of least norm (which allocates). If no basis fits, the report says `infeasible` if that is
/// proved (provesUnsolvable), `numericalFailure` otherwise.
class EnumerationSolver final : public WithOptions<Solver<LinearComplementarityProblem>, EnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit EnumerationSolver(EnumerationOptions options = {});

  std::string_view name() const override { return "EnumerationSolver"; }

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;

  DenseLcp dense_;
  ComplementaryBasis basis_;
  Vector best_;
  HalfLines bounds_;
  DenseBox box_;
};

}  // namespace delassus::numerics
