// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/problem/Intervals.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <functional>

namespace delassus::numerics {

/// True if y proves that there is no solution: yᵀw would have to be ≥ 0, and is negative for all λ that the laws allow.
/// The first is what the sets imply (ConvexSet::implies): y_i is free in equalities (w_i = 0), y_i ≥ 0 for λ_i ≥ 0 (w_i
/// ≥ 0), ≥ 0 or ≤ 0 in rows of boxes that have no upper or no lower bound, 0 in those with both, y_N ≥ 0 and otherwise
/// 0 in contacts (w_N ≥ 0). The second is, with g = Wᵀy and yᵀw = gᵀλ + qᵀy,
///
///     Σ_p max { g_pᵀ λ_p : λ_p in C_p } + qᵀy < 0:
///
/// g_i ≤ 0 for λ_i ≥ 0, g_E = 0, and g_N + μ‖g_T‖ + μ_R‖g_R‖ ≤ 0 in each contact. For an LCP it is Farkas' lemma, y ≥
/// 0, Mᵀy ≤ 0, qᵀy < 0.
///
/// With rounding: a sum counts as 0 up to δ = 100 n ε times the sum of the sizes of its terms, which is what rounding
/// explains, and the last one is to be below −10⁻⁹ times that, so that only a λ could be overlooked whose products with
/// W are some 10⁴ times as large as q. More would wrongly accept definite matrices that are nearly singular. Negative
/// y_i of orthants and normal directions count as zero. Up to 500 rows a y that has some six digits of a proof is
/// corrected by least squares first. Where W = Hᵀ M⁻¹ H is kept by its factors, H y = 0 and bᵀy < 0 are asked for
/// instead, and the rounding of W plays no part. False where W is neither a matrix nor has factors. Allocates. Throws
/// Error if y has the wrong size.
bool provesInfeasible(const ProblemOverSets& problem, const Vector& y);

/// True if it is proved that the problem has no solution: each solution has z_i at a bound or w_i = 0 in each row,
/// and the linear conditions of every such choice contradict each other (LinearConditions, checked on the data). Rows
/// with bounds are decided one after another, and only as long as those that are decided leave a point, so that a
/// problem whose linear conditions have none takes one proof and not 2ⁿ. False if a choice is not excluded, or once
/// `stop` says so, or after `maxProofs` of them, fewer the more rows there are, so that a search takes seconds: one for
/// 150 rows, none for more. Dense. Allocates.
bool provesUnsolvable(const BoxView& problem, const std::function<bool()>& stop, std::size_t maxProofs = 20000);

}  // namespace delassus::numerics
