// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/ProblemOverSets.hpp>
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
///     orthant        0 ≤ w_i ⟂ λ_i ≥ 0
///     second_order   K* ∋ w ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N }
///     drucker_prager −w in the normal cone of { ‖s‖ ≤ k − a p } at λ = (p, s)
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
///
/// No other class of problems over sets has fewer conditions. Its error measure counts energies.
class GenericMechanicalProblem : public MatrixProblem {
 public:
  /// The empty problem, to be filled by way of parts(), W(), q(), lower() and upper(). Block row k of W must be part k.
  GenericMechanicalProblem();

  /// `lower` and `upper` have one entry a row of the whole problem, of which those of the boxes count; empty, they are
  /// infinite. W may have a different block structure: it is split by parts. Throws Error if sizes do not fit, an entry
  /// is not finite, a friction coefficient is negative, or bounds are not l ≤ u, l < ∞, u > −∞.
  ///@{
  GenericMechanicalProblem(BlockSparseMatrix W, Vector q, std::vector<Part> parts, Vector lower = {},
                           Vector upper = {});
  GenericMechanicalProblem(const Matrix& W, Vector q, std::vector<Part> parts, Vector lower = {}, Vector upper = {});
  ///@}

  /// In the order of their rows.
  const std::vector<Part>& parts() const { return parts_; }
  /// One block row a part.
  const BlockSparseMatrix& W() const { return matrix(); }
  using ProblemOverSets::lower;  ///< of λ, one entry a row
  using ProblemOverSets::q;      ///< w at λ = 0
  using ProblemOverSets::upper;  ///< of λ, one entry a row

  /// For new values in place; touch() W when its values are in. None of it allocates unless sizes grow.
  ///@{
  std::vector<Part>& parts() { return parts_; }
  BlockSparseMatrix& W() { return own(); }
  Vector& q() { return q_; }
  Vector& lower() { return lower_; }
  Vector& upper() { return upper_; }
  ///@}

  /// Throws Error naming what is wrong: parts that are not the blocks of W or have a number of rows or a coefficient
  /// that their law does not take, sizes that do not fit, an entry of W or q that is not finite, or bounds of a box
  /// that are not l ≤ u, l < ∞, u > −∞.
  void validate() const override;
  void validateVectors() const override;

  /// States another problem whose W is a matrix, to which it then refers; false if W is none.
  bool state(const ProblemOverSets& problem);

 protected:
  /// For classes that state theirs in these words.
  ///@{
  explicit GenericMechanicalProblem(const ProblemTraits& traits) : MatrixProblem(traits) {}
  GenericMechanicalProblem(const ProblemTraits& traits, BlockSparseMatrix W, Vector q, std::vector<Part> parts,
                           Vector lower, Vector upper);
  ///@}

 private:
};

}  // namespace delassus::numerics
