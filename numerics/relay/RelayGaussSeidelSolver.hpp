// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of RelayGaussSeidelSolver.
struct RelayGaussSeidelOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps over all rows
  double relaxation = 1.;             ///< ω in (0, 2)
  std::size_t errorInterval = 10;     ///< sweeps between two computations of the error

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "sweeps over all rows"},
            {"relaxation", &relaxation, range::between(0., 2.), "factor of a step"},
            {"errorInterval", &errorInterval, range::positive, "sweeps between two computations of the error"}};
  }
};

/// Projected Gauss–Seidel, z_i ← P_[l_i, u_i](z_i − ω (M z + q)_i / M_ii) row after row. Converges for symmetric
/// positive definite M and for H-matrices with ω ≤ 1; needs M_ii > 0. Warm starts from z. Cheap to moderate accuracy.
/// (Cottle, Pang, Stone, 1992, section 5.2.)
class RelayGaussSeidelSolver final : public WithOptions<RelaySolver, RelayGaussSeidelOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayGaussSeidelSolver(RelayGaussSeidelOptions options = {});

  std::string_view name() const override { return "RelayGaussSeidelSolver"; }

 private:
  Outcome compute(const RelayProblem& problem, Vector& z) override;

  Vector diagonal_;
};

}  // namespace delassus::numerics
