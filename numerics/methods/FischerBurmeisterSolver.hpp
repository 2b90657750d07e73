// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/BasisFinish.hpp>
#include <delassus/numerics/methods/FischerBurmeisterNewton.hpp>

namespace delassus::numerics {

/// Options of FischerBurmeisterSolver.
struct FischerBurmeisterOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 500, range::positive, "Newton steps"))
};

/// Semismooth Newton for LCPs and mixed complementarity problems, on their equality rows and the Fischer–Burmeister
/// equations of the others, with Armijo search on ½‖Φ‖² and Levenberg–Marquardt steps where the Jacobian is singular
/// (see FischerBurmeisterNewton). Any M; for P₀-matrices every stationary point of the merit function is a solution,
/// for others the method may end in one that is not, and the report says so. Whenever two steps agree on which z are
/// positive, the complementary basis of that guess is solved, so that answers are exact to rounding also where
/// convergence is slow (degenerate solutions). Dense: one LU factorisation of the size of the problem per step. Warm
/// starts from z.
class FischerBurmeisterSolver final : public WithOptions<Solver<ProblemOverSets>, FischerBurmeisterOptions> {
 public:
  /// Throws Error on options out of range.
  explicit FischerBurmeisterSolver(FischerBurmeisterOptions options = {})
      : WithOptions("FischerBurmeisterSolver", options) {}

  std::string_view name() const override { return "FischerBurmeisterSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& z) override;

  DenseBox box_;
  FischerBurmeisterNewton newton_;
  BasisFinish finish_;
};

}  // namespace delassus::numerics
