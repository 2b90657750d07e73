// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/contact/AssembledDelassus.hpp>
#include <delassus/numerics/contact/DelassusOperator.hpp>
#include <delassus/numerics/contact/FactoredDelassus.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// Friction contact problem in local coordinates, dimension d = 2 or 3: find the reactions r and relative velocities u
/// of n contacts, normal component first, with
///
///     u = W r + q,    K* ∋ û ⟂ r ∈ K,    û = (u_N + μ‖u_T‖, u_T),    K = { ‖r_T‖ ≤ μ r_N } for each contact:
///
/// take-off (r = 0, u_N ≥ 0), stick (u = 0, r in K) or slide (r on K's boundary, u_T against r_T, u_N = 0). Newton's
/// restitution, if any, is included in q. Units: W maps impulses (N·s) to velocities (m/s). (De Saxcé, 1992; Acary and
/// Brogliato, 2008, chapter 3; [Siconos 2017], chapter 16.)
///
/// Copies share the operator W.
class FrictionContactProblem final : public ProblemOverSets {
 public:
  /// The empty problem.
  FrictionContactProblem();
  /// Each throws Error if the dimension is not 2 or 3, sizes do not fit, an entry is not finite, μ is negative or the
  /// operator null. `mu` has one entry a contact.
  ///@{
  FrictionContactProblem(std::size_t dimension, const Matrix& W, Vector q, Vector mu);
  FrictionContactProblem(std::size_t dimension, BlockSparseMatrix W, Vector q, Vector mu);
  FrictionContactProblem(std::size_t dimension, std::shared_ptr<const DelassusOperator> W, Vector q, Vector mu);
  ///@}
  /// Takes another operator, of as many contacts as q and μ have when the problem is solved. Throws Error if it is null
  /// or of another dimension.
  void setOperator(std::shared_ptr<const DelassusOperator> W);

  std::size_t dimension() const { return dimension_; }  ///< d
  std::size_t contacts() const { return mu_.size(); }   ///< n
  const DelassusOperator& W() const { return *W_; }     ///< shared with copies of the problem
  const Vector& mu() const { return mu_; }              ///< by contacts
  using ProblemOverSets::q;                             ///< free velocity, m/s

  /// For new values in place, m/s.
  Vector& q() { return q_; }
  /// New coefficients, one a contact; q and W are to have as many contacts when the problem is solved.
  void setFriction(const Vector& mu);

  /// After the values of W have changed in place.
  void renewOperator() { matrix_ = W_->matrix(); }
  std::size_t independentGroups(std::vector<std::size_t>& group) const override { return W_->independentGroups(group); }
  bool requireMatrix() const override { return (matrix_ = W_->build()) != nullptr; }
  bool isMatrixProduct() const override { return W_->isMatrixProduct(); }

  void multiply(const double* lambda, double* w) const override { W_->multiply(lambda, w); }
  void addExtended(const double* lambda, long double* w) const override;
  void addRounding(const double* lambda, double* bound) const override;
  void diagonalBlock(std::size_t contact, double* block) const override { W_->diagonalBlock(contact, block); }
  void renew(std::unique_ptr<PenalisedOperator>& kept) const override { W_->renew(kept); }
  bool isPart() const override { return W_->isPart(); }
  void sum(std::span<double> values) const override { W_->sum(values); }

  /// Throws Error naming what is wrong: sizes that do not fit, an entry that is not finite, or a μ below 0.
  void validate() const override;
  void validateVectors() const override;

  /// Whether state() can be done: all parts are contacts with Coulomb's friction of one dimension, and W is a matrix.
  static bool takes(const ProblemOverSets& problem);
  /// For methods of this class (see Solver), which must not keep copies: states another problem, to whose W it then
  /// refers; false if that cannot be done.
  bool state(const ProblemOverSets& problem);
  /// Ends what state() refers to.
  void release();
  /// Identifies the class.
  static const ProblemTraits ofItsClass;
  /// Where state() is false.
  static constexpr std::string_view whyNotStated =
      "the parts are not all contacts with Coulomb's friction of one dimension, with a W that is built";

 private:
  std::uint64_t stampOfProduct() const override { return W_->stamp(); }
  void requireDimension(const DelassusOperator& W) const;
  const std::shared_ptr<const ConvexSet>& coneOf(double mu);

  std::size_t dimension_ = 3;
  std::shared_ptr<const DelassusOperator> W_;
  Vector mu_;
  std::vector<std::shared_ptr<const ConvexSet>> cones_;  // of coefficients that were met
};

/// (λ_1, 0, λ_2, 0, …): directions along the normals of contacts with these weights.
Vector alongNormals(std::size_t dimension, const Vector& weights);

}  // namespace delassus::numerics
