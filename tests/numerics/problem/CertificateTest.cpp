// SPDX-License-Identifier: Apache-2.0
//
// Certificates of answers whose large terms cancel: double precision gives residuals of 0, the exact ones are not
// small.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/contact/FactoredDelassus.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <memory>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// (1 + ε) z₁ − z₂ − 2 at z = 10¹⁶ is 0.22, and 0 where the first product is rounded to a double.
constexpr double large = 1e16;
constexpr double missing = large * epsilon - 2.;

Matrix cancellingMatrix() {
  return makeMatrix({{1. + epsilon, -1.}, {1. + epsilon, -1.}});
}

Vector cancellingConstant() {
  return makeVector({-2., -2.});
}

Vector largeUnknown() {
  return makeVector({large, large});
}

template <class Problem>
void expectErrorAbove(const Problem& problem, const Vector& unknown, double expected) {
  for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
    Vector dual;
    const double error = errorOf(problem, measure, unknown, dual);
    EXPECT_GE(error, expected * (1. - 1e-12));
    EXPECT_LE(error, 2. * expected);  // with what extended precision may have lost
  }
}

// w = (1000 z₂ + q, −z₁ + 1000 z₂) with z₁ in [−12, 12] and z₂ ≥ 0, of an op amp at a zero of its source: for q > 0 it
// is solved by z = (−12, 0). What 12 makes of w is rounded to more than 1e-8 of a q that is a rounding error itself.
TEST(Certificates, TakeBoundsForData) {
  const auto withConstant = [](double q) {
    return RelayProblem(makeMatrix({{0., 1000.}, {-1., 1000.}}), makeVector({q, 0.}), makeVector({-12., 0.}),
                        makeVector({12., infinity}));
  };
  const Vector exact = makeVector({-12., 0.});
  Vector w;
  for (const double q : {1e-3, 1e-9, 1e-12, 2.4e-16, 1e-19}) {
    EXPECT_LE(errorOf(withConstant(q), ErrorMeasure::scaled, exact, w), 1e-8) << q;
    EXPECT_DOUBLE_EQ(w(1), 12.);
  }
  // No more than a millionth of it: a constant that counts is what errors are relative to, and a wrong answer is seen.
  const Vector wrong = makeVector({-12., 1e-9});
  EXPECT_NEAR(errorOf(withConstant(-0.1), ErrorMeasure::scaled, exact, w), 1., 1e-9);
  EXPECT_NEAR(errorOf(withConstant(0.1), ErrorMeasure::scaled, wrong, w), 1e-5, 1e-7);
  EXPECT_GT(errorOf(withConstant(2.4e-16), ErrorMeasure::scaled, wrong, w), 1e-2);
}

TEST(Certificates, SeeWhatCancelsInAnLcp) {
  expectErrorAbove(LinearComplementarityProblem(cancellingMatrix(), cancellingConstant()), largeUnknown(),
                   missing / 2.);
}

TEST(Certificates, SeeWhatCancelsInAnMlcp) {
  using Row = MixedLinearComplementarityProblem::Row;
  for (const Row row : {Row::equality, Row::complementarity}) {
    expectErrorAbove(MixedLinearComplementarityProblem(cancellingMatrix(), cancellingConstant(), {row, row}),
                     largeUnknown(), missing / 2.);
  }
}

TEST(Certificates, SeeWhatCancelsInARelayProblem) {
  const RelayProblem problem(cancellingMatrix(), cancellingConstant(), makeVector({-infinity, 0.}),
                             makeVector({infinity, infinity}));
  expectErrorAbove(problem, largeUnknown(), missing / 2.);
}

TEST(Certificates, SeeWhatCancelsInAMechanicalProblem) {
  const std::vector<Part> equality{Part::equality(1), Part::equality(1)};
  BlockSparseMatrix W;
  for (int row = 0; row < 2; ++row) {
    W.beginRow(1);
    W.addBlock(0);
    W.addBlock(1);
  }
  W.finish();
  for (std::size_t k : {0U, 2U}) *W.block(k) = 1. + epsilon;
  for (std::size_t k : {1U, 3U}) *W.block(k) = -1.;
  W.touch();
  expectErrorAbove(GenericMechanicalProblem(W, cancellingConstant(), equality), largeUnknown(), missing / 2.);

  // The normal velocity counts by μ times the tangential one more.
  const GenericMechanicalProblem contact(cancellingMatrix(), cancellingConstant(), {Part::coulomb(2, 2.)});
  expectErrorAbove(contact, largeUnknown(), std::hypot(3., 1.) * missing / std::sqrt(8.));
}

TEST(Certificates, SeeWhatCancelsInAFrictionProblem) {
  const FrictionContactProblem dense(2, cancellingMatrix(), cancellingConstant(), makeVector({2.}));
  expectErrorAbove(dense, largeUnknown(), std::hypot(3., 1.) * missing / std::sqrt(8.));
}

