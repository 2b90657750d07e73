// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/numeric/ublas/io.hpp>  // its operators must not stand against ours
#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <boost/numeric/ublas/vector_proxy.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <iomanip>
#include <limits>
#include <sstream>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;
using delassus::test::expectNear;

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

TEST(Vector, HasTheComponentsThatBracesListAndTheSizeInParentheses) {
  const Vector listed{1, 2};
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed(0), 1.);
  EXPECT_EQ(listed(1), 2.);
  EXPECT_EQ(Vector{3.}.size(), 1U);
  EXPECT_EQ(Vector(3).size(), 3U);
  expectNear(Vector(2, 5.), Vector{5., 5.}, 0.);
  Vector assigned(7);
  assigned = {4., 5., 6.};
  expectNear(assigned, Vector{4., 5., 6.}, 0.);
  EXPECT_TRUE(Vector{}.empty());
  // Vector(1.) and Vector(1., 2.) would be sizes.
  static_assert(!std::is_constructible_v<Vector, double> && !std::is_constructible_v<Vector, double, double>);
}

TEST(Vector, IsWrittenInTheFormatOfTheStream) {
  std::ostringstream text;
  text << Vector{1., -2.5} << Vector() << std::setprecision(3) << std::setw(6) << Vector{1. / 3., 2.};
  EXPECT_EQ(text.str(), "(1, -2.5)()( 0.333,      2)");
}

TEST(Vector, AtRefusesAnIndexThatThereIsNot) {
  Vector v{1., 2.};
  v.at(1) = 3.;
  EXPECT_EQ(v.at(1), 3.);
  expectError([&] { v.at(2) = 0.; }, {"Vector", "index 2", "2 components"});
  expectError([] { static_cast<void>(Vector().at(0)); }, {"index 0", "0 components"});
}

TEST(Vector, MixesWithWhatUblasMakes) {
  namespace ublas = boost::numeric::ublas;
  const Matrix a = makeMatrix({{1., 2.}, {3., 4.}});
  Vector v{1., 1.};
  Vector w = ublas::prod(a, v) + 2. * v;
  expectNear(w, {5., 9.}, 0.);
  w -= v;
  ublas::noalias(w) += ublas::prod(ublas::trans(a), v);
  expectNear(w, {8., 14.}, 0.);
  w = ublas::column(a, 1);
  ublas::subrange(w, 0, 1) = Vector{7.};
  expectNear(w, {7., 4.}, 0.);
  const ublas::vector<double, std::vector<double>> plain = w;
  w = plain;
  w.swap(v);
  expectNear(v, {7., 4.}, 0.);
  expectNear(w, {1., 1.}, 0.);
  expectNear(Matrix(ublas::prod(a, a)), makeMatrix({{7., 10.}, {15., 22.}}), 0.);
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

TEST(Matrix, IsWrittenByRows) {
  const Matrix a = makeMatrix({{1., 2.}, {3., 4.}});
  std::ostringstream text;
  text << a << Matrix() << std::setw(2) << a;
  EXPECT_EQ(text.str(), "(1, 2; 3, 4)()( 1,  2;  3,  4)");
  EXPECT_EQ(testing::PrintToString(a), "(1, 2; 3, 4)");
}

TEST(Matrix, AtRefusesAnIndexThatThereIsNot) {
  Matrix a = makeMatrix({{1., 2., 3.}});
  a.at(0, 2) = 5.;
  EXPECT_EQ(a.at(0, 2), 5.);
  expectError([&] { a.at(1, 0) = 0.; }, {"Matrix", "(1, 0)", "1 rows", "3 columns"});
  expectError([&] { a.at(0, 3) = 0.; }, {"(0, 3)"});
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
