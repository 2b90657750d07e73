// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/EqualityElimination.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// For any λ_R: w_E = 0 and w_R = S λ_R + s.
void expectEliminates(EqualityElimination& method, const Matrix& A, std::size_t equalities, const Vector& q,
                      Generator& generator) {
  const std::size_t n = A.size1();
  ASSERT_TRUE(method.factor(A, equalities));
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
    expectEliminates(regular, A, n - 4, q, generator);
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
  expectEliminates(singular, A, 7, randomVector(generator, 10), generator);
  EXPECT_FALSE(singular.keepsRange());
}

}  // namespace
