// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Vector, StartsAtZeroAndTakesListedComponents) {
  const Vector zero(3);
  EXPECT_EQ(zero(0), 0.);
  EXPECT_EQ(zero(2), 0.);
  const Vector v = makeVector({1., -2., 3.});
  ASSERT_EQ(v.size(), 3U);
  EXPECT_EQ(v(1), -2.);
}

TEST(Vector, AssignZeroWithinTheCapacityKeepsTheStorage) {
  Vector v(8);
  const double* const storage = data(v);
  assignZero(v, 3);
  EXPECT_EQ(v.size(), 3U);
  assignZero(v, 8);
  EXPECT_EQ(data(v), storage);
}

TEST(Vector, FiniteCheckSeesNanAndInfinityAnywhere) {
  for (const double bad : {nan, infinity, -infinity}) {
    for (std::size_t place = 0; place < 3; ++place) {
      Vector v(3);
      EXPECT_TRUE(allFinite(v));
      v(place) = bad;
      EXPECT_FALSE(allFinite(v));
    }
  }
  EXPECT_TRUE(allFinite(makeVector({1e308, -1e308})));
}

TEST(Vector, RequirementsNameTheVectorAndWhatCame) {
  expectError([] { requireSize(Vector(2), 3, "the force"); }, {"the force", "size 3", "size 2"});
  expectError([] { requireFinite(makeVector({0., nan}), "the force"); }, {"the force", "component 1", "nan"});
  EXPECT_NO_THROW(requireSize(Vector(3), 3, "the force"));
}

TEST(Matrix, IsMadeFromRowsInColumnMajorOrder) {
  const Matrix a = makeMatrix({{1., 2., 3.}, {4., 5., 6.}});
  EXPECT_EQ(a.size1(), 2U);
  EXPECT_EQ(a.size2(), 3U);
  EXPECT_EQ(a(1, 2), 6.);
  EXPECT_EQ(data(a)[1], 4.);
  expectError([] { makeMatrix({{1., 2.}, {3.}}); }, {"row 1", "1 entries", "2"});
}

TEST(Matrix, RequirementsNameTheMatrixAndWhatCame) {
  expectError([] { requireSize(Matrix(2, 3), 2, 2, "the mass"); }, {"the mass", "2 x 2", "2 x 3"});
  Matrix a = identityMatrix(2);
  a(0, 1) = nan;
  expectError([&] { requireFinite(a, "the mass"); }, {"the mass", "(0, 1)"});
  expectError(
      [] {
        requireSymmetric(makeMatrix({{1., 2.}, {3., 1.}}), "the mass");
      },
      {"the mass", "symmetric", "(0, 1)"});
  EXPECT_NO_THROW(requireSymmetric(makeMatrix({{1., 2.}, {2. + 1e-13, 1.}}), "the mass"));
}

}  // namespace
