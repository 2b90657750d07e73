// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>

namespace delassus::numerics {

/// Options of ProjectionOneContactSolver.
struct ProjectionOneContactOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-14, range::positive,
                    "on the residual; tolerances below rounding are raised to it"),
                   (std::size_t, maxIterations, 100, range::positive,
                    "steps; 1: the classical projection of Gauss-Seidel"))
};

/// Extragradient on the variational inequality, r̄ = P_K(r − ρ û(r)), r ← P_K(r − ρ û(r̄)), with ρ adapted so that
/// ρ‖û(r) − û(r̄)‖ ≤ 0.9‖r − r̄‖. Uses W only in products, and moves towards a solution from everywhere when μ is
/// moderate; linear convergence, slow where W is ill-conditioned. With one iteration, the projected step alone. (De
/// Saxcé and Feng, 1998; Khobotov, USSR Comput. Math. Math. Phys. 27, 1987.)
class ProjectionOneContactSolver final : public OneContactSolver {
 public:
  /// Throws Error on options out of range.
  explicit ProjectionOneContactSolver(ProjectionOneContactOptions options = {});

  std::string_view name() const override { return "ProjectionOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

 private:
  ProjectionOneContactOptions options_;
};

}  // namespace delassus::numerics
