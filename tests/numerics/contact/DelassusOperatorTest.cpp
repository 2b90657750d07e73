// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>

#include <array>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

class DelassusOperators : public testing::TestWithParam<std::size_t> {};

TEST_P(DelassusOperators, FactoredFormAndAssembledMatrixAreTheSameMap) {
  const std::size_t d = GetParam();
  Generator generator(3);
  const ContactSetup setup{.dimension = d, .contacts = 25, .bodies = 7};
  const auto factored = randomDelassus(generator, setup);
  BlockSparseMatrix W;
  factored->assemble(W);
  const AssembledDelassus matrix(d, W);
  ASSERT_EQ(matrix.size(), factored->size());
  EXPECT_TRUE(W.isSymmetric(1e-14));

  const Vector r = randomVector(generator, matrix.size());
  Vector u1(r.size()), u2(r.size());
  factored->multiply(data(r), data(u1));
  matrix.multiply(data(r), data(u2));
  expectNear(u1, u2, 1e-13 * normInf(u2));
  std::array<double, 9> block1{}, block2{};
  for (std::size_t c = 0; c < setup.contacts; ++c) {
    factored->diagonalBlock(c, block1.data());
    matrix.diagonalBlock(c, block2.data());
    for (std::size_t i = 0; i < d * d; ++i) EXPECT_NEAR(block1[i], block2[i], 1e-13);
  }
}

TEST_P(DelassusOperators, SweepsFollowTheChangesOfReactions) {
  const std::size_t d = GetParam();
  Generator generator(4);
  const auto factored = randomDelassus(generator, {.dimension = d, .contacts = 15, .bodies = 4});
  BlockSparseMatrix W;
  factored->assemble(W);
  const AssembledDelassus matrix(d, W);
  Vector r = randomVector(generator, matrix.size());
  std::unique_ptr<DelassusSweep> sweep1, sweep2;
  factored->renew(sweep1);
  matrix.renew(sweep2);
  sweep1->begin(data(r));
  sweep2->begin(data(r));
  const std::array<double, 3> change{0.5, -0.25, 1.};
  for (const std::size_t contact : {3U, 11U, 3U}) {
    sweep1->add(contact, change.data());
    sweep2->add(contact, change.data());
    for (std::size_t i = 0; i < d; ++i) r(d * contact + i) += change[i];
  }
  Vector u(r.size());
  matrix.multiply(data(r), data(u));
  std::array<double, 3> v1{}, v2{};
  for (std::size_t contact = 0; contact < 15; ++contact) {
    sweep1->velocity(contact, v1.data());
    sweep2->velocity(contact, v2.data());
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_NEAR(v1[i], u(d * contact + i), 1e-12);
      EXPECT_NEAR(v2[i], u(d * contact + i), 1e-12);
    }
  }
}

TEST_P(DelassusOperators, KeepASweepThatIsTheirs) {
  Generator generator(7);
  const auto first = randomDelassus(generator, {.dimension = GetParam(), .contacts = 3, .bodies = 2});
  const auto second = randomDelassus(generator, {.dimension = GetParam(), .contacts = 3, .bodies = 2});
  const AssembledDelassus matrix(GetParam(), *first->build());
  std::unique_ptr<DelassusSweep> sweep;
  first->renew(sweep);
  const DelassusSweep* const made = sweep.get();
  first->renew(sweep);
  EXPECT_EQ(sweep.get(), made);
  const Vector r = randomVector(generator, first->size());
  for (const DelassusOperator* W :
       {static_cast<const DelassusOperator*>(second.get()), static_cast<const DelassusOperator*>(&matrix)}) {
    W->renew(sweep);
    sweep->begin(data(r));
    Vector u(r.size());
    W->multiply(data(r), data(u));
    std::array<double, 3> v{};
    sweep->velocity(1, v.data());
    for (std::size_t i = 0; i < GetParam(); ++i) EXPECT_NEAR(v[i], u(GetParam() + i), 1e-13 * normInf(u));
  }
}

TEST_P(DelassusOperators, DenseMatricesArePartedByContactsWithoutEmptyBlocks) {
  const std::size_t d = GetParam();
  Matrix dense = identityMatrix(3 * d);
  dense(0, 2 * d + 1) = dense(2 * d + 1, 0) = 0.5;
  const AssembledDelassus W(d, BlockSparseMatrix(dense));
  EXPECT_EQ(W.matrix()->blockRows(), 3U);
  EXPECT_EQ(W.matrix()->blockCount(), 5U);
  Matrix back;
  W.matrix()->toDense(back);
  expectNear(back, dense, 0.);
}

TEST_P(DelassusOperators, TheMatrixIsBuiltWhereItIsAskedForAndForgottenWithItsValues) {
  const std::size_t d = GetParam();
  Generator generator(5);
  const auto random = randomDelassus(generator, {.dimension = d, .contacts = 6, .bodies = 3});
  FactoredDelassus W = *random;
  EXPECT_EQ(W.matrix(), nullptr);
  const BlockSparseMatrix* const built = W.build();
  ASSERT_NE(built, nullptr);
  EXPECT_EQ(W.matrix(), built);
  BlockSparseMatrix assembled;
  W.assemble(assembled);
  Matrix first, second;
  built->toDense(first);
  assembled.toDense(second);
  expectNear(first, second, 0.);
  const std::uint64_t before = W.stamp();
  const Matrix arm = identityMatrix(d);
  W.clear(std::array<std::size_t, 1>{d});
  W.addContact();
  W.addArm(0, data(arm), d, data(arm));
  W.finish();
  EXPECT_NE(W.stamp(), before);
  EXPECT_EQ(W.matrix(), nullptr);
  ASSERT_NE(W.build(), nullptr);
  W.build()->toDense(first);
  expectNear(first, arm, 0.);
}

