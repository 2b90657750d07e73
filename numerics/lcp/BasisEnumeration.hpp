// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>

namespace delassus::numerics {

/// Tries all bases of an LCP, MLCP or relay problem until one is a solution: each pair at its lower bound, free with
/// w = 0, or at its upper bound (infinite ones left out), in the order of BoxBasis::next(), equality rows always
/// holding. The reference for tests: any M, square or not. A basis that is singular or not square gets its
/// least-squares solution of least norm (which allocates). If no basis fits, the report says `infeasible` if that is
/// proved (provesUnsolvable), `numericalFailure` otherwise.
template <class Problem>
class BasisEnumeration : public Solver<Problem> {
 protected:
  /// That of Solver.
  using Outcome = typename Solver<Problem>::Outcome;

  /// Problems with more than `maxPairs` pairs are `unsupported`.
  explicit BasisEnumeration(std::size_t maxPairs) : maxPairs_(maxPairs) {}

 private:
  Outcome compute(const Problem& problem, Vector& z) override;
  Outcome withoutFit(const BoxView& view, std::size_t tried) const;

  std::size_t maxPairs_;
  DenseBox box_;
  BoxBasis basis_;
  Vector best_;
};

}  // namespace delassus::numerics
