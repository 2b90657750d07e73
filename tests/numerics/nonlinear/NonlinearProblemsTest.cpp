// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of Kojima and Shindo (J. Oper. Res. Soc. Japan 29, 1986): not monotone, with the solutions (√6/2, 0, 0, 1/2), where
// x₃ = F₃ = 0, and (1, 0, 3, 0).
const auto kojimaShindo = [](const auto& x, auto& F) {
  F(0) = 3. * x(0) * x(0) + 2. * x(0) * x(1) + 2. * x(1) * x(1) + x(2) + 3. * x(3) - 6.;
  F(1) = 2. * x(0) * x(0) + x(0) + x(1) * x(1) + 10. * x(2) + 2. * x(3) - 2.;
  F(2) = 3. * x(0) * x(0) + x(0) * x(1) + 2. * x(1) * x(1) + 2. * x(2) + 9. * x(3) - 9.;
  F(3) = x(0) * x(0) + 3. * x(1) * x(1) + 2. * x(2) + 3. * x(3) - 3.;
};

bool isOneOf(const Vector& x, const std::vector<Vector>& points, double tolerance) {
  return std::any_of(points.begin(), points.end(), [&](const Vector& point) {
    double largest = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x(i) - point(i)));
    return largest <= tolerance;
  });
}

