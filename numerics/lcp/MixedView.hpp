// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// A common view of LCP and MLCP, for methods on dense data that serve both: w = M z + q, w_i = 0 on the equality rows,
/// and 0 ≤ w_r(k) ⟂ z_c(k) ≥ 0 on the pairs k. It owns nothing.
struct MixedView {
  const Matrix& M;                               ///< rows by w, columns by z
  const Vector& q;                               ///< w at z = 0
  const std::vector<std::size_t>& equalityRows;  ///< rows with w = 0
  const std::vector<std::size_t>& freeColumns;   ///< z that are in no pair
  const std::vector<std::size_t>& pairRows;      ///< r(k)
  const std::vector<std::size_t>& pairColumns;   ///< c(k)

  /// Number of pairs k.
  std::size_t pairs() const { return pairRows.size(); }
  /// The factor that gives z the unit of w: the diagonal entry of the pair where it is positive, else the largest entry
  /// of its row, so that a change of units changes nothing.
  double scale(std::size_t pair) const {
    const double diagonal = M(pairRows[pair], pairColumns[pair]);
    if (diagonal > 0.) return diagonal;
    double largest = 0.;
    for (std::size_t j = 0; j < M.size2(); ++j) largest = std::max(largest, std::abs(M(pairRows[pair], j)));
    return largest > 0. ? largest : 1.;
  }
};

/// The dense copy of an LCP's matrix, kept while its stamp is unchanged.
class DenseLcp {
 public:
  /// All rows are pairs. The view refers to this object and to the problem's q.
  MixedView view(const LinearComplementarityProblem& problem) {
    if (stamp_ != problem.stamp()) {
      problem.M().toDense(M_);
      stamp_ = problem.stamp();
      indices_.resize(problem.size());
      for (std::size_t i = 0; i < indices_.size(); ++i) indices_[i] = i;
    }
    return {M_, problem.q(), none_, none_, indices_, indices_};
  }

 private:
  Matrix M_;
  std::uint64_t stamp_ = 0;
  std::vector<std::size_t> none_, indices_;
};

}  // namespace delassus::numerics
