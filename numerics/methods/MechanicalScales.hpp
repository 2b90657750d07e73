// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <vector>

namespace delassus::numerics {

/// Scales that bring the rows of a mechanical problem to one unit, for methods: with d_i and c_i below, d_i λ_i / c_i
/// and c_i w_i are velocities of one size, and their squares over d_i energies.
///
/// They are those of the sets (ConvexSet::scales).
struct MechanicalScales {
  std::vector<double> d;  ///< by rows, positive
  std::vector<double> c;  ///< by rows, positive
  /// By rows, 1/d or 1: by which squares of velocities count in the norm of the problem.
  std::vector<double> weight;

  /// Allocates only where the problem is larger than any before.
  void compute(const ProblemOverSets& problem);
  /// A part with its scales, for its set.
  ConvexSet::Rows rows(const ProblemOverSets& problem, std::size_t part) const;
  /// ( Σ v_i² c_i² e_i )^½ for velocities, e the weights.
  double velocityNorm(const double* w) const;
  /// Σ v_i² c_i² / d_i for velocities.
  double energy(const double* w) const;

 private:
  std::vector<double> block_;  // of a part of a W that is no matrix
};

/// Mean diagonal entry of each contact's block of W (1 where that is not positive): it converts a reaction into a
/// velocity of the magnitude it causes.
void contactScales(const FrictionContactProblem& problem, std::vector<double>& scales);

class RandomGenerator;

/// A random start in the units of each row: λ of the magnitude that q implies by energy, inside the laws. Boxes within
/// their bounds or at one, contacts open, sticking or sliding at random. With E the mean of the ‖q_p‖²/d_p of the parts
/// (NaturalMapError.hpp), a row is of size (E/d)^½. Allocates.
void drawImpulses(const ProblemOverSets& problem, RandomGenerator& generator, Vector& lambda);

/// Multiplies λ of each part by a factor between 0 and 1.5.
void scaleImpulses(const ProblemOverSets& problem, RandomGenerator& generator, Vector& lambda);

/// For RestartingSolver: `given` with scaled impulses; of zeros, drawn ones.
void drawNear(const ProblemOverSets& problem, std::size_t number, RandomGenerator& generator, const Vector& given,
              Vector& lambda);

/// For RestartingSolver: even starts are near the given one, odd ones are drawn.
void drawNearAndFar(const ProblemOverSets& problem, std::size_t number, RandomGenerator& generator, const Vector& given,
                    Vector& lambda);

}  // namespace delassus::numerics
