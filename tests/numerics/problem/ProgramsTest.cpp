// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/Programs.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector solved(const GenericMechanicalProblem& problem) {
  Vector unknown, dual;
  AutomaticMechanicalSolver solver({.tolerance = 1e-11});
  const SolveReport report = solver.solve(problem, unknown, dual);
  EXPECT_TRUE(report.converged()) << report.summary();
  return unknown;
}

// (x₀ − 1)² + (x₁ − 2.5)² over x₀ − 2 x₁ ≥ −2, x₀ + 2 x₁ ≤ 6, x₀ − 2 x₁ ≤ 2, x ≥ 0: (1.4, 1.7), on the first line, as
// in Nocedal and Wright, Numerical Optimization, example 16.4.
TEST(QuadraticProgram, FindsTheMinimumOfATextbook) {
  const QuadraticProgram program(makeMatrix({{2., 0.}, {0., 2.}}), Vector{-2., -5.},
                                 makeMatrix({{-1., 2.}, {1., 2.}, {1., -2.}}), Vector{2., 6., 2.}, Vector(2));
  EXPECT_EQ(program.variables(), 2U);
  EXPECT_EQ(program.inequalities(), 3U);
  const Vector unknown = solved(program);
  expectNear(program.variablesOf(unknown), Vector{1.4, 1.7}, 1e-9);
  expectNear(program.multipliersOf(unknown), Vector{0.8, 0., 0.}, 1e-9);  // H x + c = −Aᵀ π
  EXPECT_NEAR(program.objective(program.variablesOf(unknown)), 0.8 - 1. - 6.25, 1e-9);
}

TEST(QuadraticProgram, IsALinearProgramWithoutH) {
  // Maximise 3 x + 2 y over x + y ≤ 4, x + 3 y ≤ 6, 0 ≤ x ≤ 3, 0 ≤ y: the corner (3, 1).
  const QuadraticProgram program(Matrix(2, 2), Vector{-3., -2.}, makeMatrix({{1., 1.}, {1., 3.}}), Vector{4., 6.},
                                 Vector(2), Vector{3., infinity});
  expectNear(program.variablesOf(solved(program)), Vector{3., 1.}, 1e-9);
}

// The projection on a simplex by the formula of sorted entries: x_i = max(0, p_i − θ).
TEST(QuadraticProgram, ProjectsOnASimplex) {
  Generator generator(3);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = 6;
    const Vector p = randomVector(generator, n);
    Matrix sums(2, n, 1.);
    Vector c(n);
    for (std::size_t i = 0; i < n; ++i) {
      sums(1, i) = -1.;
      c(i) = -p(i);
    }
    const QuadraticProgram program(identityMatrix(n), c, sums, Vector{1., -1.}, Vector(n));
    const Vector x = program.variablesOf(solved(program));
    std::vector<double> sorted(p.begin(), p.end());
    std::sort(sorted.rbegin(), sorted.rend());
    double theta = 0., sum = 0.;
    for (std::size_t k = 0; k < n; ++k) {
      sum += sorted[k];
      const double candidate = (sum - 1.) / static_cast<double>(k + 1);
      if (sorted[k] > candidate) theta = candidate;
    }
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x(i), std::max(0., p(i) - theta), 1e-9) << trial;
  }
}

// A random program with a known feasible point: H of rank `rank`, equalities of which the last is the sum of the
// others, inequalities of which the first holds there with equality, a lower bound of every second variable, and
// intervals where H does not keep the variables finite.
struct RandomProgram {
  RandomProgram(Generator& generator, std::size_t n, std::size_t rank, std::size_t equations)
      : H(randomSemidefinite(generator, n, rank)),
        c(randomVector(generator, n)),
        set{.inequalities = {randomMatrix(generator, 3, n), Vector(3)},
            .equalities = {randomMatrix(generator, equations, n), Vector(equations)},
            .lower = Vector(n, rank < n ? -2. : -infinity),
            .upper = Vector(n, rank < n ? 2. : infinity)} {
    const Vector point = randomVector(generator, n);
    Matrix& E = set.equalities.A;
    for (std::size_t i = 0; i < n; ++i) {
      E(equations - 1, i) = 0.;
      for (std::size_t k = 0; k + 1 < equations; ++k) E(equations - 1, i) += E(k, i);
      if (i % 2 == 0) set.lower(i) = point(i);
    }
    for (std::size_t k = 0; k < equations; ++k) set.equalities.b(k) = row(E, k, point);
    for (std::size_t k = 0; k < 3; ++k) {
      set.inequalities.b(k) = row(set.inequalities.A, k, point) + static_cast<double>(k);
    }
  }

