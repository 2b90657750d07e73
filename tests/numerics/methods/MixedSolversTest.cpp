// SPDX-License-Identifier: Apache-2.0
//
// What holds for the MLCP solvers, on random problems with known answers, redundant, degenerate and without solution.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/EnumerationSolver.hpp>
#include <delassus/numerics/methods/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <delassus/numerics/methods/LeastNormSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <string>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

using Problem = MixedLinearComplementarityProblem;
using Row = Problem::Row;

struct KnownMlcp {
  Problem problem;
  Vector z;
};

// Rows in random order; of the pairs one in two + `degenerate` has z > 0, one w > 0, the others neither.
KnownMlcp withAnswer(Generator& generator, const Matrix& M, std::size_t equalities, std::size_t degenerate) {
  const std::size_t n = M.size1();
  std::vector<Row> rows(n, Row::complementarity);
  std::fill_n(rows.begin(), equalities, Row::equality);
  std::shuffle(rows.begin(), rows.end(), generator);
  Vector z = randomVector(generator, n);
  Vector q(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (rows[i] == Row::equality) continue;
    const std::size_t kind = generator() % (2 + degenerate);
    const double value = 0.1 + std::abs(z(i));
    z(i) = kind == 0 ? value : 0.;
    q(i) = kind == 1 ? value : 0.;
  }
  multiply(-1., M, z, 1., q);
  return {Problem(M, q, rows), z};
}

template <class Method>
void expectAnswer(Method&& method, const KnownMlcp& known, std::size_t seed, bool unique = true) {
  Vector z, w;
  const SolveReport report = method.solve(known.problem, z, w);
  ASSERT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  // Conditions are below some thousands, at a tolerance of 1e-8.
  if (unique) expectNear(z, known.z, 1e-4);
}

TEST(MlcpsWithDefiniteMatrices, AreSolvedByEverySolver) {
  for (std::size_t seed = 0; seed < 80; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 12;
    const Matrix M = seed % 2 == 0 ? randomSemidefinite(generator, n, n, 0.5) : randomPositiveDefinite(generator, n);
    const KnownMlcp known = withAnswer(generator, M, seed % (n + 1), seed % 3 == 0 ? 1 : 0);
    expectAnswer(AutomaticBoxSolver(), known, seed);
    expectAnswer(DirectSolver(), known, seed);
    expectAnswer(EnumerationSolver(), known, seed);
    expectAnswer(FischerBurmeisterSolver(), known, seed);
    expectAnswer(LcpFormSolver(), known, seed);
    expectAnswer(LeastNormSolver(), known, seed);
    if (seed % 2 == 0) expectAnswer(*solverNamed<Problem>("pgs"), known, seed);
  }
}

// Saddle points: the equality block is zero, as that of perfect joints, or of the nodes of a circuit.
KnownMlcp saddlePoint(Generator& generator, std::size_t n, std::size_t equalities) {
  Matrix M = randomSemidefinite(generator, n, n, 0.5);
  for (std::size_t j = 0; j < equalities; ++j) {
    for (std::size_t i = 0; i < equalities; ++i) M(i, j) = 0.;
    for (std::size_t i = equalities; i < n; ++i) M(j, i) = -M(i, j);
  }
  Vector z = randomVector(generator, n);
  Vector q(n);
  std::vector<Row> rows(n, Row::equality);
  for (std::size_t i = equalities; i < n; ++i) {
    rows[i] = Row::complementarity;
    // More positive unknowns than equalities, so that the equalities determine the free ones.
    z(i) = i % 3 != 0 ? 0.1 + std::abs(z(i)) : 0.;
    q(i) = i % 3 == 0 ? 0.5 : 0.;
  }
  multiply(-1., M, z, 1., q);
  return {Problem(M, q, rows), z};
}

TEST(MlcpsWithASingularEqualityBlock, AreSolvedByEliminationThatSwapsPairs) {
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 9 + seed % 10;
    const KnownMlcp known = saddlePoint(generator, n, 1 + seed % 3);
    expectAnswer(LcpFormSolver(), known, seed);
    expectAnswer(DirectSolver(), known, seed);
    expectAnswer(AutomaticBoxSolver(), known, seed);
    Vector z, w;
    EXPECT_EQ(solverNamed<Problem>("pgs")->solve(known.problem, z, w).status, SolveStatus::numericalFailure);
  }
}

