// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/methods/ProductOfSets.hpp>
#include <delassus/numerics/nonlinear/VariationalInequalitySolver.hpp>

namespace delassus::numerics {

/// Options of ExtragradientSolver.
struct ExtragradientOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 100000, range::positive, "steps, of two evaluations of F each"),
                   (std::size_t, errorInterval, 50, range::positive, "steps between two checks of the certificate"))
};

/// Korpelevich's extragradient method in the metric D of the scales at the start,
///
///     y = P_C(x − τ D⁻¹ F(x)),    x ← P_C(x − τ D⁻¹ F(y)),
///
/// with τ reduced until τ ‖F(y) − F(x)‖ ≤ 0.9 ‖y − x‖ in the norms of D⁻¹ and D, and raised again (Khobotov). It
/// converges for every monotone (even pseudomonotone), Lipschitz continuous F, singular Jacobians or not, and only
/// evaluates F in C; linearly at best. The Jacobian serves for scales and certificates only. Contacts with friction
/// have no such theory: there De Saxcé's shift is added to F. Warm starts from x. (Korpelevich, Matecon 12, 1976;
/// Khobotov, USSR Comput. Math. Math. Phys. 27, 1987.)
class ExtragradientSolver final : public WithOptions<Solver<VariationalInequality>, ExtragradientOptions> {
 public:
  /// Throws Error on options out of range.
  explicit ExtragradientSolver(ExtragradientOptions options = {});

  std::string_view name() const override { return "ExtragradientSolver"; }

 private:
  Outcome compute(const VariationalInequality& problem, Vector& x) override;
  void step(const Vector& x, const Vector& F, Vector& y);
  bool predict(const VariationalInequality& problem, const Vector& x);
  double velocity(const Vector& a, const Vector& b) const;
  double distance(const Vector& a, const Vector& b) const;

  Linearisation near_;
  ProductOfSets sets_;
  double tau_ = 1.;
  bool raise_ = false;  // whether τ may be longer in the next step
  Vector F_, y_, atY_, next_, shifted_;
};

}  // namespace delassus::numerics
