// SPDX-License-Identifier: Apache-2.0
// Compiled as a user's program, against libraries of any build.
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;
using delassus::test::expectNear;

TEST(UsersProgram, ChecksEveryIndexOfAVector) {
  Vector v{1., 2., 3.};
  v(2) = 4.;
  EXPECT_EQ(v[2], 4.);
  expectError([&] { v(3) = 0.; }, {"Vector", "index 3", "3 components"});
  expectError([&] { static_cast<void>(std::as_const(v)[7]); }, {"index 7"});
}

TEST(UsersProgram, ChecksEveryIndexOfAMatrix) {
  Matrix a(2, 3);
  a(1, 2) = 1.;
  expectError([&] { a(2, 0) = 0.; }, {"Matrix", "(2, 0)", "2 rows", "3 columns"});
  expectError([&] { static_cast<void>(std::as_const(a)(0, 3)); }, {"(0, 3)"});
}

TEST(UsersProgram, ComputesTheSameInTheLibraries) {
  Vector y{1., 1.};
  multiply(2., makeMatrix({{1., 2.}, {3., 4.}}), Vector{1., -1.}, 1., y);
  expectNear(y, {-1., -1.}, 0.);
}

}  // namespace
