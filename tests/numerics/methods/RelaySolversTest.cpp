// SPDX-License-Identifier: Apache-2.0
//
// What holds for the relay solvers, on random boxes with known answers, and on files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <support/TestData.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct KnownRelay {
  RelayProblem problem;
  Vector z, w;
};

// Bounds of all kinds (finite only, if asked), z at a bound or between; `degenerate`: w may vanish at a bound.
KnownRelay withAnswer(Generator& generator, const Matrix& M, bool finite, bool degenerate) {
  const std::size_t n = M.size1();
  Vector lower(n), upper(n), z(n), w(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector r = randomVector(generator, 3);
    lower(i) = r(0) - 0.6;
    upper(i) = lower(i) + 0.5 + std::abs(r(1));
    if (generator() % 8 == 0) upper(i) = lower(i);
    if (!finite && generator() % 3 == 0) lower(i) = -infinity;
    if (!finite && generator() % 3 == 0) upper(i) = infinity;
    const bool weak = degenerate && generator() % 3 == 0;
    const double force = weak ? 0. : 0.1 + std::abs(r(2));
    const std::size_t kind = generator() % 3;
    if (kind == 0 && std::isfinite(lower(i))) {
      z(i) = lower(i);
      w(i) = force;
    } else if (kind == 1 && std::isfinite(upper(i))) {
      z(i) = upper(i);
      w(i) = -force;
    } else {
      z(i) = std::clamp(r(2), lower(i), upper(i));
    }
  }
  Vector q = w;
  multiply(-1., M, z, 1., q);
  return {RelayProblem(M, q, lower, upper), z, w};
}

LcpFormSolver lemkeOfTheForm() {
  return LcpFormSolver({}, std::make_unique<LemkeSolver>());
}

template <class Method>
void expectAnswer(Method&& method, const KnownRelay& known, std::size_t seed, bool unique = true) {
  Vector z, w;
  const SolveReport report = method.solve(known.problem, z, w);
  ASSERT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  // Conditions are below some thousands, at a tolerance of 1e-8.
  if (unique) expectNear(z, known.z, 1e-4);
}

TEST(RelaysWithDefiniteMatrices, AreSolvedByEverySolver) {
  for (std::size_t seed = 0; seed < 120; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 8;
    const bool symmetric = seed % 2 == 0;
    const Matrix M = symmetric ? randomSemidefinite(generator, n, n, 0.5) : randomPositiveDefinite(generator, n);
    const KnownRelay known = withAnswer(generator, M, seed % 3 == 0, seed % 5 == 0);
    expectAnswer(AutomaticBoxSolver(), known, seed);
    expectAnswer(lemkeOfTheForm(), known, seed);
    expectAnswer(BlockPivotingSolver(), known, seed);
    expectAnswer(EnumerationSolver(), known, seed);
    if (symmetric) expectAnswer(ProjectedGaussSeidelSolver(), known, seed);
  }
}

TEST(RelaysWithSemidefiniteMatrices, AreSolvedByTheLcpFormAndAutomatic) {
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 3 + seed % 20;
    const KnownRelay known = withAnswer(generator, randomSemidefinite(generator, n, 1 + n / 3), true, seed % 2 == 0);
    expectAnswer(lemkeOfTheForm(), known, seed, false);
    expectAnswer(AutomaticBoxSolver(), known, seed, false);
  }
}

TEST(RelaysWithFiniteBounds, AreSolvedWhateverTheMatrix) {
  // There is a solution by Brouwer's theorem.
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 8;
    Vector ones(n);
    for (double& entry : ones.data()) entry = 1.;
    const RelayProblem problem(randomMatrix(generator, n, n), randomVector(generator, n), Vector(-ones), ones);
    Vector z, w;
    const SolveReport report = AutomaticBoxSolver().solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  }
}

TEST(RelaysWithoutSolution, AreSaidToHaveNone) {
  // w = −1 for every z ≥ 0.
  const RelayProblem problem(Matrix(1, 1), makeVector({-1.}), makeVector({0.}), makeVector({infinity}));
  for (const auto& entry : solversFor<RelayProblem>()) {
    Vector z, w;
    const SolveReport report = entry.make({})->solve(problem, z, w);
    EXPECT_FALSE(report.converged()) << entry.name;
    EXPECT_FALSE(report.reason.empty()) << entry.name;
    if (entry.name == "automatic" || entry.name == "enumeration") {
      EXPECT_EQ(report.status, SolveStatus::infeasible) << entry.name;
    }
  }
}

TEST(BlockPivotingSolver, SolvesLargeSparseProblemsFromAWarmStartInOneStep) {
  const std::size_t n = 2000;
  Generator generator(9);
  Vector upper(n);
  for (double& entry : upper.data()) entry = 0.5;
  RelayProblem problem(columnMatrix(n), randomVector(generator, n), Vector(-upper), upper);
  BlockPivotingSolver solver;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  const SolveReport again = solver.solve(problem, z, w);
  ASSERT_TRUE(again.converged());
  EXPECT_EQ(again.iterations, 1U);
}

// Above the size up to which M is made dense, where the equalities are boxes and M is singular on them.
TEST(AutomaticBoxSolver, EndsOnLargeMixedProblemsWhoseEqualitiesAreBoxes) {
  const std::size_t n = 40;
  Matrix M = identityMatrix(n);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) M(i, j) = 1.;
  }
  Vector lower(n), q(n);
  for (std::size_t i = 0; i < n; ++i) {
    lower(i) = i < 4 ? -infinity : 0.;
    q(i) = i % 2 == 0 ? -1. : 1.;
  }
  Vector z, w;
  // The first two rows contradict each other.
  const RelayProblem problem(M, q, lower, Vector(n, infinity));
  const SolveReport report = AutomaticBoxSolver({.denseSize = n - 1, .maxIterations = 50}).solve(problem, z, w);
  EXPECT_FALSE(report.converged()) << report.summary();
}

