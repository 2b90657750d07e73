// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/GaussSeidelSolver.hpp>
#include <delassus/numerics/problem/Intervals.hpp>

namespace delassus::numerics {

/// Options of ProjectedGaussSeidelSolver.
using ProjectedGaussSeidelOptions = GaussSeidelOptions;

/// Projected Gauss–Seidel and successive over-relaxation over intervals, z_i ← P_i(z_i − ω (M z + q)_i / M_ii) row
/// after row, P_i the projection on [l_i, u_i]. Converges for symmetric positive definite M (any ω in (0, 2)) and for
/// H-matrices with ω ≤ 1; needs M_ii > 0. Warm starts from z. Cheap to moderate accuracy; the number of sweeps grows
/// with the condition of M (like N² for a column of N beads). (Cryer, SIAM J. Control 9, 1971; Cottle, Pang, Stone,
/// 1992, section 5.2.)
class ProjectedGaussSeidelSolver final : public GaussSeidelSolver<ProblemOverSets> {
 public:
  /// Throws Error on options out of range.
  explicit ProjectedGaussSeidelSolver(ProjectedGaussSeidelOptions options = {});

  std::string_view name() const override { return "ProjectedGaussSeidelSolver"; }

 private:
  Start begin(const ProblemOverSets& problem, Vector& z) override;
  Sweep sweep(const ProblemOverSets& problem, Vector& z) override;

  Intervals intervals_;
  Vector diagonal_;
};

}  // namespace delassus::numerics
