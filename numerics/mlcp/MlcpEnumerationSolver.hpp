// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/ComplementaryBasis.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpEnumerationSolver.
struct MlcpEnumerationOptions {
  double tolerance = 1e-10;   ///< on the error: a complementary basis is taken if it meets this
  std::size_t maxPairs = 20;  ///< problems with more pairs are refused: the work is up to 2ᵐ solves

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "on the error of a basis"},
            {"maxPairs", &maxPairs, range::fromTo(0., 30.),
             "problems with more pairs are refused; the work is up to 2^m solves"}};
  }
};

/// Tries all 2ᵐ complementary bases of the m pairs, equality rows always holding, in the order of the binary number of
/// the set of pairs with z free, until one gives z ≥ 0, w ≥ 0 on the pairs. The reference for tests: any M, square or
/// not. A basis that is singular or not square gets its least-squares solution of least norm (which allocates). If no
/// basis fits, the report says `infeasible` if that is proved (provesUnsolvable), `numericalFailure` otherwise.
class MlcpEnumerationSolver final
    : public WithOptions<Solver<MixedLinearComplementarityProblem>, MlcpEnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpEnumerationSolver(MlcpEnumerationOptions options = {});

  std::string_view name() const override { return "MlcpEnumerationSolver"; }

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;

  ComplementaryBasis basis_;
  Vector best_;
  HalfLines bounds_;
};

}  // namespace delassus::numerics