  static double row(const Matrix& A, std::size_t k, const Vector& x) {
    double sum = 0.;
    for (std::size_t j = 0; j < x.size(); ++j) sum += A(k, j) * x(j);
    return sum;
  }

  // The largest violation of the conditions of first order, written anew from the data.
  double violation(const QuadraticProgram& program, const Vector& unknown) const {
    const Vector x = program.variablesOf(unknown), pi = program.multipliersOf(unknown),
                 nu = program.equalityMultipliersOf(unknown);
    double worst = 0.;
    const auto count = [&worst](double error) { worst = std::max(worst, std::abs(error)); };
    for (std::size_t i = 0; i < x.size(); ++i) {
      double gradient = c(i);
      for (std::size_t j = 0; j < x.size(); ++j) gradient += H(i, j) * x(j);
      for (std::size_t k = 0; k < pi.size(); ++k) gradient += set.inequalities.A(k, i) * pi(k);
      for (std::size_t k = 0; k < nu.size(); ++k) gradient += set.equalities.A(k, i) * nu(k);
      count(x(i) - std::clamp(x(i) - gradient, set.lower(i), set.upper(i)));
    }
    for (std::size_t k = 0; k < pi.size(); ++k) {
      count(std::min(set.inequalities.b(k) - row(set.inequalities.A, k, x), pi(k)));
    }
    for (std::size_t k = 0; k < nu.size(); ++k) count(set.equalities.b(k) - row(set.equalities.A, k, x));
    return worst;
  }

  Matrix H;
  Vector c;
  PolyhedralSet set;
};

// The equalities depend on each other, so that their multipliers are not unique; H is singular where rank < n, and zero
// in a linear program.
TEST(QuadraticProgram, MeetsItsConditionsUnderEqualities) {
  Generator generator(7);
  for (std::size_t trial = 0; trial < 60; ++trial) {
    const std::size_t n = 4 + trial % 5;
    const std::size_t rank = trial % 3 == 0 ? 0 : n - 2 + trial % 3;
    const RandomProgram data(generator, n, rank, 2 + trial % 3);
    const QuadraticProgram program(data.H, data.c, data.set);
    Vector unknown, dual;
    const SolveReport report = AutomaticMechanicalSolver({.tolerance = 1e-11}).solve(program, unknown, dual);
    EXPECT_TRUE(report.converged()) << trial << ": " << report.summary();
    // The certificate is relative to the data, whose size is of order 1 to 10, as are multipliers.
    EXPECT_LE(data.violation(program, unknown), 1e-9) << trial;
  }
}

TEST(QuadraticProgram, FindsThePointOfLeastNormOnALine) {
  const QuadraticProgram program(identityMatrix(3), Vector(3),
                                 {.equalities = {makeMatrix({{1., 2., 2.}}), Vector{9.}}});
  EXPECT_EQ(program.equalities(), 1U);
  EXPECT_EQ(program.inequalities(), 0U);
  const Vector unknown = solved(program);
  expectNear(program.variablesOf(unknown), Vector{1., 2., 2.}, 1e-9);
  expectNear(program.equalityMultipliersOf(unknown), Vector{-1.}, 1e-9);  // H x + c = −Eᵀ ν
}

// The equations leave one point, at which an inequality holds with equality and a zero multiplier.
TEST(QuadraticProgram, TakesEqualitiesThatLeaveOnePoint) {
  const Matrix E = makeMatrix({{1., 1.}, {1., -1.}, {2., 0.}});
  const QuadraticProgram program(
      identityMatrix(2), Vector{-1., -1.},
      {.inequalities = {makeMatrix({{1., 0.}}), Vector{1.}}, .equalities = {E, Vector{2., 0., 2.}}});
  expectNear(program.variablesOf(solved(program)), Vector{1., 1.}, 1e-9);
}

TEST(QuadraticProgram, SaysThatContradictoryEqualitiesHaveNoSolution) {
  const Matrix E = makeMatrix({{1., 1.}, {2., 2.}});
  const QuadraticProgram program(identityMatrix(2), Vector(2), {.equalities = {E, Vector{1., 1.}}});
  Vector unknown, dual;
  const SolveReport report = AutomaticMechanicalSolver().solve(program, unknown, dual);
  EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
}

TEST(QuadraticProgram, SaysThatContradictoryConditionsHaveNoSolution) {
  // x ≤ −1 and x ≥ 0.
  const QuadraticProgram program(identityMatrix(1), Vector(1), makeMatrix({{1.}}), Vector{-1.}, Vector(1));
  Vector unknown, dual;
  const SolveReport report = AutomaticMechanicalSolver().solve(program, unknown, dual);
  EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
}

