// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <support/RandomProblems.hpp>

// Random friction contact problems of rigid bodies; every function takes its generator.
namespace delassus::test {

/// Bodies and contacts of a random problem.
struct ContactSetup {
  std::size_t dimension = 3;
  std::size_t contacts = 10;
  std::size_t bodies = 10;
  double leastFriction = 0.1;
  double mostFriction = 0.9;
};

/// W = Hᵀ M⁻¹ H of contacts between random pairs of bodies (or a body and the ground) in random frames with random
/// lever arms. Few bodies make it hyperstatic.
std::shared_ptr<const numerics::FactoredDelassus> randomDelassus(Generator& generator, const ContactSetup& setup);

/// A problem with an answer known by construction: r drawn with contacts open, sticking and sliding in equal parts, a
/// velocity u that goes with it, q = u − W r. Where `degenerate`, a quarter of the contacts is on a border between two
/// cases.
struct KnownContacts {
  numerics::FrictionContactProblem problem;
  Vector reaction;
  Vector velocity;
};
KnownContacts randomKnownContacts(Generator& generator, const ContactSetup& setup, bool degenerate = false);

/// A problem that has a solution because u = 0 can be reached: q = Hᵀ v for a random v of the bodies.
numerics::FrictionContactProblem randomMovingBodies(Generator& generator, const ContactSetup& setup);

/// Spheres at rest on each other in a cubic lattice of nx · ny · nz on the ground, under gravity, pushed at random:
/// about three contacts (nine forces) a body of six degrees of freedom.
numerics::FrictionContactProblem sphereLattice(std::size_t nx, std::size_t ny, std::size_t nz, double mu);

/// The same problem with W assembled.
numerics::FrictionContactProblem assembled(const numerics::FrictionContactProblem& problem);

}  // namespace delassus::test
