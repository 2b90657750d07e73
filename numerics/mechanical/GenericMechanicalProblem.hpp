// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/sets/Part.hpp>
#include <vector>

namespace delassus::numerics {

/// The problem of one step of a mechanism with joints, limits, dry friction and contacts: find λ and w with
///
///     w = W λ + q,
///
/// W square, block sparse, usually symmetric positive semidefinite (not required), the rows in consecutive parts, each
/// with one law. Its set (ConvexSet) says which; those of the library are
///
///     equality       w = 0, λ free
///     box            −w_i ∈ N_[l_i, u_i](λ_i), bounds may be infinite
///     coulomb        K* ∋ (w_N + μ‖w_T‖, w_T) ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N }
///     rolling        K* ∋ (w_N + μ‖w_T‖ + μ_R‖w_R‖, w_T, w_R) ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N, ‖λ_R‖ ≤ μ_R λ_N }
///     second_order   K* ∋ w ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N }
///     ball           −w in the normal cone of { ‖λ‖ ≤ r } at λ
///
/// Contacts have the normal component first; λ_R is the rolling moment (N·m·s), w_R the relative angular velocity of
/// rolling, μ_R a length; restitution is inside q. Units: each w_i is conjugate to λ_i, λᵀw an energy, so that rows of
/// velocities and of angular velocities can be mixed.
///
/// Redundant equality rows (closed loops) make W singular; where q does not contradict them there are solutions, with
/// the same w, and any λ is an answer. For contacts alone use their own class (friction, complementarity), whose
/// solvers are more specialised.
///
/// (Acary and Brogliato, 2008, chapters 3 and 13; rolling: Acary and Bourrier, Eur. J. Mech. A/Solids, 2021. The
/// name is that of Siconos.)
class GenericMechanicalProblem {
 public:
  /// The empty problem, to be filled by way of parts(), W(), q(), lower() and upper(). Block row k of W must be part k.
  GenericMechanicalProblem() = default;

  /// `lower` and `upper` have one entry a row of the whole problem, of which those of the boxes count; empty, they are
  /// infinite. W may have a different block structure: it is split by parts. Throws Error if sizes do not fit, an entry
  /// is not finite, a friction coefficient is negative, or bounds are not l ≤ u, l < ∞, u > −∞.
  ///@{
  GenericMechanicalProblem(BlockSparseMatrix W, Vector q, std::vector<Part> parts, Vector lower = {},
                           Vector upper = {});
  GenericMechanicalProblem(const Matrix& W, Vector q, std::vector<Part> parts, Vector lower = {}, Vector upper = {});
  ///@}

  /// Rows of all parts.
  std::size_t size() const { return q_.size(); }
  /// In the order of their rows.
  const std::vector<Part>& parts() const { return parts_; }
  /// First row of a part.
  std::size_t offset(std::size_t part) const { return W_.offset(part); }
  /// One block row a part.
  const BlockSparseMatrix& W() const { return W_; }
  /// w at λ = 0.
  const Vector& q() const { return q_; }
  /// Bounds of λ, one entry a row, of which those of boxes count.
  ///@{
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  ///@}
  /// The set of a part.
  const ConvexSet& set(std::size_t part) const { return *parts_[part].set; }
  /// Whether any part is an equality (ConvexSet::isFree).
  bool hasFree() const;
  /// Rows of all equalities together.
  std::size_t freeRows() const;

  /// For new values in place; touch() W when its values are in. None of it allocates unless sizes grow.
  ///@{
  std::vector<Part>& parts() { return parts_; }
  BlockSparseMatrix& W() { return W_; }
  Vector& q() { return q_; }
  Vector& lower() { return lower_; }
  Vector& upper() { return upper_; }
  ///@}

  /// Throws Error naming what is wrong: parts that are not the blocks of W or have a number of rows or a coefficient
  /// that their law does not take, sizes that do not fit, an entry of W or q that is not finite, or bounds of a box
  /// that are not l ≤ u, l < ∞, u > −∞.
  void validate() const;
  /// All checks except that of the entries of W.
  void validateVectors() const;
  /// Identifies W.
  std::uint64_t stamp() const { return W_.stamp(); }

 private:
  void validateParts() const;

  std::vector<Part> parts_;
  BlockSparseMatrix W_;
  Vector q_, lower_, upper_;
};

/// W with the block rows of given sizes; blocks of zeros off the diagonal are left out, the diagonal is complete.
/// Throws Error if the sizes do not add up to that of W.
BlockSparseMatrix partedBy(const std::vector<Part>& parts, const BlockSparseMatrix& W);

}  // namespace delassus::numerics
