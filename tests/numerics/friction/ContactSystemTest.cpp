// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ContactSystem.hpp>

#include <gtest/gtest.h>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/PenalisedMatrix.hpp>

#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// 6 contacts are factored dense, 60 sparse.
class ContactSystems : public testing::TestWithParam<std::size_t> {
 protected:
  FrictionContactProblem makeProblem(std::size_t dimension) {
    return assembled(
        randomMovingBodies(generator_, {.dimension = dimension, .contacts = GetParam(), .bodies = GetParam()}));
  }
  Generator generator_{5};
};

TEST_P(ContactSystems, SolveTheProductOfTheirBlocks) {
  for (const std::size_t d : {2U, 3U}) {
    const FrictionContactProblem problem = makeProblem(d);
    const std::size_t n = problem.size();
    ContactSystem system;
    system.begin(d, problem.contacts());
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
    const Vector x = randomVector(generator_, n);
    Vector b(n);
    multiply(1., J, x, 0., b);
    ASSERT_TRUE(system.factor(*problem.W().matrix()));
    system.solve(data(b));
    // Random matrices of this size have condition numbers up to 1e5.
    expectNear(b, x, 1e-9);
  }
}

TEST_P(ContactSystems, SaySoWhereTheyAreSingular) {
  const FrictionContactProblem problem = makeProblem(3);
  ContactSystem system;
  system.begin(3, problem.contacts());
  for (std::size_t i = 0; i < 9; ++i) system.left(0)[i] = 0.;
  EXPECT_FALSE(system.factor(*problem.W().matrix()));
}

TEST_P(ContactSystems, PenalisedMatrixIsSolvedAndFollowsItsPenalties) {
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

INSTANTIATE_TEST_SUITE_P(Sizes, ContactSystems, testing::Values(6, 60));

TEST(ContactSystemInput, RefusesAPatternThatIsNotSymmetric) {
  BlockSparseMatrix W;
  W.beginRow(3);
  W.addBlock(0);
  W.addBlock(1);
  W.beginRow(3);
  W.addBlock(1);
  W.finish();
  ContactSystem system;
  system.begin(3, 2);
  expectError([&] { system.factor(W); }, {"symmetric pattern", "(1, 0)"});
}

}  // namespace
