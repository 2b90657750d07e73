// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/numerics/sets/ContactCone.hpp>
#include <delassus/numerics/sets/ContactSet.hpp>

namespace delassus::numerics {

/// Mean of the diagonal entries `first` to `end` − 1 of a block of `rows` x `rows` numbers; 1 if it is not positive.
double meanDiagonal(const double* block, std::size_t rows, std::size_t first, std::size_t end);

/// One contact with friction and rolling resistance: given W (m x m, column-major, m = 2, 3 or 5), q and the
/// coefficients of a contact, find r with
///
///     u = W r + q,    K* ∋ (u_N + μ‖u_T‖ + μ_R‖u_R‖, u_T, u_R) ⟂ r ∈ K = { ‖r_T‖ ≤ μ r_N, ‖r_R‖ ≤ μ_R r_N }.
///
/// The methods in order of increasing cost, each answer judged by its residual: take-off, sticking and not rolling (r =
/// −W⁻¹q where that is in K), Newton's method on the natural map from several starts with a line search. For symmetric
/// positive definite W a solution exists and is bracketed by the correction s = μ‖u_T‖ + μ_R‖u_R‖: with s held the
/// problem is a convex program, and s ↦ s(r(s)) − s changes its sign between 0 and s(q) − q_N. If everything else
/// fails, bisection finds that zero, accelerated projected gradients solve the programs, and Newton's method finishes.
/// (Acary and Cadoux, Applications of an existence result for the Coulomb friction problem, 2013; Acary and Bourrier,
/// 2021; Beck and Teboulle, SIAM J. Imaging Sci. 2, 2009; O'Donoghue and Candès, Found. Comput. Math. 15, 2015.)
class RollingContactSolver {
 public:
  /// `r` is the start and the answer. True if the residual reached rounding; otherwise r is the best point found. Does
  /// not allocate.
  bool solve(const ContactShape& shape, const double* W, const double* q, double* r) const;
};

/// Unilateral contact with Coulomb's friction and rolling resistance, 3 or 5 rows. Its local solve is
/// RollingContactSolver.
class RollingCone final : public ContactSet {
 public:
  /// The cone with the coefficient μ and the length μ_R. Both must be at least 0 and finite, which is checked with the
  /// problem that has such a part.
  RollingCone(double friction, double rolling) : ContactSet(friction, rolling, true) {}

  std::string_view name() const override { return "rolling"; }
  std::string description() const override { return "Coulomb's cone with rolling resistance"; }
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
};

}  // namespace delassus::numerics
