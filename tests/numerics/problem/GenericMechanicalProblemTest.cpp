// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

#include <gtest/gtest.h>

#include <delassus/numerics/sets/RollingCone.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(GenericMechanicalProblem, PartsADenseMatrixByItsLaws) {
  Matrix W = identityMatrix(6);
  W(0, 3) = W(3, 0) = 0.5;
  const GenericMechanicalProblem problem(W, Vector(6), {Part::equality(2), Part::box(1), Part::coulomb(3, 0.4)});
  EXPECT_EQ(problem.W().blockRows(), 3U);
  // The box touches nothing.
  EXPECT_EQ(problem.W().blockCount(), 5U);
  Matrix back;
  problem.W().toDense(back);
  expectNear(back, W, 0.);
  EXPECT_EQ(problem.lower()(2), -infinity);
  // A box has no ends where none are given.
  EXPECT_EQ(problem.freeRows(), 3U);
  EXPECT_EQ(problem.set(2).name(), "coulomb");
}

TEST(GenericMechanicalProblem, PartsAnyPartitionAndKeepsTheRightOne) {
  Generator generator(31);
  const Matrix W = randomSemidefinite(generator, 7, 7);
  const GenericMechanicalProblem first(W, Vector(7), {Part::equality(4), Part::box(3)});
  const GenericMechanicalProblem second(first.W(), Vector(7), {Part::box(2), Part::rollingContact(3, 0.5, 0.1)});
  Matrix back;
  second.W().toDense(back);
  expectNear(back, W, 0.);
  const GenericMechanicalProblem third(second.W(), Vector(7), second.parts());
  EXPECT_EQ(third.stamp(), second.stamp());
}

TEST(GenericMechanicalProblem, NamesWhatIsWrong) {
  const Matrix W = identityMatrix(3);
  const Vector q(3);
  const auto build = [&](std::vector<Part> parts, Vector lower = {}, Vector upper = {}) {
    return [=] { GenericMechanicalProblem(W, q, parts, lower, upper); };
  };
  expectError(build({Part::equality(2)}), {"parts with as many rows as W, 3", "got 2"});
  expectError(build({Part::coulomb(3, -0.1)}), {"part 0", "coefficient of friction", "-0.1"});
  expectError(build({Part::rollingContact(2, 0.1, -2.)}), {"part 0", "rolling resistance", "-2"});
  expectError(build({{std::make_shared<RollingCone>(0.1, 0.1), 2}, Part::box(1)}), {"part 0", "3 or 5 rows", "got 2"});
  expectError(build({Part::equality(0), Part::box(3)}), {"part 0", "at least one row"});
  expectError(build({Part::box(3)}, makeVector({0., 2., 0.}), makeVector({1., 1., 1.})), {"part 0", "[2, 1] in row 1"});
  expectError(build({Part::box(3)}, makeVector({0., 0.})), {"lower bounds", "3", "2"});
  expectError([&] { GenericMechanicalProblem(W, Vector(2), {Part::box(3)}); }, {"q", "3", "2"});
}

TEST(GenericMechanicalProblem, BoundsOfOtherPartsDoNotCount) {
  const Vector lower = makeVector({5., 0.}), upper = makeVector({-5., 1.});
  EXPECT_NO_THROW(
      GenericMechanicalProblem(identityMatrix(2), Vector(2), {Part::equality(1), Part::box(1)}, lower, upper));
}

}  // namespace