// A block of rounding alone has a good condition by itself; a single pair that is swapped leaves no other.
TEST(MlcpsWithASingularEqualityBlock, AreNotTakenForRegularWhereTheBlockIsRounding) {
  for (const double noise : {0., 1e-17, -1e-17}) {
    const Problem problem(makeMatrix({{noise, 1.}, {-1., 1.}}), Vector{-1., 0.5},
                          {Row::equality, Row::complementarity});
    Vector z, w;
    const SolveReport report = LcpFormSolver().solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << noise << ": " << report.summary();
    expectNear(z, Vector{1.5, 1.}, 1e-12);
  }
}

// min ½ |u|² + ... with every equality row twice: [A C; A C; D B].
Problem withRedundantRows(Generator& generator, std::size_t free, std::size_t pairs, bool contradict) {
  const std::size_t size = free + pairs;
  const Matrix S = randomSemidefinite(generator, size, size, 0.5);
  Matrix M(2 * free + pairs, size);
  Vector q = randomVector(generator, 2 * free + pairs);
  for (std::size_t i = 0; i < free; ++i) {
    for (std::size_t j = 0; j < size; ++j) M(i, j) = M(free + i, j) = S(i, j);
    q(free + i) = q(i);
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    for (std::size_t j = 0; j < size; ++j) M(2 * free + i, j) = S(free + i, j);
  }
  if (contradict) q(free) += 1.;
  std::vector<Row> rows(2 * free, Row::equality);
  rows.resize(2 * free + pairs, Row::complementarity);
  return {M, q, rows};
}

TEST(RectangularMlcps, WithRedundantRowsAreSolved) {
  for (std::size_t seed = 0; seed < 40; ++seed) {
    Generator generator(seed);
    const Problem problem = withRedundantRows(generator, 1 + seed % 4, 1 + seed % 5, false);
    const auto expectSolved = [&](SolverOverSets&& solver) {
      Vector z, w;
      const SolveReport report = solver.solve(problem, z, w);
      EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
    };
    expectSolved(AutomaticBoxSolver());
    expectSolved(LcpFormSolver());
    expectSolved(LeastNormSolver());
    expectSolved(EnumerationSolver());
    expectSolved(FischerBurmeisterSolver());
  }
}

TEST(RectangularMlcps, WithContradictingRowsAreInfeasible) {
  for (std::size_t seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const Problem problem = withRedundantRows(generator, 1 + seed % 4, 1 + seed % 5, true);
    Vector z, w;
    const SolveReport report = AutomaticBoxSolver().solve(problem, z, w);
    EXPECT_EQ(report.status, SolveStatus::infeasible) << "seed " << seed << ": " << report.summary();
    EXPECT_EQ(report.reason, "equality rows contradict each other");
  }
}

TEST(LeastNormSolver, GivesEqualSharesWhereForcesAreNotUnique) {
  // Two equal supports of one load: u₁ + u₂ = 1, written once per support as a compliance would be, and a pair.
  const Matrix M = makeMatrix({{1., 1., 0.}, {1., 1., 0.}, {0., 0., 1.}});
  const Problem problem(M, makeVector({-1., -1., -2.}), {Row::equality, Row::equality, Row::complementarity});
  LeastNormSolver solver;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  expectNear(z, makeVector({0.5, 0.5, 2.}), 1e-12);
  ASSERT_TRUE(AutomaticBoxSolver().solve(problem, z, w).converged());
}

TEST(LeastNormSolver, TakesFewerEqualitiesThanFreeUnknowns) {
  // u₁ + u₂ − v = 0 with 0 ≤ v ⟂ v − 1 + 0·u ≥ 0: v = 1, u = (½, ½).
  const Problem problem(makeMatrix({{1., 1., -1.}, {0., 0., 1.}}), makeVector({0., -1.}),
                        {Row::equality, Row::complementarity});
  LeastNormSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem, z, w);
  ASSERT_TRUE(report.converged()) << report.summary();
  expectNear(z, makeVector({0.5, 0.5, 1.}), 1e-12);
}

TEST(LcpFormSolver, ResolvesAPairBySurplusFreeUnknowns) {
  // w = u − 1 with u bound by nothing else: u = 1 and v = 0 is a solution.
  const Problem problem(makeMatrix({{1., 0.}}), makeVector({-1.}), {Row::complementarity});
  Vector z, w;
  EXPECT_TRUE(LcpFormSolver().solve(problem, z, w).converged());
  EXPECT_TRUE(AutomaticBoxSolver().solve(problem, z, w).converged());
}

