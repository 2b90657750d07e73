// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <random>
#include <support/Matchers.hpp>

namespace delassus {
namespace {

using namespace delassus::test;

double largest(const Matrix& A) {
  double norm = 0.;
  for (const double entry : A.data()) norm = std::max(norm, std::abs(entry));
  return norm;
}

double trace(const Matrix& A) {
  double sum = 0.;
  for (std::size_t i = 0; i < A.size1(); ++i) sum += A(i, i);
  return sum;
}

// The properties that define the projector: D = Dᵀ = D², D A = 0, and rank n − rank(A). `tolerance` is relative to A.
void expectProjector(const Matrix& A, const SparseMatrix& projector, std::size_t deficiency, double tolerance) {
  const Matrix D = toDense(projector);
  const Matrix DD = product(D, D), DA = product(D, A);
  EXPECT_LE(largest(D - Matrix(trans(D))), 1e-15);
  EXPECT_LE(largest(D - DD), 1e-14 * static_cast<double>(A.size1()));
  EXPECT_LE(largest(DA), tolerance * largest(A));
  EXPECT_NEAR(trace(D), static_cast<double>(deficiency), 1e-12 * static_cast<double>(A.size1()));
}

TEST(LeftNullProjector, IsZeroForRegularMatrices) {
  EXPECT_EQ(entryCount(leftNullProjector(makeMatrix({{2., 1.}, {0., 1e-9}}), "M")), 0U);
  EXPECT_EQ(entryCount(leftNullProjector(sparseFromDense(makeMatrix({{0., 1.}, {1e-12, 0.}})), "M")), 0U)
      << "units do not make a matrix singular";
}

TEST(LeftNullProjector, IsTheIdentityForRowsOfZeros) {
  const Matrix A = makeMatrix({{1e-12, 0., 0.}, {0., 0., 0.}, {0., 0., 3.}});
  for (const SquareMatrix& each : {SquareMatrix(A), SquareMatrix(sparseFromDense(A))}) {
    const SparseMatrix D = leftNullProjector(each, "M");
    EXPECT_EQ(entryCount(D), 1U);
    EXPECT_EQ(toDense(D)(1, 1), 1.);
  }
}

// What rounding leaves on a diagonal says nothing about the units of its row.
TEST(LeftNullProjector, IsNotMisledByRoundingOnTheDiagonal) {
  const double r = 1e-17;
  const Matrix regular = makeMatrix({{r, 1., 0.5}, {1., -r, 0.}, {0.5, 0., 1.}});
  EXPECT_EQ(entryCount(leftNullProjector(regular, "M")), 0U);
  const Matrix singular = makeMatrix({{r, 1., 1.}, {1., -r, 0.}, {1., 0., 0.}});
  expectProjector(singular, leftNullProjector(singular, "M"), 1, 1e-15);
}

// A capacitor between two nodes, as it stands in the equations of a circuit, beside one to the ground.
TEST(LeftNullProjector, AddsTheRowsOfACapacitorBetweenTwoNodes) {
  const double c = 1e-6;
  const Matrix D =
      toDense(leftNullProjector(sparseFromDense(makeMatrix({{c, -c, 0.}, {-c, c, 0.}, {0., 0., 47e-9}})), "M"));
  const Matrix expected = makeMatrix({{0.5, 0.5, 0.}, {0.5, 0.5, 0.}, {0., 0., 0.}});
  EXPECT_LE(largest(D - expected), 1e-15);
}

TEST(LeftNullProjector, IsThatOfRandomProducts) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> size(1, 12);
  for (int sample = 0; sample < 500; ++sample) {
    const auto n = static_cast<std::size_t>(size(engine));
    const std::size_t rank = std::uniform_int_distribution<std::size_t>(0, n)(engine);
    Matrix left(n, rank), right(rank, n);
    for (double& entry : left.data()) entry = normal(engine);
    for (double& entry : right.data()) entry = normal(engine);
    Matrix A(n, n);
    setZero(A);
    if (rank > 0) A = product(left, right);
    expectProjector(A, leftNullProjector(A, "A"), n - rank, 1e-12);
    expectProjector(A, leftNullProjector(sparseFromDense(A), "A"), n - rank, 1e-12);
  }
}

// Rows and columns in units that differ by twelve powers of ten, of a matrix with small integers: the rank is theirs.
TEST(LeftNullProjector, DoesNotDependOnUnits) {
  std::mt19937 engine(11);
  std::uniform_int_distribution<int> entry(-2, 2), exponent(-20, 20);
  for (int sample = 0; sample < 200; ++sample) {
    Matrix left(6, 3), right(3, 6);
    for (double& each : left.data()) each = entry(engine);
    for (double& each : right.data()) each = entry(engine);
    Matrix A = product(left, right);
    const double rank = 6. - trace(toDense(leftNullProjector(sparseFromDense(A), "A")));
    for (std::size_t i = 0; i < 6; ++i) {
      const double row = std::ldexp(1., exponent(engine)), column = std::ldexp(1., exponent(engine));
      for (std::size_t j = 0; j < 6; ++j) {
        A(i, j) *= row;
        A(j, i) *= column;
      }
    }
    EXPECT_NEAR(6. - trace(toDense(leftNullProjector(sparseFromDense(A), "A"))), rank, 1e-9) << sample;
  }
}

// A chain of n capacitors without one to the ground: its one algebraic equation is the sum of all rows. And beside it a
// large part that is regular, which costs no dense factors.
TEST(LeftNullProjector, TakesEachPartByItself) {
  const std::size_t n = 300, regular = 2000;
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    for (const auto& [row, column, sign] :
         {std::tuple(i, i, 1.), {i + 1, i + 1, 1.}, {i, i + 1, -1.}, {i + 1, i, -1.}}) {
      entries.push_back({row, column, sign * 1e-9});
    }
  }
  for (std::size_t i = 0; i < regular; ++i) {
    entries.push_back({n + i, n + i, 4.});
    if (i + 1 < regular) entries.push_back({n + i, n + i + 1, 1.});
    if (i + 1 < regular) entries.push_back({n + i + 1, n + i, 1.});
  }
  const SparseMatrix D = leftNullProjector(sparseFromTriplets(n + regular, n + regular, entries), "M");
  ASSERT_EQ(entryCount(D), n * n);
  for (std::size_t k = 0; k < n * n; ++k) EXPECT_NEAR(valueOf(D, k), 1. / static_cast<double>(n), 1e-12);
}

TEST(LeftNullProjector, RefusesLargeSingularParts) {
  const std::size_t n = 2500;
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    entries.push_back({i, i, 1.});
    entries.push_back({i, i + 1, -1.});
    entries.push_back({i + 1, i, -1.});
    entries.push_back({i + 1, i + 1, 1.});
  }
  expectError([&] { leftNullProjector(sparseFromTriplets(n, n, entries), "System 'line': M"); },
              {"'line'", "2500", "2000", "singular"});
}

}  // namespace
}  // namespace delassus
