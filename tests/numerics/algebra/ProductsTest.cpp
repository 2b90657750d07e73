// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;
namespace ublas = boost::numeric::ublas;

// Sizes on both sides of the switch from loops to BLAS.
class Products : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {
 protected:
  Generator generator_{GetParam().first + 100 * GetParam().second};
  const Matrix a_ = randomMatrix(generator_, GetParam().first, GetParam().second);
};

// n terms of size at most 1, rounded: n ε and some room.
double rounding(std::size_t n) {
  return 4. * static_cast<double>(n + 1) * std::numeric_limits<double>::epsilon();
}

TEST_P(Products, MatrixTimesVectorAgreesWithUblas) {
  const Vector x = randomVector(generator_, a_.size2());
  const Vector y = randomVector(generator_, a_.size1());
  Vector result = y;
  multiply(2., a_, x, -3., result);
  const Vector expected = 2. * ublas::prod(a_, x) - 3. * y;
  expectNear(result, expected, 3. * rounding(a_.size2()));
}

TEST_P(Products, ZeroBetaOverwritesWhateverWasThere) {
  const Vector x = randomVector(generator_, a_.size2());
  Vector result(a_.size1());
  for (double& entry : result.data()) entry = std::numeric_limits<double>::quiet_NaN();
  multiply(1., a_, x, 0., result);
  expectNear(result, Vector(ublas::prod(a_, x)), rounding(a_.size2()));
}

TEST_P(Products, TransposedMatrixTimesVectorAgreesWithUblas) {
  const Vector x = randomVector(generator_, a_.size1());
  Vector result(a_.size2());
  multiplyTransposed(1., a_, x, 0., result);
  expectNear(result, Vector(ublas::prod(ublas::trans(a_), x)), rounding(a_.size1()));
}

TEST_P(Products, MatrixTimesMatrixAgreesWithUblas) {
  const Matrix b = randomMatrix(generator_, a_.size2(), 7);
  Matrix c = randomMatrix(generator_, a_.size1(), 7);
  const Matrix expected = 0.5 * ublas::prod(a_, b) + c;
  multiply(0.5, a_, b, 1., c);
  expectNear(c, expected, 2. * rounding(a_.size2()));
}

TEST_P(Products, QuadraticFormAgreesWithUblas) {
  const Matrix a = randomMatrix(generator_, a_.size1(), a_.size1());
  const Vector x = randomVector(generator_, a_.size1());
  const double n = static_cast<double>(a_.size1());
  EXPECT_NEAR(quadraticForm(a, x), ublas::inner_prod(x, ublas::prod(a, x)), n * rounding(a_.size1()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Products,
                         testing::Values(std::pair<std::size_t, std::size_t>{1, 1},
                                         std::pair<std::size_t, std::size_t>{3, 5},
                                         std::pair<std::size_t, std::size_t>{16, 16},
                                         std::pair<std::size_t, std::size_t>{17, 16},
                                         std::pair<std::size_t, std::size_t>{40, 30}));

// On both sides of the panels of eight rows.
TEST(EmptyProducts, AreZeroWithoutColumns) {
  for (const std::size_t rows : {0U, 3U, 8U, 19U}) {
    Vector y(rows, 7.);
    detail::multiplySmall(1., nullptr, rows, 0, nullptr, true, y.data().data());
    for (const double entry : y.data()) EXPECT_EQ(entry, 7.);
    detail::multiplySmall(1., nullptr, rows, 0, nullptr, false, y.data().data());
    for (const double entry : y.data()) EXPECT_EQ(entry, 0.);
  }
}

TEST(Norms, AgreeWithTheirDefinitions) {
  const Matrix a = makeMatrix({{1., -7.}, {-4., 2.}});
  EXPECT_DOUBLE_EQ(norm1(a), 9.);
  EXPECT_DOUBLE_EQ(normInf(a), 8.);
  EXPECT_DOUBLE_EQ(normMax(a), 7.);
  EXPECT_DOUBLE_EQ(normFrobenius(a), std::sqrt(70.));
  const Vector v = makeVector({3., -4.});
  EXPECT_DOUBLE_EQ(norm2(v), 5.);
  EXPECT_DOUBLE_EQ(normInf(v), 4.);
  EXPECT_DOUBLE_EQ(dot(v, makeVector({2., 1.})), 2.);
}

TEST(Norms, EuclideanNormNeitherOverflowsNorUnderflows) {
  EXPECT_DOUBLE_EQ(norm2(makeVector({3e200, 4e200})), 5e200);
  EXPECT_DOUBLE_EQ(norm2(makeVector({3e-200, 4e-200})), 5e-200);
  EXPECT_EQ(norm2(Vector(2)), 0.);
}

TEST(Norms, OfNanAreNan) {
  const Vector v = makeVector({1., std::numeric_limits<double>::quiet_NaN(), 2.});
  EXPECT_TRUE(std::isnan(normInf(v)));
  EXPECT_TRUE(std::isnan(norm2(v)));
}

}  // namespace