TEST(Certificates, SeeWhatCancelsInAFactoredDelassusOperator) {
  // One body of one coordinate, with the velocity (1 + ε) r₁ − r₂.
  const SparseMatrix H = sparseFromDense(makeMatrix({{1. + epsilon, -1.}}));
  const auto W = std::make_shared<FactoredDelassus>(2, std::vector<Matrix>{makeMatrix({{1.}})}, H);
  const FrictionContactProblem problem(2, W, makeVector({-2. * (1. + epsilon), 2.}), makeVector({2.}));
  expectErrorAbove(problem, largeUnknown(), std::hypot(3., 1.) * missing / std::sqrt(8.));
}

TEST(Certificates, SeeWhatCancelsInAGlobalFrictionProblem) {
  const SparseMatrix M = sparseFromDense(makeMatrix({{1.}}));
  const SparseMatrix H = sparseFromDense(makeMatrix({{1. + epsilon, -1.}}));
  const GlobalFrictionContactProblem problem(2, M, H, Vector(1), makeVector({-2. * (1. + epsilon), 2.}),
                                             makeVector({2.}));
  expectErrorAbove(problem, largeUnknown(), std::hypot(3., 1.) * missing / std::sqrt(8.));
}

TEST(Certificates, AreTheOrdinarySumsWhereRoundingCannotChangeTheVerdict) {
  Generator generator(1);
  const Matrix M = randomSemidefinite(generator, 5, 5, 0.5);
  const Vector z = makeVector({1., 0.5, 0.25, 2., 1.});
  Vector q(5);
  multiply(-1., M, z, 0., q);
  Vector w, w0;
  const LinearComplementarityProblem problem(M, q);
  EXPECT_EQ(errorOf(problem, ErrorMeasure::scaled, z, w, 1e-8), errorOf(problem, ErrorMeasure::scaled, z, w0, 1e-3));
  EXPECT_EQ(normInf(w), normInf(w0));
  // A tolerance below rounding asks for the extended sums.
  EXPECT_GT(errorOf(problem, ErrorMeasure::scaled, z, w, 1e-16), 0.);
}

TEST(Rounding, BoundsTheErrorOfProductsOfEveryStorage) {
  for (std::size_t seed = 0; seed < 30; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed;
    const Matrix A = randomMatrix(generator, n, n);
    const Vector x = randomVector(generator, n);
    const SparseMatrix sparse = sparseFromDense(A);
    const BlockSparseMatrix block(A);
    Vector y(n), transposedY(n);
    multiply(1., A, x, 0., y);
    multiplyTransposed(1., sparse, data(x), 0., data(transposedY));
    std::vector<std::vector<double>> bounds(4, std::vector<double>(n, 0.));
    std::vector<std::vector<long double>> exact(4, std::vector<long double>(n, 0.L));
    addRounding(A, data(x), bounds[0].data());
    addRounding(sparse, data(x), bounds[1].data());
    addRounding(block, data(x), bounds[2].data());
    addRoundingTransposed(sparse, data(x), bounds[3].data());
    addExtended(A, data(x), exact[0].data());
    addExtended(1., sparse, data(x), exact[1].data());
    addExtended(block, data(x), exact[2].data());
    addExtendedTransposed(sparse, data(x), exact[3].data());
    for (std::size_t storage = 0; storage < 4; ++storage) {
      const Vector& product = storage == 3 ? transposedY : y;
      for (std::size_t i = 0; i < n; ++i) {
        const auto error = static_cast<double>(std::abs(exact[storage][i] - static_cast<long double>(product(i))));
        EXPECT_LE(error, bounds[storage][i]) << storage;
        EXPECT_LE(bounds[storage][i], static_cast<double>(n * (n + 2)) * epsilon) << storage;
      }
    }
  }
}

TEST(Rounding, IsBoundedForFactoredOperatorsToo) {
  Generator generator(2);
  const SparseMatrix H = sparseFromDense(randomMatrix(generator, 6, 12));
  const FactoredDelassus W(3, {randomSemidefinite(generator, 3, 3, 1.), randomSemidefinite(generator, 3, 3, 1.)}, H);
  const Vector r = randomVector(generator, 12);
  Vector u(12);
  W.multiply(data(r), data(u));
  std::vector<double> bound(12, 0.);
  std::vector<long double> exact(12, 0.L);
  W.addRounding(data(r), bound.data());
  W.addExtended(data(r), exact.data());
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_LE(static_cast<double>(std::abs(exact[i] - static_cast<long double>(u(i)))), bound[i]);
    EXPECT_LE(bound[i], 1e-12);
  }
}

}  // namespace
