// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/sets/SecondOrderCone.hpp>
#include <limits>
#include <memory>
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

// The program min x over x a + q in a second-order cone, with its multiplier λ: −aᵀλ + c = 0, w = x a + q.
GenericMechanicalProblem coneProgram(const Vector& a, double c, const Vector& q) {
  Matrix W(4, 4);
  for (std::size_t i = 0; i < 3; ++i) {
    W(0, i + 1) = -a(i);
    W(i + 1, 0) = a(i);
  }
  return {W, makeVector({c, q(0), q(1), q(2)}), {Part::equality(1), {std::make_shared<SecondOrderCone>(1.), 3}}};
}

TEST(Infeasibility, IsProvedForConesByTheDirectionInWhichMultipliersGrow) {
  AutomaticMechanicalSolver solver;
  Vector lambda, w;
  // The line q + x a touches the cone nowhere: w_N = −1 on it.
  const SolveReport flat = solver.solve(coneProgram({0., 1., 0.}, 0.5, {-1., 0.3, 0.2}), lambda, w);
  EXPECT_EQ(flat.status, SolveStatus::infeasible) << flat.summary();
  // The line meets the cone, and the objective falls along it without bound.
  lambda.resize(0, false);
  const SolveReport unbounded = solver.solve(coneProgram({1., 0., 0.}, -1., {0.5, 0.3, 0.2}), lambda, w);
  EXPECT_EQ(unbounded.status, SolveStatus::infeasible) << unbounded.summary();
  // Both mended.
  lambda.resize(0, false);
  const SolveReport solved = solver.solve(coneProgram({1., 0.5, 0.}, 1., {0.5, 0.3, 0.2}), lambda, w);
  EXPECT_TRUE(solved.converged()) << solved.summary();
}

TEST(Infeasibility, IsProvedForAConeWhoseMatrixIsSemidefinite) {
  // w_N = −1 whatever λ is.
  const GenericMechanicalProblem problem(makeMatrix({{0., 0., 0.}, {0., 1., 0.}, {0., 0., 2.}}),
                                         makeVector({-1., 0.5, 0.}), {{std::make_shared<SecondOrderCone>(1.), 3}});
  AutomaticMechanicalSolver solver;
  Vector lambda, w;
  const SolveReport report = solver.solve(problem, lambda, w);
  EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
}

// Dropping dependent equality rows of a program would leave them unmet: the rest is not even tried.
TEST(MechanicalElimination, LeavesProgramsAtOnceToMethodsThatTakeThem) {
  MechanicalEliminationSolver elimination;
  Vector lambda, w;
  const SolveReport report = elimination.solve(coneProgram({1., 0.5, 0.}, 1., {0.5, 0.3, 0.2}), lambda, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
  EXPECT_EQ(report.iterations, 0U);
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