TEST(QuadraticProgram, RefusesWhatIsNoConvexProgram) {
  expectError([] { QuadraticProgram(makeMatrix({{1., 2.}, {0., 1.}}), Vector(2)); }, {"symmetric", "(0, 1)"});
  expectError([] { QuadraticProgram(makeMatrix({{1., 0.}, {0., -1.}}), Vector(2)); }, {"positive semidefinite"});
  expectError([] { QuadraticProgram(identityMatrix(2), Vector(3)); }, {"H", "3"});
  expectError([] { QuadraticProgram(identityMatrix(2), Vector(2), Matrix(1, 3), Vector(1)); }, {"A"});
  expectError([] { QuadraticProgram(identityMatrix(2), Vector(2), Matrix(1, 2), Vector(2)); }, {"b"});
  expectError([] { QuadraticProgram(identityMatrix(2), Vector(2), {}, {}, Vector(1)); }, {"lower bounds"});
  expectError([] { QuadraticProgram(makeMatrix({{std::nan("")}}), Vector(1)); }, {"H"});
  expectError(
      [] {
        QuadraticProgram(identityMatrix(2), Vector(2), {.equalities = {Matrix(1, 3), Vector(1)}});
      },
      {"equalities' A", "3"});
  expectError(
      [] {
        QuadraticProgram(identityMatrix(2), Vector(2), {.equalities = {Matrix(1, 2), Vector(2)}});
      },
      {"equalities' b", "2"});
}

// Not symmetric: a game of two, whose equilibrium lies on a joint limit x₀ + x₁ ≤ 1.
TEST(AffineVariationalInequality, MeetsItsDefinitionAgainstAllCorners) {
  const AffineVariationalInequality problem(makeMatrix({{2., 1.}, {-1., 2.}}), Vector{-3., -2.}, makeMatrix({{1., 1.}}),
                                            Vector{1.}, Vector(2), Vector{2., 2.});
  const Vector x = problem.variablesOf(solved(problem));
  const Vector w{2. * x(0) + x(1) - 3., -x(0) + 2. * x(1) - 2.};
  for (const Vector& corner : {Vector{0., 0.}, Vector{1., 0.}, Vector{0., 1.}}) {
    EXPECT_GE(w(0) * (corner(0) - x(0)) + w(1) * (corner(1) - x(1)), -1e-9);
  }
  EXPECT_LE(x(0) + x(1), 1. + 1e-9);
}

double tangential(const Vector& z, std::size_t first, std::size_t rows) {
  double squares = 0.;
  for (std::size_t i = first + 1; i < first + rows; ++i) squares += z(i) * z(i);
  return std::sqrt(squares);
}

TEST(SecondOrderConeProblem, IsSolvedByAllMethodsThatTakeItsSet) {
  Generator generator(11);
  const std::vector<std::size_t> rows{3, 1, 5, 2};
  const Vector apertures{1., 1., 0.5, 2.};
  for (int trial = 0; trial < 30; ++trial) {
    const Vector q = randomVector(generator, 11);
    const SecondOrderConeProblem problem(randomPositiveDefinite(generator, 11), q, rows, apertures);
    const auto expectSolves = [&](auto solver) {
      Vector z, w;
      const SolveReport report = solver.solve(problem, z, w);
      ASSERT_TRUE(report.converged()) << trial << ": " << report.summary();
      std::size_t first = 0;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_LE(tangential(z, first, rows[k]), apertures(k) * z(first) + 1e-6);
        EXPECT_LE(apertures(k) * tangential(w, first, rows[k]), w(first) + 1e-6);
        double product = 0.;
        for (std::size_t i = first; i < first + rows[k]; ++i) product += z(i) * w(i);
        EXPECT_NEAR(product, 0., 1e-6);
        first += rows[k];
      }
    };
    expectSolves(AutomaticMechanicalSolver());
    expectSolves(NewtonSolver());
    expectSolves(MechanicalGaussSeidelSolver());
  }
}

TEST(SecondOrderConeProblem, SaysWhatDoesNotFit) {
  expectError([] { SecondOrderConeProblem(identityMatrix(3), Vector(3), {2}); }, {"rows", "3", "2"});
  expectError([] { SecondOrderConeProblem(identityMatrix(3), Vector(3), {3}, Vector{1., 1.}); }, {"apertures"});
  expectError([] { SecondOrderConeProblem(identityMatrix(3), Vector(3), {3}, Vector{-1.}); }, {"part 0", "aperture"});
}

}  // namespace
