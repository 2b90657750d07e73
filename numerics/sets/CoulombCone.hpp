// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ContactSet.hpp>

namespace delassus::numerics {

/// Unilateral contact with Coulomb's friction, 2 or 3 rows. Its local solve is HybridOneContactSolver.
class CoulombCone final : public ContactSet {
 public:
  /// Of this coefficient μ, at least 0 and finite (checked with the problem that has such a part).
  explicit CoulombCone(double friction) : ContactSet(friction, 0., false) {}

  std::string_view name() const override { return "coulomb"; }
  std::string description() const override { return "Coulomb's cone"; }
  std::optional<double> coulombFriction() const override { return coefficients()[0]; }
  /// See alartCurnier() of AlartCurnier.hpp.
  void alartCurnier(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                    double* B) const override;
  bool mapByFriction(const Rows& rows, const double* w, const double* lambda, double* value) const override;
  void project(const Rows& rows, double* x) const override;
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
};

}  // namespace delassus::numerics
