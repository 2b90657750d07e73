// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ProblemOverSets.hpp>

namespace delassus::numerics {

/// True if y proves that there is no solution: yᵀw would have to be ≥ 0, and is negative for all λ that the laws allow.
/// The first holds where y_i is free in equalities (w_i = 0), y_N ≥ 0 and otherwise 0 in contacts (w_N ≥ 0), and y_i ≥
/// 0 in the rows of boxes without upper bound (w_i ≥ 0), ≤ 0 in those without lower bound, 0 in those with both. The
/// second is, with g = Wᵀy and yᵀw = gᵀλ + qᵀy,
///
///     g_E = 0,    g_N + μ‖g_T‖ + μ_R‖g_R‖ ≤ 0 in each contact,    Σ max { g_i λ_i : l_i ≤ λ_i ≤ u_i } + qᵀy < 0,
///
/// the sum being over the rows of boxes. A sum counts as 0 up to 100 n ε times the sum of the sizes of its terms, which
/// is what rounding explains. Throws Error if y has the wrong size. Allocates.
bool provesInfeasible(const ProblemOverSets& problem, const Vector& y);

}  // namespace delassus::numerics
