// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/mechanical/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/sets/Infeasibility.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/PlantedProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

GenericMechanicalProblem twoEqualities(double difference) {
  return {makeMatrix({{1., 1.}, {1., 1. + difference}}), makeVector({0., 1.}), {Part::equality(2)}};
}

TEST(Infeasibility, TellsRowsThatContradictEachOtherFromRowsThatNearlyDo) {
  EXPECT_TRUE(provesInfeasible(twoEqualities(0.), makeVector({1., -1.})));
  EXPECT_FALSE(provesInfeasible(twoEqualities(0.), makeVector({-1., 1.})));
  EXPECT_FALSE(provesInfeasible(twoEqualities(1e-12), makeVector({1., -1.})));
  EXPECT_THROW(provesInfeasible(twoEqualities(0.), Vector(1)), Error);
}

TEST(Infeasibility, IsNotSaidWhereAnOrdinarySolutionLiesWithinTheRoundingOfTheProof) {
  // λ = (1, −2) solves it; (1, −1) misses a proof by 5e-14, and qᵀ y is −1e-13.
  const GenericMechanicalProblem problem(makeMatrix({{1., 1.}, {1., 1. + 5e-14}}), makeVector({1., 1. + 1e-13}),
                                         {Part::equality(2)});
  EXPECT_FALSE(provesInfeasible(problem, makeVector({1., -1.})));
}

TEST(Infeasibility, TakesWhatTheLawsSayOfTheSignsOfW) {
  // λ in [0, 1] moves w = λ − 2 to −1 at most, which the upper bound allows; without it, w must be ≥ 0.
  const auto box = [](double upper) {
    return GenericMechanicalProblem(makeMatrix({{0.}}), makeVector({-2.}), {Part::box(1)}, makeVector({0.}),
                                    makeVector({upper}));
  };
  EXPECT_FALSE(provesInfeasible(box(1.), makeVector({1.})));
  EXPECT_TRUE(provesInfeasible(box(infinity), makeVector({1.})));
  EXPECT_FALSE(provesInfeasible(box(infinity), makeVector({-1.})));
}

TEST(Infeasibility, CountsWhatBoundedRowsCanDo) {
  // The joint's velocity is λ₂ − q, and λ₂ reaches 1.
  const auto motor = [](double q) {
    return GenericMechanicalProblem(makeMatrix({{0., 1.}, {1., 1.}}), makeVector({-q, 0.}),
                                    {Part::equality(1), Part::box(1)}, makeVector({0., -1.}), makeVector({0., 1.}));
  };
  EXPECT_TRUE(provesInfeasible(motor(2.), makeVector({1., 0.})));
  EXPECT_FALSE(provesInfeasible(motor(0.5), makeVector({1., 0.})));
}

TEST(Infeasibility, ConsidersTheConesOfContacts) {
  // A joint and a contact's normal in one direction against each other; friction that reaches the joint opens it.
  const auto wedge = [](double reach) {
    return GenericMechanicalProblem(makeMatrix({{1., -1., reach}, {-1., 1., 0.}, {reach, 0., 1.}}),
                                    makeVector({-1., -1., 0.}), {Part::equality(1), Part::coulomb(2, 0.5)});
  };
  EXPECT_TRUE(provesInfeasible(wedge(0.), makeVector({1., 1., 0.})));
  EXPECT_FALSE(provesInfeasible(wedge(0.1), makeVector({1., 1., 0.})));
}

TEST(MechanicalElimination, DoesNotCallRowsContradictoryThatAreNearlyDependent) {
  Vector lambda, w;
  EXPECT_EQ(MechanicalEliminationSolver().solve(twoEqualities(0.), lambda, w).status, SolveStatus::infeasible);
  lambda.resize(0);
  const SolveReport report = MechanicalEliminationSolver().solve(twoEqualities(1e-12), lambda, w);
  EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
}

TEST(MechanicalElimination, DoesNotBelieveAProofForTheRestThatItHasRounded) {
  // Has a solution; the boxes that are left have none to rounding.
  const Planted<GenericMechanicalProblem> planted = plantedMechanical(7477);
  Vector lambda, w;
  const SolveReport report = MechanicalEliminationSolver().solve(planted.problem, lambda, w);
  EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
  lambda.resize(0);
  EXPECT_TRUE(AutomaticMechanicalSolver().solve(planted.problem, lambda, w).converged());
}

}  // namespace
