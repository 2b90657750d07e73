// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/problem/UniqueSolution.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Number of solutions of a box problem of two rows, by trying all states (lower, free, upper) of both.
int countSolutions(const Matrix& M, const Vector& q, const Vector& l, const Vector& u) {
  int count = 0;
  for (int code = 0; code < 9; ++code) {
    const int states[2] = {code % 3, code / 3};
    // Rows of A z = b: z_i at a bound, or w_i = 0.
    double A[2][2] = {{0., 0.}, {0., 0.}};
    double b[2] = {0., 0.};
    bool finite = true;
    for (std::size_t i = 0; i < 2; ++i) {
      if (states[i] == 1) {
        A[i][0] = M(i, 0), A[i][1] = M(i, 1), b[i] = -q(i);
      } else {
        A[i][i] = 1., b[i] = states[i] == 0 ? l(i) : u(i);
        finite = finite && std::isfinite(b[i]);
      }
      finite = finite && (l(i) != u(i) || states[i] == 0);
    }
    const double determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    if (!finite || determinant == 0.) continue;
    const double z[2] = {(b[0] * A[1][1] - A[0][1] * b[1]) / determinant,
                         (A[0][0] * b[1] - b[0] * A[1][0]) / determinant};
    bool solves = true;
    for (std::size_t i = 0; i < 2; ++i) {
      const double w = M(i, 0) * z[0] + M(i, 1) * z[1] + q(i);
      if (l(i) == u(i)) continue;
      if (states[i] == 0) solves = solves && w > 0.;
      if (states[i] == 1) solves = solves && z[i] > l(i) && z[i] < u(i);
      if (states[i] == 2) solves = solves && w < 0.;
    }
    count += solves ? 1 : 0;
  }
  return count;
}

// For random boxes: if the answer is yes, every q has one solution; if it is no, some q has not.
TEST(UniqueSolution, AgreesWithTheNumberOfSolutionsOfRandomBoxes) {
  Generator generator(4);
  int unique = 0;
  constexpr int problems = 200;
  for (int k = 0; k < problems; ++k) {
    const Matrix M = randomMatrix(generator, 2, 2);
    Vector l(2), u(2);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t kind = generator() % 5;
      l(i) = kind == 3 ? -infinity : -1.;
      u(i) = kind == 1 || kind == 3 ? infinity : kind == 2 ? -1. : 1.;
    }
    const UniqueSolution answer = hasUniqueSolution(M, l, u);
    bool alwaysOne = true;
    // The q with several solutions may be a small part of all.
    for (int trial = 0; trial < 5000 && alwaysOne; ++trial) {
      alwaysOne = countSolutions(M, 4. * randomVector(generator, 2), l, u) == 1;
    }
    EXPECT_EQ(answer.holds, alwaysOne) << "problem " << k << ": " << answer.reason;
    unique += answer.holds ? 1 : 0;
  }
  EXPECT_GT(unique, problems / 5);
  EXPECT_LT(unique, 4 * problems / 5);
}

TEST(UniqueSolution, EliminatesEqualitiesFirst) {
  // Not a P-matrix itself; with z₀ eliminated it is w₁ = 1·z₁ + ….
  const Matrix M = makeMatrix({{-1., 1.}, {1., 0.}});
  const Vector lower = makeVector({-infinity, 0.});
  const Vector upper = makeVector({infinity, infinity});
  EXPECT_TRUE(hasUniqueSolution(M, lower, upper).holds);
  EXPECT_FALSE(hasUniqueSolution(M, Vector(2), upper).holds);
  const UniqueSolution other = hasUniqueSolution(makeMatrix({{1., 1.}, {1., 0.}}), lower, upper);
  EXPECT_FALSE(other.holds);
  EXPECT_EQ(other.rows, std::vector<std::size_t>{1});
}

TEST(UniqueSolution, NamesEqualitiesThatAreSingular) {
  const Matrix M = makeMatrix({{1., 0., 0.}, {0., 0., 1.}, {0., 1., 1.}});
  const Vector lower = makeVector({0., -infinity, 0.});
  const Vector upper = makeVector({infinity, infinity, infinity});
  const UniqueSolution answer = hasUniqueSolution(M, lower, upper);
  EXPECT_FALSE(answer.holds);
  EXPECT_NE(answer.reason.find("equalities is singular"), std::string_view::npos);
  EXPECT_EQ(answer.rows, std::vector<std::size_t>{1});
}

TEST(UniqueSolution, SchurComplementsThatAreZeroButForRoundingAreSeen) {
  // 1/3 − (1/9)·3 is not zero in floating point for all such numbers, but stands for it.
  Generator generator(5);
  for (int k = 0; k < 100; ++k) {
    const Vector a = randomVector(generator, 3);
    const Matrix M = makeMatrix({{a(0), a(0) * a(1)}, {a(2), a(2) * a(1)}});
    EXPECT_FALSE(hasUniqueSolution(M, makeVector({-infinity, 0.}), makeVector({infinity, infinity})).holds);
  }
}

TEST(UniqueSolution, LeavesOutRowsWithNothingToChoose) {
  const Matrix M = makeMatrix({{-1., 5.}, {5., 1.}});
  EXPECT_TRUE(hasUniqueSolution(M, makeVector({2., 0.}), makeVector({2., infinity})).holds);
  EXPECT_TRUE(hasUniqueSolution(Matrix(0, 0), Vector(0), Vector(0)).holds);
}

TEST(UniqueSolution, TakesAnySizeThatIsDefiniteAndRefusesOthers) {
  Generator generator(6);
  const std::size_t n = 60;
  const Vector lower(n);
  const Vector upper(n, infinity);
  EXPECT_TRUE(hasUniqueSolution(randomPositiveDefinite(generator, n), lower, upper).holds);
  Matrix skew(n, n);
  skew(0, 1) = 1.;
  skew(1, 0) = -1.;
  expectError([&] { hasUniqueSolution(skew, lower, upper); }, {"cannot be decided", "60 rows", "20"});
  expectError([&] { hasUniqueSolution(skew, Vector(2), upper); }, {"lower bounds", "size 60", "size 2"});
  expectError([&] { hasUniqueSolution(identityMatrix(1), makeVector({1.}), makeVector({0.})); }, {"row 0", "lower <="});
}

}  // namespace