TEST_P(DelassusOperators, GiveTheRowsOfTheMatrixWithoutBuildingIt) {
  const std::size_t d = GetParam();
  Generator generator(7);
  const auto factored = randomDelassus(generator, {.dimension = d, .contacts = 20, .bodies = 8});
  BlockSparseMatrix W;
  factored->assemble(W);
  const AssembledDelassus assembled(d, W);
  for (const DelassusOperator* const form :
       std::initializer_list<const DelassusOperator*>{factored.get(), &assembled}) {
    ContactPattern pattern;
    ASSERT_TRUE(form->findPattern(pattern));
    ASSERT_EQ(pattern.contacts(), W.blockRows());
    for (std::size_t row = 0; row < W.blockRows(); ++row) {
      const std::size_t begin = W.rowBegin(row), count = W.rowEnd(row) - begin;
      ASSERT_EQ(pattern.row(row).size(), count);
      std::vector<double> blocks(count * d * d);
      form->rowBlocks(row, pattern.row(row), blocks.data());
      for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(pattern.row(row)[k], W.column(begin + k));
      EXPECT_TRUE(std::equal(blocks.begin(), blocks.end(), W.block(begin)));
    }
  }
  EXPECT_EQ(factored->matrix(), nullptr);
}

TEST_P(DelassusOperators, GroupsOfContactsAreThoseOfTheMatrix) {
  Generator generator(6);
  for (const std::size_t bodies : {4U, 12U, 40U}) {
    const auto factored = randomDelassus(generator, {.dimension = GetParam(), .contacts = 20, .bodies = bodies});
    std::vector<std::size_t> byFactors, byMatrix;
    EXPECT_EQ(factored->independentGroups(byFactors), factored->build()->independentGroups(byMatrix));
    EXPECT_EQ(byFactors, byMatrix);
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, DelassusOperators, testing::Values(2, 3));

TEST(FactoredDelassus, WouldNotMakeAMatrixOfManyContactsOnOneBody) {
  constexpr std::size_t contacts = 3000;  // nine million blocks
  FactoredDelassus W(3);
  W.clear(std::array<std::size_t, 1>{3});
  const Matrix arm = identityMatrix(3);
  for (std::size_t c = 0; c < contacts; ++c) {
    W.addContact();
    W.addArm(0, data(arm), 3, data(arm));
  }
  W.finish();
  EXPECT_EQ(W.build(), nullptr);
  const FrictionContactProblem problem(3, std::make_shared<FactoredDelassus>(W), Vector(3 * contacts, -1.),
                                       Vector(contacts, 0.5));
  EXPECT_FALSE(problem.requireMatrix());
  // Without it, methods that need it say so, and the automatic choice goes on with sweeps.
  Vector r, u;
  const SolveReport report = AdmmSolver().solve(problem, r, u);
  EXPECT_EQ(report.status, SolveStatus::unsupported);
  EXPECT_NE(report.reason.find("matrix"), std::string_view::npos);
  r.resize(0);
  EXPECT_TRUE(AutomaticFrictionSolver().solve(problem, r, u).converged());
}

TEST(FrictionContactProblems, NameWhatIsWrong) {
  const Matrix W = identityMatrix(3);
  const Vector q = makeVector({1., 2., 3.});
  const Vector mu = makeVector({0.5});
  expectError([&] { FrictionContactProblem(4, W, q, mu); }, {"dimension 2 or 3", "got 4"});
  expectError([&] { FrictionContactProblem(2, W, q, mu); }, {"multiple of the dimension 2", "got 3"});
  expectError([&] { FrictionContactProblem(3, W, makeVector({1.}), mu); }, {"q", "size 3", "size 1"});
  expectError([&] { FrictionContactProblem(3, W, q, makeVector({1., 2.})); }, {"mu", "size 1", "size 2"});
  expectError([&] { FrictionContactProblem(3, W, q, makeVector({-0.1})); }, {"mu", ">= 0", "-0.1", "contact 0"});
  expectError(
      [&] {
        FrictionContactProblem(3, std::make_shared<AssembledDelassus>(2, BlockSparseMatrix(identityMatrix(6))),
                               Vector(6), makeVector({1., 1.}));
      },
      {"dimension 3", "dimension 2"});
  Matrix bad = W;
  bad(1, 2) = std::numeric_limits<double>::infinity();
  expectError([&] { FrictionContactProblem(3, bad, q, mu); }, {"W", "finite", "inf"});
  expectError([&] { FrictionContactProblem(3, std::shared_ptr<const DelassusOperator>(), q, mu); }, {"W", "none"});
}

TEST(FactoredDelassusInput, NamesWhatIsWrong) {
  const SparseMatrix H = sparseFromDense(Matrix(6, 3));
  expectError([&] { FactoredDelassus(3, {identityMatrix(3)}, H); }, {"H", "3", "6 x 3"});
  Matrix skew = identityMatrix(6);
  skew(0, 1) = 1.;
  expectError([&] { FactoredDelassus(3, {skew}, H); }, {"inverse mass of body 0", "symmetric"});
  expectError([&] { FactoredDelassus(2, {identityMatrix(6)}, H); }, {"multiple of 2", "6 x 3"});
}

}  // namespace
