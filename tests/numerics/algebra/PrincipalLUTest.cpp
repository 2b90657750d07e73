// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/PrincipalFactor.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Solves A_SS x_S = b_S for a known x, which is zero outside S, from the products with the whole of A.
void expectSolved(PrincipalLU& factor, const BlockSparseMatrix& A, const std::vector<char>& selected,
                  Generator& generator) {
  Vector expected = randomVector(generator, A.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    if (selected[i] == 0) expected(i) = 0.;
  }
  Vector x(A.size());
  A.multiply(data(expected), data(x));
  ASSERT_TRUE(factor.factor(A, selected));
  factor.solve(x);
  // Conditions are below some thousands.
  expectNear(x, expected, 1e-11);
}

std::vector<char> randomSelection(Generator& generator, std::size_t size, std::size_t inverseDensity) {
  std::vector<char> selected(size);
  for (char& entry : selected) entry = generator() % inverseDensity == 0 ? 1 : 0;
  return selected;
}

TEST(PrincipalLU, SolvesDenseAndSparseForChangingSelections) {
  Generator generator(1);
  PrincipalLU factor;
  for (const std::size_t n : {1U, 6U, 40U, 300U}) {
    const BlockSparseMatrix sparse = randomTridiagonal(generator, n);
    const BlockSparseMatrix dense{randomPositiveDefinite(generator, n)};
    for (int change = 0; change < 6; ++change) {
      const std::vector<char> selected = randomSelection(generator, n, change < 3 ? 2 : 20);
      expectSolved(factor, sparse, selected, generator);
      expectSolved(factor, dense, selected, generator);
    }
    expectSolved(factor, sparse, std::vector<char>(n, 1), generator);
    expectSolved(factor, sparse, std::vector<char>(n, 0), generator);
  }
}

TEST(PrincipalLU, RefusesSingularSubmatricesOnly) {
  // Blocks of a rotation by a quarter: no diagonal is stored, and a single row of it is singular.
  const std::size_t pairs = 60;
  BlockSparseMatrix A;
  for (std::size_t i = 0; i < 2 * pairs; ++i) {
    A.beginRow(1);
    A.addBlock(i % 2 == 0 ? i + 1 : i - 1);
  }
  A.finish();
  for (std::size_t i = 0; i < 2 * pairs; ++i) *A.block(i) = i % 2 == 0 ? 1. : -1.;
  A.touch();
  PrincipalLU factor;
  Generator generator(3);
  std::vector<char> selected(2 * pairs, 1);
  expectSolved(factor, A, selected, generator);
  selected[7] = 0;
  EXPECT_FALSE(factor.factor(A, selected));
  selected[6] = 0;
  expectSolved(factor, A, selected, generator);
}

}  // namespace
