// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/ProblemOverSets.hpp>

namespace delassus::numerics {

class RandomGenerator;

/// A random start in the units of each row: λ of the magnitude that q implies by energy, inside the laws. Boxes within
/// their bounds or at one, contacts open, sticking or sliding at random. With E the mean of the ‖q_p‖²/d_p of the parts
/// (NaturalMapError.hpp), a row is of size (E/d)^½. Allocates.
void drawImpulses(const ProblemOverSets& problem, RandomGenerator& generator, Vector& lambda);

}  // namespace delassus::numerics
