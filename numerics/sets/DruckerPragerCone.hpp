// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ProjectedSet.hpp>

namespace delassus::numerics {

/// The stresses that a plastic material bears,
///
///     { (p, s) : ‖s‖ ≤ k − a p },
///
/// rows (p, s) in an orthonormal basis: p is a multiple of the mean stress, positive in tension, s the deviatoric
/// stress; in plane strain p = (σ_xx + σ_yy)/√2 and s = ((σ_xx − σ_yy)/√2, √2 σ_xy). It is a cone with its tip at p =
/// k/a. Drucker and Prager's material of cohesion k and friction a > 0, which in plane strain is Mohr and Coulomb's;
/// for a = 0 von Mises' cylinder, whose p is free. The law is associated: the plastic rate −w is normal to the border.
/// (Simo and Hughes, Computational Inelasticity, 1998, chapter 2.)
class DruckerPragerCone final : public ProjectedSet {
 public:
  /// a, k ≥ 0 and finite (checked with the problem that has such a part).
  DruckerPragerCone(double friction, double cohesion) : friction_(friction), cohesion_(cohesion) {}

  std::string_view name() const override { return "drucker_prager"; }
  std::string description() const override { return "Drucker and Prager's cone"; }
  std::array<double, 2> coefficients() const override { return {friction_, cohesion_}; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override;

 private:
  void excess(std::size_t rows, double d, const double* x, double* e, double* G) const override;
  void certifiedExcess(std::size_t rows, double d, const double* x, double* e) const override;
  void certifiedExcess(std::size_t rows, double d, const long double* x, long double* e) const override;

  double friction_, cohesion_;
};

}  // namespace delassus::numerics
