// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>

namespace delassus::numerics {

/// True if the weights λ ≥ 0 of the normal directions, one a contact, prove that there is no solution. Whatever the
/// friction, every u_N must be ≥ 0. If
///
///     g = Wᵀ(λ, 0),    g_N + μ‖g_T‖ ≤ 0 in each contact,    λᵀ q_N < 0,
///
/// then λᵀu_N = gᵀr + λᵀq_N < 0 for all r in K. In the global form, where M is positive definite, this is
///
///     H (λ, 0) = 0,    λᵀ b_N < 0.
///
/// A sum counts as 0 up to 100 n ε times the sum of the sizes of its terms, n being the number of reactions: the error
/// that rounding alone explains. A larger bound would wrongly accept a W that is only nearly singular. Negative λ_i
/// count as zero. λ that has some six digits of a proof is corrected by least squares first, up to 500 contacts.
/// Allocates. Throws Error if λ has the wrong size. False where W is not built (FactoredDelassus).
///@{
bool provesInfeasible(const FrictionContactProblem& problem, const Vector& lambda);
bool provesInfeasible(const GlobalFrictionContactProblem& problem, const Vector& lambda);
///@}

}  // namespace delassus::numerics