TEST(LcpFormSolver, FollowsBoundsThatBecomeHalfLinesAndCeaseToBe) {
  Generator generator(12);
  const std::size_t n = 6;
  const Matrix M = randomPositiveDefinite(generator, n);
  LcpFormSolver solver;
  EnumerationSolver reference;
  RelayProblem problem(M, randomVector(generator, n), Vector(n), Vector(n, infinity));
  for (std::size_t step = 0; step < 24; ++step) {
    // Of the same kinds where only the place of the bound changes, and of others.
    problem.lower()(step % n) = step % 3 == 0 ? 0. : -0.1 * static_cast<double>(step);
    problem.upper()((2 * step) % n) = step % 4 == 3 ? 0.3 : infinity;
    if (step % 6 == 5) problem.lower() = Vector(n);
    if (step % 8 == 7) problem.lower()(1) = -infinity;
    Vector z, w, expected;
    const SolveReport report = solver.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << step << ": " << report.summary();
    ASSERT_TRUE(reference.solve(problem, expected, w).converged()) << step;
    expectNear(z, expected, 1e-8);
  }
}

class RelayFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RelayFile, IsSolvedByTheLcpForm) {
  const RelayProblem problem = readRelay(GetParam());
  LcpFormSolver solver = lemkeOfTheForm();
  Vector z, w;
  const SolveReport report = solver.solve(problem, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
}

INSTANTIATE_TEST_SUITE_P(Files, RelayFile, testing::ValuesIn(allProblems("relay")),
                         [](const auto& instance) { return testNameOf(instance.param); });

TEST(RelaySolvers, TakeBoundsOfAnySize) {
  const double huge = 1e308;
  // z = 1 and z = -2, and a third one that is fixed where its row overflows.
  const RelayProblem free(makeMatrix({{2., 0.}, {0., 1.}}), makeVector({-2., 2.}), makeVector({-huge, -huge}),
                          makeVector({huge, 0.}));
  const RelayProblem fixed(makeMatrix({{20.}}), makeVector({-2.}), makeVector({huge}), makeVector({huge}));
  for (const auto& entry : solversFor<RelayProblem>()) {
    Vector z, w;
    const SolveReport report = entry.make({1e-8, 0})->solve(free, z, w);
    EXPECT_TRUE(report.converged()) << entry.name << ": " << report.summary();
    Vector other;
    EXPECT_NE(entry.make({1e-8, 0})->solve(fixed, other, w).status, SolveStatus::infeasible) << entry.name;
  }
}

TEST(BlockPivotingSolver, FactorsLargeMatricesThatAreNotSymmetricSparse) {
  for (const std::size_t n : {101U, 2000U, 6000U}) {
    Generator generator(n);
    const BlockSparseMatrix M = randomTridiagonal(generator, n);
    Vector z(n), w(n), lower(n), upper(n), q(n);
    for (std::size_t i = 0; i < n; ++i) {
      lower(i) = -0.2;
      upper(i) = 0.1;
      const std::size_t kind = generator() % 3;
      z(i) = kind == 0 ? lower(i) : (kind == 1 ? upper(i) : 0.05);
      w(i) = kind == 0 ? 1. : (kind == 1 ? -1. : 0.);
    }
    M.multiply(data(z), data(q));
    const RelayProblem problem(M, Vector(w - q), lower, upper);
    for (const bool automatic : {false, true}) {
      BlockPivotingSolver pivoting;
      AutomaticBoxSolver chain;
      SolverOverSets& solver = automatic ? static_cast<SolverOverSets&>(chain) : pivoting;
      Vector found, dual;
      const SolveReport report = solver.solve(problem, found, dual);
      ASSERT_TRUE(report.converged()) << report.summary();
      // Conditions are below a hundred.
      expectNear(found, z, 1e-12);
      EXPECT_EQ(solver.solve(problem, found, dual).iterations, 1U);
      if (automatic) {
        EXPECT_EQ(report.solver, "BlockPivotingSolver");
      }
    }
  }
}

TEST(AutomaticBoxSolver, SweepsFullMatricesThatAreTooLargeToCopy) {
  Generator generator(5);
  const std::size_t n = 80;
  Matrix M = randomMatrix(generator, n, n);
  for (std::size_t i = 0; i < n; ++i) M(i, i) = static_cast<double>(n);
  Vector upper(n);
  for (double& entry : upper.data()) entry = 0.001;
  const RelayProblem problem(M, randomVector(generator, n), Vector(-upper), upper);
  AutomaticBoxOptions options;
  options.denseSize = n - 1;
  AutomaticBoxSolver solver(options);
  Vector z, w;
  const SolveReport report = solver.solve(problem, z, w);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.solver, "ProjectedGaussSeidelSolver");
  BlockPivotingOptions small;
  small.denseSize = n - 1;
  z = Vector();
  EXPECT_EQ(BlockPivotingSolver(small).solve(problem, z, w).status, SolveStatus::unsupported);
}

TEST(RelayProblem, HasAnErrorThatIsInfiniteWhereWOverflows) {
  // w = inf, which the lower bound would hide.
  const RelayProblem problem(makeMatrix({{1e200}}), makeVector({1.}), makeVector({1e200}), makeVector({infinity}));
  Vector w;
  EXPECT_EQ(errorOf(problem, ErrorMeasure::published, makeVector({1e200}), w), infinity);
}

}  // namespace
