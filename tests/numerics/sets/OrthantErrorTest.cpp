// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using delassus::test::expectError;

// w = (2 z₁ + z₂ − 2, z₁ + 2 z₂ + 1); the solution is z = (1, 0), w = (0, 2).
LinearComplementarityProblem smallProblem() {
  return {makeMatrix({{2., 1.}, {1., 2.}}), makeVector({-2., 1.})};
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z, Vector& w,
                ErrorMeasure measure = ErrorMeasure::scaled) {
  return errorOf(problem, measure, z, w);
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return lcpError(problem, z, w);
}

double publishedLcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return lcpError(problem, z, w, ErrorMeasure::published);
}

TEST(OrthantError, IsZeroAtASolution) {
  Vector w;
  EXPECT_EQ(lcpError(smallProblem(), makeVector({1., 0.}), w), 0.);
  EXPECT_EQ(w(0), 0.);
  EXPECT_EQ(w(1), 2.);
}

TEST(OrthantError, MeasuresEachKindOfViolation) {
  const double scale = std::sqrt(5.);
  // z = 0: w = (−2, 1), min(2·0, −2) = −2.
  EXPECT_DOUBLE_EQ(lcpError(smallProblem(), Vector(2)), 2. / scale);
  // Both positive: z = (1, 1) gives w = (1, 4) and the scaled minima (1, 2).
  EXPECT_DOUBLE_EQ(lcpError(smallProblem(), makeVector({1., 1.})), std::sqrt(1. + 4.) / scale);
  // Negative z: min(2·(−1), w).
  EXPECT_DOUBLE_EQ(lcpError(smallProblem(), makeVector({1., -1.})), std::sqrt(1. + 4.) / scale);
}

TEST(OrthantError, DoesNotChangeWithTheUnitsOfTheData) {
  const Vector z = makeVector({0.7, 0.2});
  const double error = lcpError(smallProblem(), z);
  const double unitOfZ = 1e6;
  const double unitOfW = 1e-3;
  Matrix M = makeMatrix({{2., 1.}, {1., 2.}});
  M *= unitOfW / unitOfZ;
  const LinearComplementarityProblem scaled(M, unitOfW * makeVector({-2., 1.}));
  EXPECT_NEAR(lcpError(scaled, unitOfZ * z), error, 1e-15);
  EXPECT_GT(std::abs(publishedLcpError(scaled, unitOfZ * z) - publishedLcpError(smallProblem(), z)), 1e-3);
}

TEST(OrthantError, PublishedMeasureHasNoScaling) {
  EXPECT_DOUBLE_EQ(publishedLcpError(smallProblem(), makeVector({1., 1.})), std::sqrt(1. + 1.) / std::sqrt(5.));
}

TEST(OrthantError, IsAbsoluteWhereQIsZero) {
  const LinearComplementarityProblem problem(identityMatrix(1), Vector(1));
  EXPECT_EQ(lcpError(problem, Vector(1)), 0.);
  EXPECT_DOUBLE_EQ(lcpError(problem, makeVector({0.25})), 0.25);
}

TEST(OrthantError, OfNanIsInfinite) {
  const Vector z = makeVector({std::numeric_limits<double>::quiet_NaN(), 0.});
  EXPECT_EQ(lcpError(smallProblem(), z), std::numeric_limits<double>::infinity());
}

TEST(OrthantError, IsRelativeAlsoToDataWhoseSquaresOverflow) {
  const LinearComplementarityProblem problem(identityMatrix(2), makeVector({1e200, -1e200}));
  EXPECT_GT(lcpError(problem, makeVector({0., 1e190})), 0.5);
  EXPECT_EQ(lcpError(problem, makeVector({0., 1e200})), 0.);
  const double largest = std::numeric_limits<double>::max();
  const LinearComplementarityProblem beyond(identityMatrix(2), makeVector({largest, largest}));
  EXPECT_EQ(lcpError(beyond, makeVector({1., 0.})), std::numeric_limits<double>::infinity());
}

TEST(OrthantError, IsInfiniteWhereWIsNotFinite) {
  // Row 2 is inf - inf, and min(0, w) would drop it.
  const LinearComplementarityProblem problem(makeMatrix({{1e10, 0., 0.}, {1e200, -1e200, 0.}, {1e200, 0., 0.}}),
                                             makeVector({1., 1., 1.}));
  EXPECT_EQ(lcpError(problem, makeVector({0., 0., 1.})), 1. / std::sqrt(3.));
  EXPECT_EQ(lcpError(problem, makeVector({1e200, 1e200, 0.})), std::numeric_limits<double>::infinity());
}

TEST(LinearComplementarityProblem, RefusesDataThatDoNotFit) {
  expectError([] { LinearComplementarityProblem(identityMatrix(2), Vector(3)); }, {"q", "size 2", "size 3"});
  expectError([] { LinearComplementarityProblem(Matrix(2, 3), Vector(2)); }, {"2 x 3"});
  Matrix M = identityMatrix(2);
  M(0, 1) = std::numeric_limits<double>::infinity();
  expectError([&] { LinearComplementarityProblem(M, Vector(2)); }, {": M", "inf"});
  expectError([&] { lcpError(smallProblem(), Vector(3)); }, {"size 2", "size 3"});
}

}  // namespace
