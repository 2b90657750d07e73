// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// True if y proves, by Farkas' lemma, that no z ≥ 0 has M z + q ≥ 0, so that the LCP has no solution, whatever the
/// class of M:
///
///     y ≥ 0,   Mᵀ y ≤ 0,   qᵀ y < 0.
///
/// With rounding: (Mᵀ y)_j ≤ δ Σ |M_ij| y_i with δ = 100 n ε, the accuracy of the sums themselves are known to, and qᵀ
/// y ≤ −10⁻⁹ Σ |q_i| y_i, so that only a z could be overlooked whose products with M are some 10⁴ times as large as q.
/// More would wrongly accept definite matrices that are nearly singular. Negative y_i count as zero. Up to 500 unknowns
/// a y that has some six digits of a proof is corrected by least squares first. Allocates. Throws Error if y has the
/// wrong size.
bool provesInfeasible(const LinearComplementarityProblem& problem, const Vector& y);

}  // namespace delassus::numerics