TEST(NonlinearComplementarity, FindsASolutionOfTheProblemOfKojimaAndShindo) {
  const NonlinearComplementarityProblem problem(automatic(kojimaShindo), 4);
  const std::vector<Vector> solutions{{std::sqrt(1.5), 0., 0., 0.5}, {1., 0., 3., 0.}};
  for (const Vector& start : {Vector{0., 0., 0., 0.}, Vector{1., 1., 1., 1.}, Vector{3., 0., 0., 2.}}) {
    Vector x = start, w;
    AutomaticVariationalSolver solver;
    const SolveReport report = solver.solve(problem, x, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    // At the degenerate one the error is of second order in x₃, hence the square root of the tolerance.
    EXPECT_TRUE(isOneOf(x, solutions, 1e-4)) << x;
  }
}

TEST(NonlinearComplementarity, GivesTheSameForAllThreeWords) {
  const auto derivative = [](const Vector& x, Matrix& J) {
    J(0, 0) = 2. * x(0);
    J(0, 1) = 1.;
    J(1, 0) = -1.;
    J(1, 1) = 3. * x(1) * x(1);
  };
  const auto f = [](const auto& x, auto& F) {
    F(0) = x(0) * x(0) + x(1) - 2.;
    F(1) = x(1) * x(1) * x(1) - x(0) - 1.;
  };
  const auto plain = [f](const Vector& x, Vector& F) { f(x, F); };
  std::vector<Vector> answers;
  for (const VariationalInequality& problem :
       {NonlinearComplementarityProblem(automatic(f), 2), NonlinearComplementarityProblem(differenced(plain), 2),
        NonlinearComplementarityProblem(withJacobians(plain, derivative), 2)}) {
    Vector x{1., 1.}, w;
    VariationalNewtonSolver solver({.tolerance = 1e-12});
    EXPECT_TRUE(solver.solve(problem, x, w).converged());
    answers.push_back(x);
  }
  // At a regular solution Newton's method forgets the errors of differences.
  EXPECT_TRUE(isOneOf(answers[0], {answers[1]}, 1e-11) && isOneOf(answers[0], {answers[2]}, 1e-11));
}

// Five firms that share a market, each with the best output given that of the others (Murphy, Sherali and Soyster,
// Math. Program. 24, 1982). The price (5000/Q)^(1/1.1) exists only for Q > 0, costs only for x ≥ 0.
const auto nashCournot = [](const auto& x, auto& F) {
  using std::pow;
  constexpr std::array<double, 5> cost{10., 8., 6., 4., 2.}, beta{1.2, 1.1, 1., 0.9, 0.8};
  auto Q = x(0) + x(1) + x(2) + x(3) + x(4);
  const auto price = pow(5000. / Q, 1. / 1.1);
  for (std::size_t i = 0; i < 5; ++i) {
    F(i) = cost[i] + pow(x(i) / 5., 1. / beta[i]) - price + x(i) * price / (1.1 * Q);
  }
};

TEST(NonlinearComplementarity, FindsTheEquilibriumOfNashAndCournot) {
  // From the paper, to its three decimals.
  const Vector published{36.932, 41.818, 43.707, 42.659, 39.179};
  const NonlinearComplementarityProblem problem(automatic(nashCournot), 5);
  const auto expectSolves = [&](auto solver) {
    Vector x(5, 10.), w;
    const SolveReport report = solver.solve(problem, x, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    EXPECT_TRUE(isOneOf(x, {published}, 2e-3)) << x;
  };
  expectSolves(AutomaticVariationalSolver());
  expectSolves(VariationalNewtonSolver());
  expectSolves(JosephyNewtonSolver());
  expectSolves(ExtragradientSolver());
}

TEST(NonlinearComplementarity, SaysThatFIsNotFiniteAtTheStart) {
  const NonlinearComplementarityProblem problem(automatic(nashCournot), 5);
  Vector x(5), w;
  const SolveReport report = VariationalNewtonSolver().solve(problem, x, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
  EXPECT_EQ(report.reason, "F is not finite at the start");
  EXPECT_EQ(report.error, infinity);
}

// At x = 0, where solvers start, the logarithm is not finite, and random starts are to be drawn elsewhere.
TEST(NonlinearComplementarity, StartsElsewhereWhereFIsNotFiniteAtZero) {
  const NonlinearComplementarityProblem problem(automatic([](const auto& x, auto& F) {
                                                  using std::log;
                                                  F(0) = log(x(0)) + x(1);
                                                  F(1) = log(x(1)) - 0.5 * x(0);
                                                }),
                                                2);
  AutomaticVariationalSolver solver;
  Vector x, w;
  const SolveReport report = solver.solve(problem, x, w);
  ASSERT_TRUE(report.converged()) << report.summary();
  EXPECT_NEAR(std::log(x(0)), -x(1), 1e-6);  // some hundred times the relative tolerance
  EXPECT_NEAR(std::log(x(1)), 0.5 * x(0), 1e-6);
}

TEST(NonlinearComplementarity, SaysWhereNoStartIsFinite) {
  const NonlinearComplementarityProblem problem(automatic([](const auto& x, auto& F) {
                                                  using std::sqrt;
                                                  F(0) = sqrt(-1. - x(0) * x(0));
                                                }),
                                                1);
  AutomaticVariationalSolver solver;
  Vector x, w;
  const SolveReport report = solver.solve(problem, x, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
}

template <class Problem>
void expectEachSolverSolves(const Problem& problem, double solution) {
  for (const SolverEntry<RootOf<Problem>>& entry : solversFor<Problem>()) {
    const auto solver = entry.make({});
    Vector x, w;
    const SolveReport report = solver->solve(problem, x, w);
    EXPECT_TRUE(report.converged()) << entry.name << ": " << report.summary();
    ASSERT_EQ(x.size(), 1U);
    EXPECT_NEAR(x(0), solution, 1e-6) << entry.name;
    EXPECT_FALSE(entry.options().empty());
  }
  EXPECT_THROW(solverNamed<Problem>("lemke"), Error);
}

TEST(VariationalCatalogue, HasEachMethodForEachOfTheThreeWords) {
  const auto cubic = automatic([](const auto& x, auto& F) { F(0) = x(0) * x(0) * x(0) + x(0) - 10.; });
  expectEachSolverSolves(NonlinearComplementarityProblem(cubic, 1), 2.);
  expectEachSolverSolves(MixedComplementarityProblem(cubic, makeVector({3.}), Vector()), 3.);
  expectEachSolverSolves(VariationalInequality(cubic, {Part::box(1)}, makeVector({0.}), makeVector({1.5})), 1.5);
}

TEST(MixedComplementarity, IsNewtonsMethodForEquationsWithoutBounds) {
  // exp(x₀) + x₁ = 2, x₀² + x₁² = 2 has the root that substitution gives: x₁ = 2 − exp(x₀).
  const auto f = [](const auto& x, auto& F) {
    using std::exp;
    F(0) = exp(x(0)) + x(1) - 2.;
    F(1) = x(0) * x(0) + x(1) * x(1) - 2.;
  };
  const MixedComplementarityProblem problem(automatic(f), Vector(2, -infinity), Vector(2, infinity));
  std::vector<double> residuals;
  VariationalNewtonSolver solver({.tolerance = 1e-13});
  solver.setObserver([&](std::size_t, double residual) { residuals.push_back(residual); });
  Vector x{1., 1.}, w;
  EXPECT_TRUE(solver.solve(problem, x, w).converged());
  EXPECT_NEAR(std::exp(x(0)) + x(1), 2., 1e-12);
  EXPECT_NEAR(x(0) * x(0) + x(1) * x(1), 2., 1e-12);
  // The order of convergence, from the last three residuals above rounding.
  while (residuals.size() > 3 && residuals[residuals.size() - 1] < 1e-13) residuals.pop_back();
  const std::size_t n = residuals.size();
  ASSERT_GE(n, 3U);
  const double order = std::log(residuals[n - 1] / residuals[n - 2]) / std::log(residuals[n - 2] / residuals[n - 3]);
  EXPECT_GT(order, 1.7);
}

TEST(MixedComplementarity, HoldsEachRowAtItsBoundOrAtZero) {
  const auto f = [](const auto& x, auto& F) {
    for (std::size_t i = 0; i < 4; ++i) F(i) = x(i) * x(i) * x(i) - 1.;
  };
  // The root 1 lies above, inside, below, and beyond bounds that are equal.
  const MixedComplementarityProblem problem(automatic(f), Vector{-1., 0., 2., 0.5}, Vector{0.5, 2., 3., 0.5});
  const auto expectSolves = [&](auto solver) {
    Vector x, w;
    EXPECT_TRUE(solver.solve(problem, x, w).converged());
    EXPECT_NEAR(x(0), 0.5, 1e-7);
    EXPECT_NEAR(x(1), 1., 1e-7);
    EXPECT_NEAR(x(2), 2., 1e-7);
    EXPECT_NEAR(x(3), 0.5, 1e-7);
    EXPECT_NEAR(w(2), 7., 1e-5);
  };
  expectSolves(VariationalNewtonSolver());
  expectSolves(JosephyNewtonSolver());
  expectSolves(ExtragradientSolver());
}

// x ln x has its minimum at 1/e; the logarithm exists only inside.
TEST(MixedComplementarity, StaysWhereTheFunctionIsDefined) {
  const auto f = [](const auto& x, auto& F) {
    using std::log;
    F(0) = log(x(0)) + 1.;
    F(1) = log(x(1)) + x(0);
  };
  const NonlinearComplementarityProblem problem(automatic(f), 2);
  Vector x{1., 2.}, w;
  AutomaticVariationalSolver solver;
  const SolveReport report = solver.solve(problem, x, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_NEAR(x(0), std::exp(-1.), 1e-7);
  EXPECT_NEAR(x(1), std::exp(-std::exp(-1.)), 1e-7);
}

// Monotone, with a Jacobian of rank one everywhere: a plane of solutions.
TEST(VariationalInequality, IsSolvedWhereTheJacobianIsSingular) {
  const auto f = [](const auto& x, auto& F) {
    auto sum = x(0) + 2. * x(1) + 3. * x(2);
    auto slope = sum * sum * sum + sum - 10.;
    F(0) = slope;
    F(1) = 2. * slope;
    F(2) = 3. * slope;
  };
  const NonlinearComplementarityProblem problem(automatic(f), 3);
  const auto expectSolves = [&](auto solver) {
    Vector x, w;
    const SolveReport report = solver.solve(problem, x, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    EXPECT_NEAR(x(0) + 2. * x(1) + 3. * x(2), 2., 1e-6);
  };
  expectSolves(VariationalNewtonSolver());
  expectSolves(JosephyNewtonSolver());
  expectSolves(ExtragradientSolver());
}

// A saddle point of xᵀA y on boxes: monotone, nowhere strongly, where plain projected steps circle for ever.
TEST(Extragradient, ConvergesToASaddlePoint) {
  const auto f = [](const auto& x, auto& F) {
    F(0) = x(1) - 0.5;
    F(1) = -x(0) + 0.25;
  };
  const MixedComplementarityProblem problem(automatic(f), Vector(2, -1.), Vector(2, 1.));
  Vector x{1., -1.}, w;
  const SolveReport report = ExtragradientSolver().solve(problem, x, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_NEAR(x(0), 0.25, 1e-7);
  EXPECT_NEAR(x(1), 0.5, 1e-7);
}

struct Contacts {
  Matrix W;
  Vector q, lower, upper;
  std::vector<Part> parts{Part::equality(1), Part::box(2), Part::coulomb(3, 0.4), Part::rollingContact(3, 0.5, 0.1)};
};

Contacts contacts(std::uint64_t seed) {
  Generator generator(seed);
  Contacts made;
  made.W = randomSemidefinite(generator, 11, 11, 0.5);
  made.q = randomVector(generator, 11);
  made.lower = Vector(11, -0.2);
  made.upper = Vector(11, 0.3);
  return made;
}

// F(x) = W x + q + stiffening x³.
VariationalInequality problemOf(const Contacts& contacts, double stiffening) {
  const auto f = [W = contacts.W, q = contacts.q, stiffening](const auto& x, auto& F) {
    for (std::size_t i = 0; i < 11; ++i) {
      F(i) = q(i) + stiffening * x(i) * x(i) * x(i);
      for (std::size_t j = 0; j < 11; ++j) F(i) += W(i, j) * x(j);
    }
  };
  return {automatic(f), contacts.parts, contacts.lower, contacts.upper};
}

TEST(VariationalInequality, IsTheMechanicalProblemWhereFIsAffine) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Contacts random = contacts(seed);
    const GenericMechanicalProblem affine(random.W, random.q, random.parts, random.lower, random.upper);
    Vector lambda, w, x, atX, anywhere(11, 0.1);
    ASSERT_TRUE(AutomaticMechanicalSolver().solve(affine, lambda, w).converged());
    const VariationalInequality problem = problemOf(random, 0.);
    ASSERT_TRUE(AutomaticVariationalSolver().solve(problem, x, atX).converged()) << seed;
    EXPECT_LE(errorOf(problem, ErrorMeasure::scaled, lambda, atX), 1e-8);
    EXPECT_LE(errorOf(affine, ErrorMeasure::scaled, x, w), 1.01e-8);  // q is formed from F(x)
    const double error = errorOf(affine, ErrorMeasure::scaled, anywhere, w);
    EXPECT_NEAR(errorOf(problem, ErrorMeasure::scaled, anywhere, atX), error, 1e-12 * error);
  }
}

TEST(VariationalInequality, TakesContactsWithFrictionThatStiffen) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const VariationalInequality problem = problemOf(contacts(seed), 2.);
    for (int method = 0; method < 2; ++method) {
      Vector x, w;
      AutomaticVariationalSolver automaticSolver;
      JosephyNewtonSolver josephy;
      VariationalInequalitySolver& solver =
          method == 0 ? static_cast<VariationalInequalitySolver&>(automaticSolver) : josephy;
      const SolveReport report = solver.solve(problem, x, w);
      ASSERT_TRUE(report.converged()) << seed << ": " << report.summary();
      // The law of the contact in rows 3 to 5, case by case.
      const double slip = std::hypot(w(4), w(5)), push = std::hypot(x(4), x(5));
      EXPECT_GE(x(3), -1e-6);
      EXPECT_GE(w(3), -1e-6);
      EXPECT_NEAR(x(3) * w(3), 0., 1e-6);
      EXPECT_LE(push, 0.4 * x(3) + 1e-6);
      EXPECT_NEAR(x(4) * w(4) + x(5) * w(5), -0.4 * x(3) * slip, 1e-6);
      EXPECT_NEAR(w(0), 0., 1e-6);
    }
  }
}

// The start lies outside of the set of the rolling contact, whose projection is another one in other scales.
TEST(VariationalInequality, IsSolvedAlikeEachTimeFromOneStart) {
  const VariationalInequality problem = problemOf(contacts(3), 2.);
  Vector start(11, 0.7), first, again, w;
  VariationalNewtonSolver newton;
  JosephyNewtonSolver josephy;
  ExtragradientSolver extragradient;
  for (VariationalInequalitySolver* const solver :
       std::initializer_list<VariationalInequalitySolver*>{&newton, &josephy, &extragradient}) {
    first = again = start;
    solver->solve(problem, first, w);
    solver->solve(problem, again, w);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), again.begin())) << solver->name();
  }
}

