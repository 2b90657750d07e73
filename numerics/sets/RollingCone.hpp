// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ContactSet.hpp>

namespace delassus::numerics {

/// Unilateral contact with Coulomb's friction and rolling resistance, 3 or 5 rows. Its local solve is
/// RollingContactSolver.
class RollingCone final : public ContactSet {
 public:
  /// Of the coefficient μ and the length μ_R, at least 0 and finite (checked with the problem that has such a part).
  RollingCone(double friction, double rolling) : ContactSet(friction, rolling, true) {}

  std::string_view name() const override { return "rolling"; }
  std::string description() const override { return "Coulomb's cone with rolling resistance"; }
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
};

}  // namespace delassus::numerics
