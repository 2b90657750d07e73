// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/rotations/FixedSize.hpp>
#include <new>
#include <sstream>
#include <type_traits>

namespace {

using namespace delassus;

TEST(Vector3, IsZeroUntilItIsSet) {
  alignas(Vector3) double memory[3] = {1., 2., 3.};
  const auto* const a = new (memory) Vector3;
  EXPECT_EQ(*a, (Vector3{0., 0., 0.}));
}

TEST(Vector3, HasTheOperatorsOfVectors) {
  static_assert(std::is_trivially_copyable_v<Vector3>);
  static_assert(sizeof(Vector3) == 3 * sizeof(double));
  const Vector3 a{1., 2., 3.}, b{-2., 0.5, 4.};
  EXPECT_EQ(a + b, (Vector3{-1., 2.5, 7.}));
  EXPECT_EQ(a - b, (Vector3{3., 1.5, -1.}));
  EXPECT_EQ(-a, (Vector3{-1., -2., -3.}));
  EXPECT_EQ(2. * a, (Vector3{2., 4., 6.}));
  EXPECT_EQ(a * 2., 2. * a);
  EXPECT_EQ(a / 2., (Vector3{0.5, 1., 1.5}));
  EXPECT_EQ(dot(a, b), 11.);
  EXPECT_EQ(norm(Vector3{2., 3., 6.}), 7.);
  EXPECT_EQ(cross(Vector3{1., 0., 0.}, Vector3{0., 1., 0.}), (Vector3{0., 0., 1.}));
  EXPECT_EQ(Vector3{}, (Vector3{0., 0., 0.}));
  Vector3 c = a;
  c += b;
  c -= a;
  c *= 4.;
  c /= 2.;
  EXPECT_EQ(c, 2. * b);
}

TEST(Vector3, IsAVectorOfSizeThreeWhereOneIsAskedFor) {
  const Vector v = Vector3{1., 2., 3.};
  ASSERT_EQ(v.size(), 3U);
  EXPECT_EQ(v(2), 3.);
  std::ostringstream text;
  text << Vector3{1., -2., 0.5};
  EXPECT_EQ(text.str(), "(1, -2, 0.5)");
}

}  // namespace
