// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus::numerics {

/// Linear complementarity problem LCP(M, q): find z (and w) in ℝⁿ with
///
///     w = M z + q,   0 ≤ w ⟂ z ≥ 0.
///
/// M is n x n, dense or block sparse. Nothing else is assumed of it here; each solver says which
/// classes of M it takes.
class LinearComplementarityProblem {
 public:
  /// The empty problem, to be filled through M() and q().
  LinearComplementarityProblem() = default;
  /// Throws Error if M is not square, q does not fit or an entry is not finite.
  ///@{
  LinearComplementarityProblem(const Matrix& M, const Vector& q);
  LinearComplementarityProblem(BlockSparseMatrix M, Vector q);
  ///@}

  std::size_t size() const { return q_.size(); }     ///< n
  const BlockSparseMatrix& M() const { return M_; }  ///< n x n
  const Vector& q() const { return q_; }             ///< w at z = 0

  /// For filling in place, without a new allocation; validate() when done.
  ///@{
  BlockSparseMatrix& M() { return M_; }
  Vector& q() { return q_; }
  ///@}

  /// Throws Error naming what is wrong: sizes that do not fit, or an entry that is not finite.
  void validate() const;
  /// Checks only what a new q can violate.
  void validateVectors() const;
  /// Identifies M.
  std::uint64_t stamp() const { return M_.stamp(); }

 private:
  BlockSparseMatrix M_;
  Vector q_;
};

}  // namespace delassus::numerics
