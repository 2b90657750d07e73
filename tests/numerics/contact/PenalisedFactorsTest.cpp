// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/contact/PenalisedFactors.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <memory>
#include <random>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::vector<double> randomPenalties(Generator& generator, std::size_t size) {
  std::uniform_real_distribution<double> exponents(-2., 1.);
  std::vector<double> penalties(size);
  for (double& penalty : penalties) penalty = std::pow(10., exponents(generator));
  return penalties;
}

// x is found again from (W + R) x, with the product of W itself.
void expectInverse(const FactoredDelassus& W, const std::vector<double>& R, PenalisedOperator& penalised,
                   Generator& generator) {
  const Vector x = randomVector(generator, W.size());
  Vector back(x.size());
  W.multiply(data(x), data(back));
  for (std::size_t i = 0; i < x.size(); ++i) back(i) += R[i] * x(i);
  ASSERT_TRUE(penalised.factor(R));
  penalised.solve(data(back));
  // Rounding, by the ratio of W to the least penalty, some 1e4.
  expectNear(back, x, 1e-10 * normInf(x));
}

class PenalisedFactorsOf : public testing::TestWithParam<std::size_t> {};

TEST_P(PenalisedFactorsOf, SolveSystemsWithAnyNumberOfContactsABody) {
  Generator generator(11);
  for (const auto& [contacts, bodies] : {std::array<std::size_t, 2>{1, 3}, {12, 3}, {60, 5}, {20, 30}, {150, 40}}) {
    const auto W = randomDelassus(generator, {.dimension = GetParam(), .contacts = contacts, .bodies = bodies});
    std::unique_ptr<PenalisedOperator> penalised;
    W->renew(penalised);
    ASSERT_NE(penalised, nullptr);
    for (int k = 0; k < 2; ++k) expectInverse(*W, randomPenalties(generator, W->size()), *penalised, generator);
  }
}

// What is kept for a solver meets other values, another pattern, and the first one again.
TEST_P(PenalisedFactorsOf, FollowOtherFactors) {
  Generator generator(12);
  std::unique_ptr<PenalisedOperator> penalised;
  std::vector<std::shared_ptr<const FactoredDelassus>> all;
  for (const std::size_t contacts : {40U, 41U, 10U, 40U}) {
    all.push_back(randomDelassus(generator, {.dimension = GetParam(), .contacts = contacts, .bodies = 12}));
  }
  all.push_back(all.front());
  const PenalisedOperator* first = nullptr;
  for (const auto& W : all) {
    W->renew(penalised);
    if (first == nullptr) first = penalised.get();
    EXPECT_EQ(penalised.get(), first);
    expectInverse(*W, randomPenalties(generator, W->size()), *penalised, generator);
  }
}

INSTANTIATE_TEST_SUITE_P(TwoAndThree, PenalisedFactorsOf, testing::Values(2, 3));

TEST(PenalisedFactors, AreThoseOfBodiesWhoseMassesAreKnown) {
  FactoredDelassus W(2);
  const std::array<std::size_t, 1> sizes{2};
  const std::array<double, 4> identity{1., 0., 0., 1.};
  const auto fill = [&](bool withMass) {
    W.clear(sizes);
    W.addContact();
    W.addArm(0, identity.data(), 2, identity.data());
    if (withMass) W.addMass(identity.data());
    W.finish();
  };
  std::unique_ptr<PenalisedOperator> penalised;
  fill(true);
  W.renew(penalised);
  EXPECT_NE(penalised, nullptr);
  fill(false);
  W.renew(penalised);
  EXPECT_EQ(penalised, nullptr);
  EXPECT_EQ(W.rankBound(), 2U);
}

// 20 bodies with 15 contacts each, as boxes that lie on each other: 900 rows of a rank of at most 120.
TEST(AutomaticFrictionSolver, SolvesContactsOnFacesInTheUnknownsOfTheirBodies) {
  Generator generator(13);
  for (const double tolerance : {1e-3, 1e-8}) {
    const FrictionContactProblem problem = randomMovingBodies(generator, {.contacts = 300, .bodies = 20});
    EXPECT_LE(problem.W().rankBound(), 120U);
    AutomaticFrictionSolver solver(tolerance);
    Vector r(problem.size()), u;
    const SolveReport report = solver.solve(problem, r, u);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.solver, "AdmmSolver");
    EXPECT_LE(errorOf(assembled(problem), ErrorMeasure::scaled, r, u), 1.001 * tolerance);  // in another order
  }
}

}  // namespace
