// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/methods/FrictionlessSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// Two contacts without friction whose normals face each other to `slope`: a body between two walls that close.
GlobalFrictionContactProblem wedge(double slope) {
  const Matrix H = makeMatrix({{1., -slope, -1., -slope}, {slope, 1., slope, -1.}});
  return {2,         sparseFromDense(identityMatrix(2)), sparseFromDense(H),
          Vector(2), makeVector({-0.5, 0., -0.5, 0.}),   Vector(2)};
}

TEST(FrictionInfeasibility, TellsParallelWallsFromAWedge) {
  const auto proves = [](double slope, double first, double second) {
    return provesInfeasible(wedge(slope), alongNormals(2, makeVector({first, second})));
  };
  EXPECT_TRUE(proves(0., 1., 1.));
  EXPECT_TRUE(proves(0., 1., 1. + 1e-8)) << "some digits are enough";
  EXPECT_FALSE(proves(0., 1., 2.));
  EXPECT_FALSE(proves(0., 0., 0.));
  EXPECT_FALSE(proves(1e-9, 1., 1.));
  EXPECT_THROW(provesInfeasible(wedge(0.), Vector(3)), Error);
}

TEST(FrictionInfeasibility, IsNotSaidOfAMatrixThatIsOnlyNearlySingular) {
  // W_NN = (1 −1; −1 1 + e): reactions of 1/e open both contacts.
  const double e = 1e-10;
  Matrix W(4, 4);
  W(0, 0) = W(1, 1) = W(3, 3) = 1.;
  W(0, 2) = W(2, 0) = -1.;
  W(2, 2) = 1. + e;
  const FrictionContactProblem problem(2, W, makeVector({-0.5, 0., -0.5, 0.}), Vector(2));
  EXPECT_FALSE(provesInfeasible(problem, alongNormals(2, makeVector({1., 1.}))));
  Vector r, u;
  const SolveReport report = FrictionlessSolver().solve(problem, r, u);
  EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
}

TEST(FrictionInfeasibility, IsNotSaidWhereAnOrdinarySolutionLiesWithinTheRoundingOfTheProof) {
  // r_N = (1/3, 4/3) solves it.
  Matrix W(4, 4);
  W(0, 0) = W(1, 1) = W(3, 3) = 1.;
  W(0, 2) = W(2, 0) = -1.;
  W(2, 2) = 1. + 1.5e-13;
  const FrictionContactProblem problem(2, W, makeVector({1., 0., -1. - 2e-13, 0.}), Vector(2));
  EXPECT_FALSE(provesInfeasible(problem, alongNormals(2, makeVector({1., 1.}))));
}

TEST(FrictionInfeasibility, OfTheRoundedLocalFormIsNotBelievedInTheGlobalOne) {
  // Hᵀ M⁻¹ H loses the slope of the walls, whose square is below rounding.
  Vector x, u;
  EXPECT_EQ(AutomaticGlobalSolver().solve(wedge(0.), x, u).status, SolveStatus::infeasible);
  x.resize(0);
  const SolveReport report = AutomaticGlobalSolver().solve(wedge(1e-9), x, u);
  EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
  x.resize(0);
  EXPECT_NE(AutomaticFrictionSolver().solve(wedge(1e-9), x, u).status, SolveStatus::infeasible);
}

}  // namespace
