// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Scales that bring the rows of a mechanical problem to one unit, for methods: with d_i and c_i below, d_i λ_i / c_i
/// and c_i w_i are velocities of one size, and their squares over d_i energies.
///
/// They are those of the sets (ConvexSet::scales).
struct MechanicalScales {
  std::vector<double> d;  ///< by rows, positive
  std::vector<double> c;  ///< by rows, positive

  /// Allocates only where the problem is larger than any before.
  void compute(const GenericMechanicalProblem& problem);
  /// A part with its scales, for its set.
  ConvexSet::Rows rows(const GenericMechanicalProblem& problem, std::size_t part) const;
  /// ( Σ v_i² c_i² / d_i )^½ for velocities.
  double velocityNorm(const double* w) const;
  /// ( Σ (d_i λ_i / c_i)² / d_i )^½ for reactions.
  double reactionNorm(const double* lambda, std::size_t first, std::size_t end) const;
};

}  // namespace delassus::numerics
