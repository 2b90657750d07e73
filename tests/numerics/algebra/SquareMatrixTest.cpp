// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A chain: tridiagonal, symmetric and positive definite.
Matrix chain(std::size_t n, double diagonal) {
  Matrix A(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    A(i, i) = diagonal + static_cast<double>(i);
    if (i + 1 < n) A(i, i + 1) = A(i + 1, i) = -1.;
  }
  return A;
}

TEST(SquareMatrix, HasTheSameValuesInBothStorages) {
  const Matrix A = chain(6, 3.);
  const SquareMatrix dense = A, sparse = sparseFromDense(A);
  EXPECT_FALSE(dense.isSparse());
  EXPECT_TRUE(sparse.isSparse());
  Generator generator(3);
  const Vector x = randomVector(generator, 6);
  Vector y(6, 1.), z(6, 1.);
  multiply(2., dense, x, 0.5, y);
  multiply(2., sparse, x, 0.5, z);
  expectNear(y, z, 1e-14);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(sparse.diagonal(i), A(i, i));
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(sparse(i, j), dense(i, j));
  }
  EXPECT_EQ(normMax(sparse), normMax(dense));
  EXPECT_NEAR(quadraticForm(sparse, x), quadraticForm(dense, x), 1e-13);
  EXPECT_EQ(SquareMatrix::zeros(sparse)(2, 2), 0.);
  EXPECT_TRUE(SquareMatrix::zeros(sparse).isSparse());
}

TEST(SquareMatrix, SubtractsInEachStorageAndInMixtures) {
  const Matrix A = chain(5, 4.), B = chain(5, 1.), C = identityMatrix(5);
  const Matrix expected = A - (0.5 * B + 3. * C);
  const SquareMatrix all[2][3] = {{A, B, C}, {sparseFromDense(A), sparseFromDense(B), sparseFromDense(C)}};
  for (const int a : {0, 1}) {
    for (const int b : {0, 1}) {
      for (const int c : {0, 1}) {
        SquareMatrix W = all[a][0];
        const SquareMatrix copy = W;
        W.setDifference(W, 0.5, all[b][1], 3., all[c][2]);
        EXPECT_LE(normMax(Matrix(toDense(copy) - A)), 0.) << "a copy has changed with what it was made from";
        EXPECT_EQ(W.isSparse(), a + b + c == 3);
        EXPECT_LE(normMax(Matrix(toDense(W) - expected)), 1e-15);
        EXPECT_EQ(normMax(Matrix(toDense(all[a][0]) - A)), 0.) << "a copy has changed what it was copied from";
      }
    }
  }
  SquareMatrix scaled = all[1][0];
  scaled.scale(-2.);
  EXPECT_EQ(scaled(0, 0), -8.);
  EXPECT_EQ(all[1][0](0, 0), 4.);
}

TEST(SquareMatrix, IsFactoredAsItIs) {
  Generator generator(5);
  Matrix gyroscopic = chain(7, 3.);
  gyroscopic(0, 6) = 2.;  // no longer symmetric
  Matrix indefinite = chain(7, 3.);
  indefinite(3, 3) = -9.;
  for (const Matrix& A : {chain(7, 3.), gyroscopic, indefinite}) {
    SquareFactorization factor;
    for (const SquareMatrix& stored : {SquareMatrix(A), SquareMatrix(sparseFromDense(A))}) {
      factor.factor(stored, "A");  // one object for both storages
      const Vector x = randomVector(generator, 7);
      Vector b(7);
      multiply(1., A, x, 0., b);
      factor.solve(b);
      expectNear(b, x, 1e-13);
    }
  }
}

TEST(SquareMatrix, RefusesWhatIsSingularOrNotDefinite) {
  Matrix hole = chain(4, 3.);
  hole(2, 2) = 0.;
  Matrix empty = chain(4, 3.);
  for (std::size_t i = 0; i < 4; ++i) empty(1, i) = empty(i, 1) = 0.;
  Matrix infinite = chain(4, 3.);
  infinite(0, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const SquareMatrix& A : {SquareMatrix(empty), SquareMatrix(sparseFromDense(empty))}) {
    EXPECT_FALSE(SquareFactorization().tryFactor(A));
    expectError([&] { SquareFactorization().factor(A, "mass of the mesh"); }, {"mass of the mesh"});
    EXPECT_FALSE(isPositiveDefinite(A));
  }
  for (const SquareMatrix& A : {SquareMatrix(hole), SquareMatrix(sparseFromDense(hole))}) {
    expectError([&] { requirePositiveDefinite(A, "mass of the mesh"); }, {"mass of the mesh", "positive definite"});
  }
  for (const SquareMatrix& A : {SquareMatrix(infinite), SquareMatrix(sparseFromDense(infinite))}) {
    EXPECT_FALSE(allFinite(A));
    expectError([&] { requireFinite(A, "K"); }, {"K"});
  }
}

}  // namespace