TEST(VariationalInequality, RefusesWhatDoesNotFit) {
  const auto f = [](const auto& x, auto& F) { F(0) = x(0); };
  const auto grows = [](const Vector&, Vector& F) { F.resize(3); };
  using NCP = NonlinearComplementarityProblem;
  expectError([&] { NCP(VariationalInequality::Function(), 1); }, {"VariationalInequality", "empty"});
  expectError([&] { NCP(automatic(f), 0); }, {"part 0", "at least one row"});
  expectError([&] { MixedComplementarityProblem(automatic(f), Vector(1), Vector(2)); }, {"upper bounds", "1", "2"});
  expectError([&] { MixedComplementarityProblem(automatic(f), Vector{2.}, Vector{1.}); }, {"part 0", "[2, 1]"});
  expectError([&] { MixedComplementarityProblem(automatic(f), Vector{std::nan("")}, Vector{1.}); }, {"part 0", "nan"});
  expectError([&] { VariationalInequality(automatic(f), {}); }, {"at least one part"});
  expectError([&] { VariationalInequality(automatic(f), {Part::coulomb(3, -1.)}); }, {"part 0", "friction"});
  Vector x, w, wrong(2);
  expectError([&] { AutomaticVariationalSolver().solve(NCP(automatic(f), 1), wrong, w); }, {"the start"});
  expectError([&] { VariationalNewtonSolver().solve(NCP(differenced(grows), 1), x, w); }, {"F(x)", "1", "3"});
  expectError([] { VariationalNewtonSolver({.tolerance = 0.}); }, {"VariationalNewtonSolver", "tolerance"});
  expectError([] { ExtragradientSolver({.maxIterations = 0}); }, {"ExtragradientSolver", "maxIterations"});
}

}  // namespace
