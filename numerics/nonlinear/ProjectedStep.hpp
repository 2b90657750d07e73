// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/mechanical/MechanicalScales.hpp>
#include <vector>

namespace delassus::numerics {

/// Projected steps on a product of sets in the metric of some scales,
///
///     y = P_C( x − τ D⁻¹ (F + s(F)) ),    D = diag(d_i / c_i²),
///
/// part by part from the natural map of the set, s being De Saxcé's shift where a set has one.
class ProjectedStep {
 public:
  /// `sets` has the parts and the bounds; y may be x.
  void apply(const ProblemOverSets& sets, const MechanicalScales& scales, const Vector& x, const Vector& F, double tau,
             Vector& y);
  /// x := P_C(x), without scales.
  void project(const ProblemOverSets& sets, Vector& x);

 private:
  MechanicalScales ones_;
  Vector zeros_;
  std::vector<double> w_, value_, byW_, byX_;  // of one part
};

}  // namespace delassus::numerics