TEST(MlcpsWithoutSolution, AreSaidToHaveNone) {
  // u = v − 1 ... with w = −v + 0·u − 1, which no v ≥ 0 makes nonnegative.
  const Problem problem(makeMatrix({{1., -1.}, {0., -1.}}), makeVector({1., -1.}),
                        {Row::equality, Row::complementarity});
  for (const auto& entry : solversFor<Problem>()) {
    Vector z, w;
    const SolveReport report = entry.make({})->solve(problem, z, w);
    EXPECT_FALSE(report.converged()) << entry.name;
    EXPECT_FALSE(report.reason.empty()) << entry.name;
    if (entry.name == "automatic" || entry.name == "reduction" || entry.name == "direct" ||
        entry.name == "enumeration") {
      EXPECT_EQ(report.status, SolveStatus::infeasible) << entry.name << ": " << report.summary();
    }
  }
}

TEST(DirectSolver, FindsARememberedActiveSetAtOnce) {
  Generator generator(4);
  const KnownMlcp known = withAnswer(generator, randomPositiveDefinite(generator, 10), 4, 0);
  Problem problem = known.problem;
  DirectSolver solver;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  for (int step = 0; step < 5; ++step) {
    problem.q() *= 1.01;
    const SolveReport report = solver.solve(problem, z, w);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 1U);
  }
  // A new M of the same structure: the set is tried with a new factor.
  double* const entries = problem.M().block(0);  // the blocks lie together
  for (std::size_t k = 0; k < problem.M().storedEntries(); ++k) entries[k] *= 2.;
  problem.M().touch();
  const SolveReport report = solver.solve(problem, z, w);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 1U);
}

TEST(DirectSolver, SurvivesAChangeOfSize) {
  DirectSolver solver;
  for (std::size_t n = 2; n < 20; ++n) {
    Generator generator(n);
    expectAnswer(solver, withAnswer(generator, randomPositiveDefinite(generator, n), n / 2, 0), n);
  }
}

TEST(DirectSolver, RemembersASetOnce) {
  // w = z + q in two pairs: four sets. With a memory of two, sets that come again must not push each other out.
  DirectOptions options;
  options.memory = 2;
  DirectSolver solver(options);
  const auto solve = [&](double first, double second) {
    const Problem problem(identityMatrix(2), makeVector({first, second}), {Row::complementarity, Row::complementarity});
    Vector z, w;
    const SolveReport report = solver.solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    return report.iterations;
  };
  for (int k = 0; k < 3; ++k) {
    solve(-1., 1.);
    solve(1., -1.);
  }
  EXPECT_EQ(solve(1., -2.), 1U);
  EXPECT_EQ(solve(-2., 1.), 2U);
}

TEST(MixedProblems, KnowTheirRowsByTheBoundsOfBoxes) {
  const double infinity = std::numeric_limits<double>::infinity();
  Problem problem;
  problem.parts() = {Part::box(2), Part::orthant(1)};
  problem.M() = partedBy({2, 1}, BlockSparseMatrix(makeMatrix({{2., 1., 0.}, {1., 2., 1.}, {0., 1., 2.}})));
  problem.q() = makeVector({-1., -1., -1.});
  problem.lower() = makeVector({-infinity, 0., 5.});  // those of an orthant do not count
  problem.upper() = Vector(3, infinity);
  problem.validate();
  EXPECT_EQ(problem.row(0), Row::equality);
  EXPECT_EQ(problem.row(1), Row::complementarity);
  EXPECT_EQ(problem.row(2), Row::complementarity);
  // The same in a file.
  const std::string path = testing::TempDir() + "mixed_of_boxes.dat";
  writeProblem(path, problem, FileFormat::text);
  const Problem read = readMlcp(path);
  Vector z, w, other;
  ASSERT_TRUE(AutomaticBoxSolver().solve(problem, z, w).converged());
  ASSERT_TRUE(AutomaticBoxSolver().solve(read, other, w).converged());
  expectNear(other, z, 1e-12);
  problem.upper()(1) = 3.;
  EXPECT_THROW(problem.validate(), Error);
}

TEST(MixedProblems, HaveAnErrorThatIsInfiniteWhereWOrTheDataOverflow) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Row> rows(2, Row::complementarity);
  Vector w;
  const Problem problem(makeMatrix({{1e200, -1e200}, {0., 1.}}), makeVector({1., 1.}), rows);
  EXPECT_EQ(errorOf(problem, ErrorMeasure::published, makeVector({1e200, 1e200}), w), infinity);
  const double largest = std::numeric_limits<double>::max();
  const Problem beyond(identityMatrix(2), makeVector({largest, largest}), rows);
  EXPECT_EQ(errorOf(beyond, ErrorMeasure::published, makeVector({1., 0.}), w), infinity);
}

}  // namespace
