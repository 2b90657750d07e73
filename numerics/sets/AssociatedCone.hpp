// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/SecondOrderCone.hpp>

namespace delassus::numerics {

/// Unilateral contact with associated friction, 2 or 3 rows, normal first: Coulomb's cone without De Saxcé's shift,
///
///     K* ∋ w ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N },    K* = { μ ‖w_T‖ ≤ w_N }.
///
/// Sticking contacts and open ones obey Coulomb's law; one that slides parts with w_N = μ ‖w_T‖ (dilatancy). With
/// symmetric positive semidefinite W this is the optimality condition of a convex program, min ½ λᵀW λ + qᵀλ on K,
/// which has a solution wherever some velocity lets all contacts open, and methods of convex optimisation are sure to
/// find it. (Anitescu, Math. Program. 105, 2006; Tasora and Anitescu, CMAME 200, 2011.)
class AssociatedCone final : public SecondOrderCone {
 public:
  /// Of this coefficient μ, at least 0 and finite (checked with the problem that has such a part).
  explicit AssociatedCone(double friction) : SecondOrderCone(friction, true) {}

  std::string_view name() const override { return "associated"; }
  std::string description() const override { return "the cone of associated friction"; }
  /// Throws Error also unless there are 2 or 3 rows.
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  std::optional<std::array<double, 2>> usedResistance(const double* lambda, std::size_t rows) const override;
  /// Open, or sticking, or the best of all reactions on the border, by Newton's method on their angle; where that does
  /// not end, as other projected sets do.
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
};

}  // namespace delassus::numerics
