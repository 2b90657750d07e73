// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ProjectedSet.hpp>

namespace delassus::numerics {

/// The second-order cone with an aperture, in any number of rows (1: the half-line), first row on the axis:
///
///     K* ∋ w ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N },    K* = { μ ‖w_T‖ ≤ w_N }.
///
/// It is Coulomb's cone without De Saxcé's shift; Drucker and Prager's plasticity has such a cone, too. That of
/// contacts in the convex model of friction is AssociatedCone.
class SecondOrderCone : public ProjectedSet {
 public:
  /// μ ≥ 0 and finite (checked with the problem that has such a part); 1 is the cone of optimisation.
  explicit SecondOrderCone(double aperture = 1.) : aperture_(aperture) {}

  std::string_view name() const override { return "second_order"; }
  std::string description() const override { return "a second-order cone"; }
  std::array<double, 2> coefficients() const override { return {aperture_, 0.}; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override;

 protected:
  /// `isContact`: of contacts between bodies.
  SecondOrderCone(double aperture, bool isContact) : ProjectedSet(isContact), aperture_(aperture) {}

 private:
  void excess(std::size_t rows, double d, const double* x, double* e, double* G) const override;
  void certifiedExcess(std::size_t rows, double d, const double* x, double* e) const override;
  void certifiedExcess(std::size_t rows, double d, const long double* x, long double* e) const override;

  double aperture_;
};

}  // namespace delassus::numerics
