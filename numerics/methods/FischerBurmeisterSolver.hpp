// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// The iteration of FischerBurmeisterSolver. The equation is Φ(z) = 0 with
///
///     Φ_i = w_i  on equality rows,     Φ_i = √(a² + b²) − a − b,  a = d_i z_i,  b = w_i  on the others,
///
/// and the merit function θ = ½ ‖Φ‖², which is continuously differentiable, though Φ is not. A step is, in this order,
/// the semismooth Newton step if the generalised Jacobian H is regular and the step descends, and a
/// Levenberg–Marquardt step (HᵀH + ν 1) δ = −HᵀΦ otherwise, with an Armijo search on θ; ν grows until the
/// search succeeds, which turns the step into the gradient.
/// (Fischer, Optimization 24, 1992; De Luca, Facchinei, Kanzow, Mathematical Programming 75, 1996.)
class FischerBurmeisterNewton {
 public:
  /// Computes the scales of the data and evaluates at z.
  void start(const BoxView& view, const Vector& z);

  /// Moves z so that θ falls; false if no step reduces it: z is a stationary point, or rounding is reached.
  bool step(const BoxView& view, Vector& z);

  /// ‖Φ‖ / ‖q‖ (or ‖Φ‖) at the last z.
  double residual() const;

 private:
  double evaluate(const BoxView& view, const Vector& z);
  void differentiate(const BoxView& view, const Vector& z);
  bool newtonDirection();
  bool regularisedDirection(double weight);
  bool search(const BoxView& view, Vector& z);
  double slope() const;

  double normOfData_ = 1.;
  double merit_ = 0.;
  std::vector<char> isFree_;
  std::vector<double> scale_;  // d; unknowns are d z inside
  Vector w_, phi_, trial_, gradient_, direction_;
  Matrix jacobian_, normal_;
  LUFactorization lu_;
  CholeskyFactorization cholesky_;
};

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
