// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/MixedView.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// An MLCP for the methods that it shares with the LCP.
inline MixedView viewOf(const MixedLinearComplementarityProblem& problem) {
  return {problem.M(),
          problem.q(),
          problem.equalityRows(),
          problem.freeColumns(),
          problem.complementarityRows(),
          problem.complementarityColumns()};
}

/// Makes the dense view of a problem of one class, and owns the dense copy where one is needed.
template <class Problem>
class ViewSource : public DenseLcp {};
/// An MLCP has a dense matrix.
template <>
class ViewSource<MixedLinearComplementarityProblem> {
 public:
  /// Refers to the problem alone.
  MixedView view(const MixedLinearComplementarityProblem& problem) const { return viewOf(problem); }
};

/// An MLCP for the methods that it shares with the LCP and the relay problem; `bounds` are to be of its pairs.
inline BoxView boxViewOf(const MixedLinearComplementarityProblem& problem, const HalfLines& bounds) {
  return {problem.M(),
          problem.q(),
          problem.equalityRows(),
          problem.freeColumns(),
          problem.complementarityRows(),
          problem.complementarityColumns(),
          bounds.lower(),
          bounds.upper()};
}

}  // namespace delassus::numerics
