// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/friction/DeSaxceFixedPointSolver.hpp>

#include <algorithm>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// In the scales in which the method projects, normal velocities count 1/μ² of what they do in the certificate.
TEST(DeSaxceFixedPoint, GoesOnWhereFrictionIsGreat) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Generator generator(seed);
    const FrictionContactProblem moving = assembled(randomMovingBodies(generator, {.contacts = 6, .bodies = 8}));
    const FrictionContactProblem problem(3, *moving.W().matrix(), moving.q(), Vector(6, 20.));
    DeSaxceFixedPointOptions few, many;
    few.maxIterations = 50;
    many.maxIterations = 500;
    Vector r1, r2, u;
    const SolveReport first = DeSaxceFixedPointSolver(few).solve(problem, r1, u);
    const SolveReport second = DeSaxceFixedPointSolver(many).solve(problem, r2, u);
    EXPECT_TRUE(first.converged() || !std::equal(r1.begin(), r1.end(), r2.begin())) << second.summary();
  }
}

}  // namespace
