// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>

namespace delassus::numerics {

/// Options of RowwiseGaussSeidelSolver.
struct RowwiseGaussSeidelOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps over all rows
  double relaxation = 1.;             ///< ω in (0, 2); 1 is Gauss–Seidel, above 1 is PSOR
  std::size_t errorInterval = 10;     ///< sweeps between two computations of the error

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "sweeps over all rows"},
            {"relaxation", &relaxation, range::between(0., 2.), "factor of a step; 1 is Gauss-Seidel, above 1 is PSOR"},
            {"errorInterval", &errorInterval, range::positive, "sweeps between two computations of the error"}};
  }
};

/// Projected Gauss–Seidel and successive over-relaxation, z_i ← P_i(z_i − ω (M z + q)_i / M_ii) row after row, P_i the
/// projection on the half-line z_i ≥ 0 of an LCP (ProjectedGaussSeidelSolver) or the interval of a relay problem
/// (RelayGaussSeidelSolver). Converges for symmetric positive definite M (any ω in (0, 2)) and for H-matrices with ω ≤
/// 1; needs M_ii > 0. Warm starts from z. Cheap to moderate accuracy; the number of sweeps grows with the condition of
/// M (like N² for a column of N beads). (Cryer, SIAM J. Control 9, 1971; Cottle, Pang, Stone, 1992, section 5.2.)
template <class Problem>
class RowwiseGaussSeidelSolver final : public WithOptions<Solver<Problem>, RowwiseGaussSeidelOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RowwiseGaussSeidelSolver(RowwiseGaussSeidelOptions options = {});

  /// By the problem: "ProjectedGaussSeidelSolver", "RelayGaussSeidelSolver".
  std::string_view name() const override;

 private:
  using Outcome = typename Solver<Problem>::Outcome;

  Outcome compute(const Problem& problem, Vector& z) override;

  Vector diagonal_;
};

}  // namespace delassus::numerics
