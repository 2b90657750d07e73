// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/GaussSeidelSolver.hpp>

namespace delassus::numerics {

/// Projected Gauss–Seidel and successive over-relaxation, z_i ← P_i(z_i − ω (M z + q)_i / M_ii) row after row, P_i the
/// projection on the half-line z_i ≥ 0 of an LCP (ProjectedGaussSeidelSolver) or the interval of a relay problem
/// (RelayGaussSeidelSolver). Converges for symmetric positive definite M (any ω in (0, 2)) and for H-matrices with ω ≤
/// 1; needs M_ii > 0. Warm starts from z. Cheap to moderate accuracy; the number of sweeps grows with the condition of
/// M (like N² for a column of N beads). (Cryer, SIAM J. Control 9, 1971; Cottle, Pang, Stone, 1992, section 5.2.)
template <class Problem>
class RowwiseGaussSeidelSolver final : public GaussSeidelSolver<Problem> {
 public:
  /// Throws Error on options out of range.
  explicit RowwiseGaussSeidelSolver(GaussSeidelOptions options = {});

  /// By the problem: "ProjectedGaussSeidelSolver", "RelayGaussSeidelSolver".
  std::string_view name() const override;

 private:
  using Start = typename GaussSeidelSolver<Problem>::Start;
  using Sweep = typename GaussSeidelSolver<Problem>::Sweep;

  Start begin(const Problem& problem, Vector& z) override;
  Sweep sweep(const Problem& problem, Vector& z) override;

  Vector diagonal_;
};

}  // namespace delassus::numerics
