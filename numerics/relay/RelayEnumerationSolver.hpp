// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisSystem.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of RelayEnumerationSolver.
struct RelayEnumerationOptions {
  double tolerance = 1e-10;  ///< on the error: a basis is taken if it meets this
  std::size_t maxSize = 12;  ///< larger problems are refused: the work is up to 3ⁿ solves

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "error that a basis must meet"},
            {"maxSize", &maxSize, range::fromTo(0., 19.), "larger problems are refused: the work is up to 3^n solves"}};
  }
};

/// Tries all bases, each component at its lower bound, free with w = 0, or at its upper bound (bounds that are infinite
/// left out), in the order of the number with these digits, until one is a solution. The reference for tests: any M. A
/// singular basis gets its least-squares solution of least norm (which allocates). If no basis fits, the
/// report says `infeasible` if that is proved (provesUnsolvable), `numericalFailure` otherwise.
class RelayEnumerationSolver final : public WithOptions<Solver<RelayProblem>, RelayEnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayEnumerationSolver(RelayEnumerationOptions options = {});

  std::string_view name() const override { return "RelayEnumerationSolver"; }

 private:
  Outcome compute(const RelayProblem& problem, Vector& z) override;
  bool next(const RelayProblem& problem);
  void solveBasis(const RelayProblem& problem, Vector& z);

  Matrix dense_;
  BasisSystem system_;
  std::vector<char> digits_;  // 0 free, 1 lower, 2 upper
  std::vector<std::size_t> free_;
  Vector best_;
  DenseBox box_;
};

}  // namespace delassus::numerics
