// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Second-order cone linear complementarity problem (SOCLCP): find z with
///
///     w = M z + q,    K_i* ∋ w_i ⟂ z_i ∈ K_i = { ‖z_T‖ ≤ μ_i z_N },
///
/// the rows in consecutive cones of any number of rows, the first of each on its axis; a cone of one row is the
/// half-line. It is a GenericMechanicalProblem with a SecondOrderCone a part, for any of its solvers. M is any square
/// matrix; for symmetric positive semidefinite M it is a convex program, such as friction in the associated model.
class SecondOrderConeProblem : public GenericMechanicalProblem {
 public:
  /// `rows` of each cone; `apertures` μ_i, all 1 where it is empty. Throws Error if sizes do not fit, an entry is not
  /// finite, or an aperture is negative.
  SecondOrderConeProblem(const Matrix& M, Vector q, const std::vector<std::size_t>& rows, const Vector& apertures = {});
};

}  // namespace delassus::numerics
