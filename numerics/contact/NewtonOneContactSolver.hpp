// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/contact/ProjectionOneContactSolver.hpp>

namespace delassus::numerics {

/// Options of NewtonOneContactSolver.
struct NewtonOneContactOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-14, range::positive,
                    "on the residual; tolerances below rounding are raised to it"),
                   (std::size_t, maxIterations, 60, range::positive, "Newton steps from one start"))
};

/// Semismooth Newton method on the Alart–Curnier functions of one contact, with ρ_N = 1/W_NN and ρ_T = 1/max W_TT.
///
/// A step is halved up to eight times until the natural map falls; if it does not fall, projected steps (extragradient)
/// lead to another point. If the first start fails, others follow: the projections on the cone of the sticking reaction
/// and of zero, and sliding in a few directions. Two to six iterations are usual; quadratic near a regular solution.
/// (Alart and Curnier, 1991; [Siconos 2017], chapter 16.)
class NewtonOneContactSolver final : public OneContactSolver {
 public:
  /// Throws Error on options out of range.
  explicit NewtonOneContactSolver(NewtonOneContactOptions options = {});

  std::string_view name() const override { return "NewtonOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

 private:
  NewtonOneContactOptions options_;
  ProjectionOneContactSolver rescue_;
};

}  // namespace delassus::numerics
