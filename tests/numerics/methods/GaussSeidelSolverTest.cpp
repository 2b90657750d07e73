// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// Every method with every relaxation for which it converges on symmetric positive definite matrices, and with momentum.
template <class Solver, class Problem>
void expectSolves(const Problem& problem, const std::vector<double>& relaxations) {
  std::vector<std::pair<double, bool>> cases{{1., true}};
  for (const double relaxation : relaxations) cases.emplace_back(relaxation, false);
  for (const auto& [relaxation, momentum] : cases) {
    auto options = [] {
      if constexpr (std::is_same_v<Problem, FrictionContactProblem>)
        return NonsmoothGaussSeidelOptions();
      else
        return GaussSeidelOptions();
    }();
    options.tolerance = 1e-8;
    options.maxIterations = 20000;
    options.relaxation = relaxation;
    options.momentum = momentum;
    Solver solver(options);
    Vector unknown, dual;
    const SolveReport report = solver.solve(problem, unknown, dual);
    EXPECT_TRUE(report.converged()) << solver.name() << ", relaxation " << relaxation
                                    << (momentum ? ", momentum: " : ": ") << report.summary();
  }
}

// Half of the rows are coupled by the other half's blocks: four of three rows.
BlockSparseMatrix inBlocks(const Matrix& dense) {
  return partedBy({3, 3, 3, 3}, BlockSparseMatrix(dense));
}

TEST(GaussSeidel, TakesRelaxationAndMomentumInAllClasses) {
  const std::vector<double> usual{0.7, 1., 1.5, 1.9};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Generator generator(seed);
    const Matrix M = randomSemidefinite(generator, 12, 12, 0.3);
    const Vector q = randomVector(generator, 12);
    const LinearComplementarityProblem lcp(inBlocks(M), q);
    expectSolves<ProjectedGaussSeidelSolver>(lcp, usual);
    expectSolves<BlockGaussSeidelSolver>(lcp, {0.7, 1., 1.2});
    expectSolves<ProjectedGaussSeidelSolver>(RelayProblem(inBlocks(M), q, Vector(12, -0.1), Vector(12, 0.2)), usual);
    expectSolves<MechanicalGaussSeidelSolver>(
        GenericMechanicalProblem(inBlocks(M), q, std::vector<Part>(4, Part::box(3)), Vector(12, -0.1), Vector(12, 0.2)),
        usual);
    expectSolves<MechanicalGaussSeidelSolver>(
        GenericMechanicalProblem(M, q, std::vector<Part>(12, Part::box(1)), Vector(12, -0.1), Vector(12, 0.2)), usual);
    const FrictionContactProblem contacts(3, inBlocks(M), q, Vector(4, 0.3));
    expectSolves<NonsmoothGaussSeidelSolver>(contacts, {0.7, 1.});
  }
}

TEST(GaussSeidel, RefusesMomentumWithRelaxation) {
  expectError([] { ProjectedGaussSeidelSolver({.relaxation = 1.5, .momentum = true}); },
              {"ProjectedGaussSeidelSolver", "momentum", "1.5"});
}

TEST(GaussSeidel, TakesRelaxationAndMomentumOnMixedProblems) {
  using Mixed = MixedLinearComplementarityProblem;
  Generator generator(5);
  std::vector<Mixed::Row> rows(12, Mixed::Row::complementarity);
  for (std::size_t i = 0; i < 3; ++i) rows[i] = Mixed::Row::equality;
  const Mixed problem(randomSemidefinite(generator, 12, 12, 0.3), randomVector(generator, 12), rows);
  std::vector<std::size_t> sweeps;
  for (const auto& [name, value] : {std::pair("relaxation", "0.7"), {"relaxation", "1"}, {"momentum", "true"}}) {
    SolverSettings settings;
    settings.options.add(name, std::string_view(value));
    Vector z, w;
    const SolveReport report = solverNamed<Mixed>("pgs", settings)->solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << name << ' ' << value << ": " << report.summary();
    sweeps.push_back(report.iterations);
  }
  EXPECT_GT(sweeps[0], sweeps[1]);
}

// A chain that is pushed at one end: a plain sweep carries the push from mass to mass.
TEST(GaussSeidel, NeedsFewerSweepsWithMomentum) {
  constexpr std::size_t n = 60;
  Matrix M(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    M(i, i) = 2.;
    if (i > 0) M(i, i - 1) = M(i - 1, i) = -1.;
  }
  Vector q(n);
  q(n - 1) = -1.;
  const LinearComplementarityProblem problem(M, q);
  const auto sweeps = [&](bool momentum) {
    Vector z, w;
    GaussSeidelOptions options{.tolerance = 1e-8, .maxIterations = 100000, .momentum = momentum};
    const SolveReport report = ProjectedGaussSeidelSolver(options).solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    return report.iterations;
  };
  EXPECT_LT(5 * sweeps(true), sweeps(false));
}

// Beyond a bound no row comes to stand, however far it is sent.
TEST(GaussSeidel, EndsInsideTheBounds) {
  Generator generator(4);
  const Matrix M = randomSemidefinite(generator, 12, 12, 0.1);
  const GenericMechanicalProblem problem(M, randomVector(generator, 12), std::vector<Part>(12, Part::box(1)),
                                         Vector(12, -0.1), Vector(12, 0.2));
  MechanicalGaussSeidelSolver solver({.maxIterations = 3, .relaxation = 1.9});
  Vector lambda, w;
  solver.solve(problem, lambda, w);
  for (const double entry : lambda) {
    EXPECT_GE(entry, -0.1);
    EXPECT_LE(entry, 0.2);
  }
}

// The sources of a circuit stand in its equality rows: the change of the pairs is judged by what these do to them, in
// whatever units.
TEST(GaussSeidel, JudgesTheChangeOfPairsByTheirData) {
  Generator generator(6);
  const Matrix M = randomSemidefinite(generator, 6, 6, 0.5);
  Vector q(6);
  q(0) = 1e-20;
  q(1) = -2e-20;
  using Row = MixedLinearComplementarityProblem::Row;
  const MixedLinearComplementarityProblem problem(M, q,
                                                  {Row::equality, Row::equality, Row::complementarity,
                                                   Row::complementarity, Row::complementarity, Row::complementarity});
  Vector z, w;
  const SolveReport report = solverNamed<MixedLinearComplementarityProblem>("pgs")->solve(problem, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
}

}  // namespace
