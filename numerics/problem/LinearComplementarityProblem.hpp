// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/ProblemOverSets.hpp>

namespace delassus::numerics {

/// Linear complementarity problem LCP(M, q): find z (and w) in ℝⁿ with
///
///     w = M z + q,   0 ≤ w ⟂ z ≥ 0.
///
/// M is n x n, dense or block sparse. Nothing else is assumed of it here; each solver says which
/// classes of M it takes.
class LinearComplementarityProblem final : public MatrixProblem {
 public:
  /// The empty problem, to be filled through M() and q().
  LinearComplementarityProblem();
  /// Throws Error if M is not square, q does not fit or an entry is not finite.
  ///@{
  LinearComplementarityProblem(const Matrix& M, const Vector& q);
  LinearComplementarityProblem(BlockSparseMatrix M, Vector q);
  ///@}

  const BlockSparseMatrix& M() const { return matrix(); }  ///< n x n
  using ProblemOverSets::q;                                ///< w at z = 0

  /// For filling in place, without a new allocation; validate() when done.
  ///@{
  BlockSparseMatrix& M() { return own(); }
  Vector& q() { return q_; }
  ///@}

  /// Throws Error naming what is wrong: sizes that do not fit, or an entry that is not finite.
  void validate() const override;
  void validateVectors() const override;
};

}  // namespace delassus::numerics
