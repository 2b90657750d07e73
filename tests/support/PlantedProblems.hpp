// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <string>

// Small random problems made around a known solution, one a seed: regular, degenerate, of deficient rank, nearly so,
// and badly scaled, in turn.
namespace delassus::test {

/// The kind of data of a planted problem, chosen by `seed % plantedFamilies` says which.
enum class PlantedFamily { regular, degenerate, rankDeficient, nearlyDeficient, badlyScaled, all };
inline constexpr std::size_t plantedFamilies = 6;

/// A problem that has a solution.
template <class Problem>
struct Planted {
  Problem problem;
  Vector solution;  ///< the unknown of its solvers, exact to the rounding of the data
};

/// One to six contacts, μ from 0 to 3.
Planted<numerics::FrictionContactProblem> plantedFriction(std::size_t dimension, std::uint64_t seed);

/// One to five bodies, with more contacts than they need where the family says so.
Planted<numerics::GlobalFrictionContactProblem> plantedGlobalFriction(std::uint64_t seed);

/// One to six parts of all kinds.
Planted<numerics::GenericMechanicalProblem> plantedMechanical(std::uint64_t seed);

/// One to six parts of the sets that make convex problems: equalities, boxes, orthants, second-order cones, balls and
/// cones of plasticity.
Planted<numerics::GenericMechanicalProblem> plantedConvex(std::uint64_t seed);

/// Two to twelve unknowns; M is any matrix, neither monotone nor of another class with a theory.
Planted<numerics::LinearComplementarityProblem> plantedGeneralLcp(std::uint64_t seed);

}  // namespace delassus::test
