// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <support/RandomProblems.hpp>

namespace delassus::test {

/// What a random global friction contact problem looks like.
struct GlobalFrictionShape {
  std::size_t dimension = 3;
  std::size_t contacts = 10;
  std::size_t bodies = 10;
  double coupling = 0.;  ///< off-diagonal entries of M between bodies, relative; 0 makes M block diagonal
  double mu = 0.5;       ///< friction is drawn from [0, 2 mu]
  /// Puts a third of the contacts on a border between two of the three statuses.
  bool degenerate = false;
  /// Powers of ten over which the masses of bodies and the units of contacts spread, either way.
  double spread = 0.;
};

/// A problem with bodies of 6 (3 in dimension 2) degrees of freedom and contacts between two of them or with the
/// ground, made around a known solution (v, r) with take-off, stick and slide in turn. With `spread`, reactions and
/// velocities have the units of their contact.
struct KnownGlobalFriction {
  numerics::GlobalFrictionContactProblem problem;
  Vector solution;     ///< r
  Vector velocity;     ///< u
  Vector generalised;  ///< v
};
KnownGlobalFriction randomGlobalFriction(Generator& generator, const GlobalFrictionShape& shape);

}  // namespace delassus::test
