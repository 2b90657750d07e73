// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/EqualityElimination.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// For any λ_R: w_E = 0 and w_R = S λ_R + s.
void expectEliminates(EqualityElimination& method, const Matrix& A, std::size_t equalities, const Vector& q,
                      Generator& generator) {
  const std::size_t n = A.size1();
  Vector s(n - equalities), lambda(n);
  const Vector rest = randomVector(generator, n - equalities);
  method.reduce(data(q), data(s));
  method.expand(data(rest), data(lambda));
  std::copy(rest.begin(), rest.end(), lambda.begin() + static_cast<std::ptrdiff_t>(equalities));
  Vector w = q;
  multiply(1., A, lambda, 1., w);
  for (std::size_t i = 0; i < equalities; ++i) EXPECT_NEAR(w(i), 0., 1e-8);
  for (std::size_t i = equalities; i < n; ++i) {
    double sum = s(i - equalities);
    for (std::size_t j = 0; j < rest.size(); ++j) {
      sum += method.schur()[i - equalities + j * method.schurStride()] * rest(j);
    }
    EXPECT_NEAR(w(i), sum, 1e-8);
  }
}

TEST(EqualityElimination, IsExactForRegularEqualitiesOfAnySize) {
  Generator generator(51);
  for (const std::size_t n : {5U, 30U, 80U}) {
    const Matrix A = randomSemidefinite(generator, n, n, 1.);
    RegularElimination regular;
    SingularElimination singular(1e-11);
    const Vector q = randomVector(generator, n);
    ASSERT_TRUE(regular.factor(A, n - 4));
    expectEliminates(regular, A, n - 4, q, generator);
    singular.factor(A, n - 4);
    expectEliminates(singular, A, n - 4, q, generator);
    EXPECT_EQ(singular.rank(), n - 4);
  }
}

TEST(EqualityElimination, HandlesDependentEqualities) {
  Generator generator(52);
  const Matrix A = randomSemidefinite(generator, 12, 6);
  Vector q(12);
  multiply(1., A, randomVector(generator, 12), 0., q);
  SingularElimination singular(1e-11);
  singular.factor(A, 9);
  expectEliminates(singular, A, 9, q, generator);
  EXPECT_EQ(singular.rank(), 6U);
  EXPECT_TRUE(singular.keepsRange());
  EXPECT_FALSE(RegularElimination().factor(A, 9));
}

TEST(EqualityElimination, HandlesMatricesThatAreNotSymmetric) {
  Generator generator(53);
  const Matrix A = randomPositiveDefinite(generator, 10);
  EXPECT_FALSE(RegularElimination().factor(A, 7));
  SingularElimination singular(1e-11);
  singular.factor(A, 7);
  expectEliminates(singular, A, 7, randomVector(generator, 10), generator);
  EXPECT_TRUE(singular.keepsRange());
}

// A joint whose axes turn in a step acts along other ones than it is looked at: W = C M⁻¹ Bᵀ.
TEST(EqualityElimination, HandlesDependentEqualitiesThatAreNotSymmetric) {
  Generator generator(55);
  const std::size_t n = 12, rank = 6, equalities = 9;
  const Matrix B = randomMatrix(generator, n, rank), C = B + 0.1 * randomMatrix(generator, n, rank);
  Matrix A(n, n);
  multiply(1., C, Matrix(boost::numeric::ublas::trans(B)), 0., A);
  Vector q(n);
  multiply(1., A, randomVector(generator, n), 0., q);
  SingularElimination singular(1e-11);
  singular.factor(A, equalities);
  EXPECT_EQ(singular.rank(), rank);
  EXPECT_TRUE(singular.keepsRange());
  expectEliminates(singular, A, equalities, q, generator);
  // Columns of the others beside the range, and rows of the others that see the null space.
  for (const auto& [row, column] : {std::pair{equalities - 1, n - 1}, {n - 1, equalities - 1}}) {
    Matrix other = A;
    other(row, column) += 1e-3;
    singular.factor(other, equalities);
    EXPECT_EQ(singular.rank(), rank);
    EXPECT_FALSE(singular.keepsRange()) << row << ' ' << column;
  }
}

TEST(EqualityElimination, TakesSparseMatricesInAnotherOrder) {
  Generator generator(54);
  const std::size_t n = 10, equalities = 6;
  const Matrix A = randomPositiveDefinite(generator, n);
  const std::vector<std::size_t> place{6, 0, 1, 7, 2, 3, 8, 4, 5, 9};
  Matrix ordered(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) ordered(place[i], place[j]) = A(i, j);
  }
  SparseEqualities sparse;
  ASSERT_TRUE(sparse.factor(BlockSparseMatrix(A), place, equalities));
  expectEliminates(sparse, ordered, equalities, randomVector(generator, n), generator);
  EXPECT_EQ(sparse.rank(), equalities);
  Matrix singular = A;
  for (std::size_t j = 0; j < n; ++j) singular(1, j) = singular(2, j);
  EXPECT_FALSE(sparse.factor(BlockSparseMatrix(singular), place, equalities));
}

// What the equalities determine has no stiffness left: not one of rounding.
TEST(EqualityElimination, LeavesZerosWhereOnlyRoundingIsLeft) {
  Generator generator(55);
  const std::size_t n = 9, equalities = 6;
  const Matrix A = randomSemidefinite(generator, n, equalities, 0.);
  RegularElimination regular;
  SingularElimination singular(1e-11);
  SparseEqualities sparse;
  std::vector<std::size_t> place(n);
  for (std::size_t i = 0; i < n; ++i) place[i] = i;
  ASSERT_TRUE(regular.factor(A, equalities));
  singular.factor(A, equalities);
  ASSERT_TRUE(sparse.factor(BlockSparseMatrix(A), place, equalities));
  for (EqualityElimination* const method : std::initializer_list<EqualityElimination*>{&regular, &singular, &sparse}) {
    for (std::size_t j = 0; j < n - equalities; ++j) {
      for (std::size_t i = 0; i < n - equalities; ++i) {
        EXPECT_EQ(method->schur()[i + j * method->schurStride()], 0.) << i << ' ' << j;
      }
    }
  }
}

}  // namespace
