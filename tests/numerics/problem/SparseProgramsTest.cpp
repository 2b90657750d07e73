// SPDX-License-Identifier: Apache-2.0
//
// Mixed problems given by sparse matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <string>
#include <support/ExtendedResiduals.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

using Row = MixedLinearComplementarityProblem::Row;

// Heat in a rod, −u'' = 1 on n nodes between cold ends, that a row of obstacles keeps below some height: an equation a
// node, where an obstacle stands also a force λ ≥ 0.
struct Rod {
  SparseMatrix M;
  Vector q;
  std::vector<Row> rows;

  Rod(std::size_t nodes, std::size_t obstacles) : q(nodes + obstacles), rows(nodes + obstacles, Row::equality) {
    const double h = 1. / static_cast<double>(nodes + 1);
    std::vector<Triplet> entries;
    for (std::size_t i = 0; i < nodes; ++i) {
      entries.push_back({i, i, 2. / h});
      if (i > 0) entries.push_back({i, i - 1, -1. / h});
      if (i + 1 < nodes) entries.push_back({i, i + 1, -1. / h});
      q(i) = -h;
    }
    for (std::size_t k = 0; k < obstacles; ++k) {
      const std::size_t node = (k + 1) * nodes / (obstacles + 1);
      entries.push_back({node, nodes + k, 1.});
      entries.push_back({nodes + k, node, -1.});
      q(nodes + k) = 0.1;
      rows[nodes + k] = Row::complementarity;
    }
    M = sparseFromTriplets(nodes + obstacles, nodes + obstacles, entries);
  }
};

TEST(SparseMixedProblems, HaveTheAnswerOfDenseOnes) {
  const Rod rod(40, 5);
  const MixedLinearComplementarityProblem sparse(rod.M, rod.q, rod.rows);
  const MixedLinearComplementarityProblem dense(toDense(rod.M), rod.q, rod.rows);
  Vector expected, dual;
  ASSERT_TRUE(AutomaticBoxSolver({.tolerance = 1e-12}).solve(dense, expected, dual).converged());
  const auto expectSolves = [&](auto solver) {
    Vector z, w;
    const SolveReport report = solver.solve(sparse, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    EXPECT_LE(extendedResidual(sparse, z), 1e-10L);
    expectNear(z, expected, 1e-7);
  };
  expectSolves(SparseEliminationSolver({.tolerance = 1e-10}));
  expectSolves(NewtonSolver({.tolerance = 1e-10}));
  expectSolves(AutomaticMechanicalSolver({.tolerance = 1e-10}));
}

TEST(SparseMixedProblems, AreSolvedWithThousandsOfEquations) {
  const Rod rod(20000, 30);
  const MixedLinearComplementarityProblem problem(rod.M, rod.q, rod.rows);
  const auto expectSolves = [&](auto solver) {
    Vector z, w;
    const SolveReport report = solver.solve(problem, z, w);
    ASSERT_TRUE(report.converged()) << report.summary();
    // Below the obstacles everywhere at them, and at some of them in touch.
    double force = 0.;
    for (std::size_t k = 20000; k < z.size(); ++k) {
      EXPECT_GE(w(k), -1e-6);
      force += z(k);
    }
    EXPECT_GT(force, 0.1);
  };
  expectSolves(SparseEliminationSolver());
  expectSolves(AutomaticMechanicalSolver());
}

TEST(SparseEliminationSolver, KeepsItsFactorsAndSeesNewDataAndSets) {
  const Rod rod(60, 4);
  MixedLinearComplementarityProblem problem(rod.M, rod.q, rod.rows);
  SparseEliminationSolver solver;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  for (double& entry : problem.q().data()) entry *= 0.5;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  EXPECT_LE(extendedResidual(problem, z), 1e-8L);
  // The first obstacle becomes a bar that holds the rod.
  problem.parts()[60] = Part::equality(1);
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  EXPECT_NEAR(w(60), 0., 1e-8);
  *problem.W().block(0) *= 2.;
  problem.W().touch();
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  EXPECT_LE(extendedResidual(problem, z), 1e-8L);
}

TEST(SparseEliminationSolver, TakesBoxesAndContactsBesideTheEquations) {
  Generator generator(22);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Part> parts{Part::equality(6), Part::box(2), Part::coulomb(3, 0.4), Part::equality(3)};
    const GenericMechanicalProblem problem(randomSemidefinite(generator, 14, 14, 0.3), randomVector(generator, 14),
                                           parts, Vector(14, -0.1), Vector(14, 0.2));
    Vector lambda, w;
    const SolveReport report = SparseEliminationSolver().solve(problem, lambda, w);
    ASSERT_TRUE(report.converged()) << trial << ": " << report.summary();
    EXPECT_LE(extendedResidual(problem, lambda), 1e-8L);
  }
}

// As a checkpoint does it: the restored solver goes on with the same remembered sets.
TEST(SparseEliminationSolver, GoesOnAfterACheckpointAsItWould) {
  const Rod rod(60, 4);
  MixedLinearComplementarityProblem problem(rod.M, rod.q, rod.rows);
  SparseEliminationSolver solver, restored;
  Vector z, w;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  MemoryArchive saved;
  solver.serializeState(saved);
  MemoryArchive read(saved.bytes());
  restored.serializeState(read);
  EXPECT_TRUE(read.isAtEnd());
  for (double& entry : problem.q().data()) entry *= 0.9;
  Vector same = z;
  ASSERT_TRUE(solver.solve(problem, z, w).converged());
  ASSERT_TRUE(restored.solve(problem, same, w).converged());
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z(i), same(i)) << i;
}

TEST(SparseEliminationSolver, RefusesWhatItDoesNotTake) {
  Vector z, w;
  const GenericMechanicalProblem huge(makeMatrix({{1e-200, 1e200}, {1e200, 1.}}), Vector{1., 1.},
                                      {Part::equality(1), Part::orthant(1)});
  EXPECT_EQ(SparseEliminationSolver().solve(huge, z, w).status, SolveStatus::numericalFailure);
  z = Vector();
  EXPECT_EQ(MechanicalEliminationSolver().solve(huge, z, w).status, SolveStatus::numericalFailure);
  z = Vector();
  EXPECT_NO_THROW(AutomaticMechanicalSolver().solve(huge, z, w));
  z = Vector();
  const GenericMechanicalProblem free(identityMatrix(2), Vector(2, 1.), {Part::box(2)});
  // Without equalities there is nothing to eliminate.
  EXPECT_TRUE(SparseEliminationSolver().solve(free, z, w).converged());
  z = Vector();
  const GenericMechanicalProblem singular(makeMatrix({{0., 0.}, {0., 1.}}), Vector{1., 1.},
                                          {Part::equality(1), Part::box(1)}, Vector(2));
  const SolveReport report = SparseEliminationSolver().solve(singular, z, w);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure);
  EXPECT_NE(report.summary().find("singular"), std::string::npos) << report.summary();
  expectError([] { SparseEliminationSolver({.tolerance = 0.}); }, {"SparseEliminationSolver", "tolerance"});
  expectError(
      [] {
        MixedLinearComplementarityProblem(sparseFromDense(Matrix(2, 3)), Vector(2), {2, Row::equality});
      },
      {"M"});
}

}  // namespace
