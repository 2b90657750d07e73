// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/NewtonSystem.hpp>

#include <gtest/gtest.h>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>

#include <algorithm>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

void expectSolves(NewtonSystem& system, const Matrix& J, Generator& generator) {
  const Vector x = randomVector(generator, J.size1());
  Vector b(J.size1());
  multiply(1., J, x, 0., b);
  ASSERT_TRUE(system.factor());
  system.solve(data(b));
  // Random matrices of these sizes have condition numbers up to 1e5.
  expectNear(b, x, 1e-9);
  multiplyTransposed(1., J, x, 0., b);
  system.solveTransposed(data(b));
  expectNear(b, x, 1e-9);
}

// 6 contacts are factored dense, 60 sparse.
class NewtonSystems : public testing::TestWithParam<std::size_t> {
 protected:
  FrictionContactProblem makeProblem(std::size_t dimension) {
    return assembled(
        randomMovingBodies(generator_, {.dimension = dimension, .contacts = GetParam(), .bodies = GetParam()}));
  }
  Generator generator_{5};
};

TEST_P(NewtonSystems, SolveTheProductOfTheirBlocks) {
  for (const std::size_t d : {2U, 3U}) {
    const FrictionContactProblem problem = makeProblem(d);
    const std::size_t n = problem.size();
    NewtonSystem system;
    system.begin(*problem.W().matrix());
    Matrix L(n, n), D(n, n), E(n, n), W, LW(n, n), J(n, n);
    for (std::size_t c = 0; c < problem.contacts(); ++c) {
      const Vector random = randomVector(generator_, 3 * d * d);
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < d; ++i) {
          const std::size_t entry = i + d * j;
          L(d * c + i, d * c + j) = system.left(c)[entry] = random(entry);
          D(d * c + i, d * c + j) = system.right(c)[entry] = random(d * d + entry);
          E(d * c + i, d * c + j) = system.local(c)[entry] = random(2 * d * d + entry);
        }
      }
    }
    problem.W().matrix()->toDense(W);
    multiply(1., L, W, 0., LW);
    J = E;
    multiply(1., LW, D, 1., J);
    expectSolves(system, J, generator_);
  }
}

TEST_P(NewtonSystems, SaySoWhereTheyAreSingular) {
  const FrictionContactProblem problem = makeProblem(3);
  NewtonSystem system;
  system.begin(*problem.W().matrix());
  for (std::size_t i = 0; i < 9; ++i) system.left(0)[i] = 0.;
  EXPECT_FALSE(system.factor());
}

TEST_P(NewtonSystems, PenalisedMatrixIsSolvedAndFollowsItsPenalties) {
  const FrictionContactProblem problem = makeProblem(3);
  const BlockSparseMatrix& W = *problem.W().matrix();
  PenalisedMatrix factor;
  factor.refer(W);
  for (const double penalty : {1., 0.01}) {
    ASSERT_TRUE(factor.factor(std::vector<double>(problem.size(), penalty)));
    const Vector x = randomVector(generator_, problem.size());
    Vector b(x.size());
    W.multiply(data(x), data(b));
    addScaled(penalty, x, b);
    factor.solve(data(b));
    expectNear(b, x, 1e-10);
  }
  EXPECT_FALSE(factor.factor(std::vector<double>(problem.size(), -1e3)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, NewtonSystems, testing::Values(6, 60));

// Parts of 1 to 4 rows, a W whose pattern is not symmetric and has no block of its last part with itself.
BlockSparseMatrix makeUnsymmetric(Generator& generator, std::size_t parts) {
  std::vector<std::size_t> sizes;
  for (std::size_t part = 0; part < parts; ++part) sizes.push_back(1 + part % 4);
  BlockSparseMatrix W;
  for (std::size_t part = 0; part < parts; ++part) {
    W.beginRow(sizes[part]);
    if (part >= 2) W.addBlock(part - 2);
    if (part + 1 < parts) W.addBlock(part);
    if (part + 1 < parts) W.addBlock(part + 1);
  }
  W.finish();
  for (std::size_t k = 0; k < W.blockCount(); ++k) {
    std::size_t row = 0;
    while (W.rowEnd(row) <= k) ++row;
    const Vector entries = randomVector(generator, sizes[row] * sizes[W.column(k)]);
    std::copy(entries.begin(), entries.end(), W.block(k));
  }
  W.touch();
  return W;
}

TEST(NewtonSystem, TakesPartsOfAnySizeAndAnyPattern) {
  Generator generator(6);
  for (const std::size_t parts : {5U, 60U}) {
    const BlockSparseMatrix W = makeUnsymmetric(generator, parts);
    const std::size_t n = W.size();
    NewtonSystem system;
    system.begin(W);
    Matrix L(n, n), E(n, n), dense, J;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t m = W.blockSize(part), first = W.offset(part);
      double* const left = part % 2 == 0 ? system.left(part) : system.diagonalLeft(part);
      for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t i = 0; i < m; ++i) {
          if (i == j || part % 2 == 0) L(first + i, first + j) = left[i + m * j] = randomVector(generator, 1)(0);
          E(first + i, first + j) = system.local(part)[i + m * j] = (i == j ? 5. : 0.) + randomVector(generator, 1)(0);
        }
      }
    }
    W.toDense(dense);
    J = E;
    multiply(1., L, dense, 1., J);
    expectSolves(system, J, generator);
  }
}

}  // namespace
