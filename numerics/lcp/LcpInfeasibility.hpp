// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// True if y proves, by Farkas' lemma, that no z ≥ 0 has M z + q ≥ 0, so that the LCP has no solution whatever class M
/// is of:
///
///     y ≥ 0,   Mᵀ y ≤ 0,   qᵀ y < 0.
///
/// With rounding: (Mᵀ y)_j ≤ 10⁻⁹ Σ |M_ij| y_i and qᵀ y ≤ −10⁻⁹ Σ |q_i| y_i; what a solution could still be is then
/// some 10⁹ times larger than the data are. Negative y_i count as zero. Throws Error if y has the wrong size.
bool provesInfeasible(const LinearComplementarityProblem& problem, const Vector& y);

}  // namespace delassus::numerics
