// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// What LCP, MLCP and relay problems have in common, for methods on dense data that serve all three:
///
///     w = M z + q,   w_i = 0 on the equality rows,   l_k ≤ z_c(k) ≤ u_k,  −w_r(k) in the normal cone there, on the
///     pairs k.
///
/// [l_k, u_k] = [0, ∞) is the complementarity 0 ≤ w_r(k) ⟂ z_c(k) ≥ 0. M need not be square. It owns nothing.
struct BoxView {
  const Matrix& M;                               ///< rows by w, columns by z
  const Vector& q;                               ///< w at z = 0
  const std::vector<std::size_t>& equalityRows;  ///< rows with w = 0
  const std::vector<std::size_t>& freeColumns;   ///< z that are in no pair
  const std::vector<std::size_t>& pairRows;      ///< r(k)
  const std::vector<std::size_t>& pairColumns;   ///< c(k)
  const Vector& lower;                           ///< l_k, by pairs
  const Vector& upper;                           ///< u_k, by pairs

  /// Number of pairs k.
  std::size_t pairs() const { return pairRows.size(); }
  /// The factor that gives z the unit of w: the diagonal entry of the pair where it is positive, else the largest entry
  /// of its row, so that a change of units changes nothing.
  double scale(std::size_t pair) const;
  /// |q_i| + Σ_j |M_ij z_j|: the rounding of w_i is a few ε of it.
  double rowScale(std::size_t row, const Vector& z) const;
  /// Moves the z of the pairs to the nearest points of [l, u].
  void enterBox(Vector& z) const;
};

/// Makes the view of a problem, with what the problem does not hold itself: the dense copy of a matrix in blocks, kept
/// while its stamp is unchanged, and the bounds of complementarity pairs. A view refers to this object and to the
/// problem.
class DenseBox {
 public:
  /// All rows of an LCP or a relay problem are pairs.
  ///@{
  BoxView view(const LinearComplementarityProblem& problem) {
    copy(problem.M());
    makeHalfLines(problem.size());
    return {M_, problem.q(), none_, none_, indices_, indices_, zeros_, infinities_};
  }
  BoxView view(const RelayProblem& problem) {
    copy(problem.M());
    return {M_, problem.q(), none_, none_, indices_, indices_, problem.lower(), problem.upper()};
  }
  ///@}
  /// The matrix is dense.
  BoxView view(const MixedLinearComplementarityProblem& problem) {
    makeHalfLines(problem.complementarities());
    return {problem.M(),
            problem.q(),
            problem.equalityRows(),
            problem.freeColumns(),
            problem.complementarityRows(),
            problem.complementarityColumns(),
            zeros_,
            infinities_};
  }

 private:
  void copy(const BlockSparseMatrix& M) {
    copyFrom_.renew(M.stamp(), [&] { copyAnew(M); });
  }
  void makeHalfLines(std::size_t pairs) {
    if (zeros_.size() != pairs) resizeHalfLines(pairs);
  }
  void copyAnew(const BlockSparseMatrix& M);
  void resizeHalfLines(std::size_t pairs);

  Matrix M_;
  MadeFrom<std::uint64_t> copyFrom_;
  std::vector<std::size_t> none_, indices_;
  Vector zeros_, infinities_;
};

}  // namespace delassus::numerics
