// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

// Random mechanical problems with joints, limits and contacts; every function takes its generator.
namespace delassus::test {

/// A problem with an answer known by construction: λ and w that meet the laws, in all cases of each law, and q = w − W
/// λ. Where `degenerate`, about a third of the rows and contacts are on a border between two cases.
struct KnownMechanical {
  numerics::GenericMechanicalProblem problem;
  Vector lambda;
  Vector w;
};
KnownMechanical randomKnownMechanical(Generator& generator, const Matrix& W, std::vector<numerics::Part> parts,
                                      bool degenerate = false);

/// Equalities, boxes and all four contacts, `times` over, in an order that mixes them; μ of 0 among them.
std::vector<numerics::Part> partsOfAllKinds(Generator& generator, std::size_t times);

/// Rows of some parts altogether.
std::size_t rowsOf(const std::vector<numerics::Part>& parts);

/// W = Hᵀ M⁻¹ H of a chain of bodies of six degrees of freedom, each joined to the one before by five equality rows
/// (the first to the ground), with `ends` (limits, contacts) at the last body. `closed`: one joint more, between the
/// last body and the ground, whose rows depend on the others'.
struct Linkage {
  Matrix W;
  std::vector<numerics::Part> parts;
};
Linkage randomLinkage(Generator& generator, std::size_t bodies, const std::vector<numerics::Part>& ends,
                      bool closed = false);

/// Linkages, some of them closed, with all kinds of parts at their ends, that W does not couple: part i of one follows
/// part i of the one before, as long as all have so many, so that they lie scattered. Has a solution.
numerics::GenericMechanicalProblem randomMechanisms(Generator& generator, std::size_t count);

}  // namespace delassus::test
