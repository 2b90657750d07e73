// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>

namespace delassus::numerics {

/// True if the weights λ ≥ 0 of the normal directions, one a contact, prove that there is no solution. Whatever the
/// friction, every u_N must be ≥ 0. Where M is positive definite and
///
///     H (λ, 0) = 0,    λᵀ b_N < 0,
///
/// λᵀu_N = λᵀb_N < 0 for all v. A sum counts as 0 up to 100 n ε times the sum of the sizes of its terms, n being the
/// number of reactions: the error that rounding alone explains. Negative λ_i count as zero. λ that has some six digits
/// of a proof is corrected by least squares first, up to 500 contacts. Allocates. Throws Error if λ has the wrong size.
/// The proof for other problems: provesInfeasible() in sets/Infeasibility.hpp.
bool provesInfeasible(const GlobalFrictionContactProblem& problem, const Vector& lambda);

}  // namespace delassus::numerics
