// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <string>
#include <vector>

namespace delassus::benchmarks {

/// The one-step problem of a step of a scene, with the start that the step had.
struct PileProblem {
  std::string name;                          ///< scene and moment: "spheres 1000, settling"
  numerics::FrictionContactProblem problem;  ///< W is its own
  Vector start;                              ///< multipliers of the step before
};

/// Scenes with friction that settle, in steps of 5 ms, each at some moments of its run:
///
///     spheres n     fall into a box (FallingSpheres.hpp): falling, settling, settled
///     boxes         of three sizes fall into a box: settling, settled
///     wall          of bricks in bond: standing, and hit by a ball
///     arch          of tilted boxes between two abutments: standing
///     arches n      of different numbers of stones, that do not touch each other: standing
///     hopper        of spheres on a closed gate, and just after that has opened
///
/// and lattices of equal spheres that touch without load, in the first step of gravity: a cube, and two layers. At most
/// `contacts` contacts, roughly: scenes have as many bodies as that allows, and those of fixed size are left out where
/// they have more.
std::vector<PileProblem> pileProblems(std::size_t contacts);

}  // namespace delassus::benchmarks
