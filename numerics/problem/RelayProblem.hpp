// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/ProblemOverSets.hpp>

namespace delassus::numerics {

/// Relay problem, the affine variational inequality on a box: find z (and w) in ℝⁿ with
///
///     w = M z + q,   l ≤ z ≤ u,   w_i ≥ 0 where z_i = l_i,   w_i ≤ 0 where z_i = u_i,   w_i = 0 between,
///
/// that is, −w lies in the normal cone of the box [l, u] at z. Bounds may be infinite: l = 0, u = ∞ is an LCP, both
/// infinite an equality. ([Siconos 2017], chapter 9, with z = −λ of the relay law −y ∈ N_[−1,1](λ); Facchinei and Pang,
/// 2003, section 1.2.)
class RelayProblem final : public MatrixProblem {
 public:
  /// The empty problem, to be filled through M(), q(), lower() and upper().
  RelayProblem();
  /// Throws Error if sizes do not fit, an entry of M or q is not finite, a bound is NaN, or not l ≤ u, l < ∞ and u >
  /// −∞.
  ///@{
  RelayProblem(BlockSparseMatrix M, Vector q, Vector lower, Vector upper);
  RelayProblem(const Matrix& M, Vector q, Vector lower, Vector upper);
  ///@}

  const BlockSparseMatrix& M() const { return matrix(); }  ///< n x n
  using ProblemOverSets::lower;                            ///< l, −∞ allowed
  using ProblemOverSets::q;                                ///< w at z = 0
  using ProblemOverSets::upper;                            ///< u, ∞ allowed

  /// For filling in place; validate() when done.
  ///@{
  BlockSparseMatrix& M() { return own(); }
  Vector& q() { return q_; }
  Vector& lower() { return lower_; }
  Vector& upper() { return upper_; }
  ///@}

  /// Throws Error naming what is wrong: sizes that do not fit, an entry of M or q that is not finite, or bounds that
  /// are NaN or not l ≤ u, l < ∞, u > −∞.
  void validate() const override;
  void validateVectors() const override;
};

}  // namespace delassus::numerics
