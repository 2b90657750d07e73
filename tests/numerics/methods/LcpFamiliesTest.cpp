// SPDX-License-Identifier: Apache-2.0
//
// Random LCPs with known answers, by classes of M, and problems that have none.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// An LCP with the solution z and its w: of every `degenerate` + 2 pairs one has z > 0, one w > 0, the others neither.
struct KnownLcp {
  LinearComplementarityProblem problem;
  Vector z, w;
};

KnownLcp withAnswer(Generator& generator, const Matrix& M, std::size_t degenerate) {
  const std::size_t n = M.size1();
  KnownLcp known;
  known.z = Vector(n);
  known.w = Vector(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t kind = generator() % (2 + degenerate);
    const double value = 0.1 + std::abs(randomVector(generator, 1)(0));
    if (kind == 0) known.z(i) = value;
    if (kind == 1) known.w(i) = value;
  }
  Vector q = known.w;
  multiply(-1., M, known.z, 1., q);
  known.problem = {M, q};
  return known;
}

// A P-matrix that is neither symmetric nor positive definite: row-diagonally dominant, with large skew parts.
Matrix randomPMatrix(Generator& generator, std::size_t n) {
  Matrix M = randomMatrix(generator, n, n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j < n; ++j) sum += j == i ? 0. : std::abs(M(i, j));
    M(i, i) = sum + 0.1;
    const double scale = std::pow(10., 2. * randomVector(generator, 1)(0));
    for (std::size_t j = 0; j < n; ++j) M(i, j) *= scale;
  }
  return M;
}

template <class Method>
void expectAnswers(Method&& method, const KnownLcp& known, bool unique, std::size_t seed) {
  Vector z, w;
  const SolveReport report = method.solve(known.problem, z, w);
  ASSERT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
  // The scale of the data is 1 and conditions are below some thousands, at a tolerance of 1e-8.
  if (unique) expectNear(z, known.z, 1e-4);
}

TEST(LcpsWithPMatrices, AreSolvedByLemkeNewtonAndAutomatic) {
  for (std::size_t seed = 0; seed < 100; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed % 30;
    const KnownLcp known = withAnswer(generator, randomPMatrix(generator, n), seed % 2);
    expectAnswers(LemkeSolver(), known, true, seed);
    expectAnswers(NewtonSolver(NewtonOptions::afterSweeps()), known, true, seed);
    expectAnswers(FischerBurmeisterSolver(), known, true, seed);
    expectAnswers(AutomaticBoxSolver(), known, true, seed);
  }
}

TEST(LcpsWithSymmetricDefiniteMatrices, AreSolvedByEverySolverOfThatClass) {
  for (std::size_t seed = 0; seed < 40; ++seed) {
    Generator generator(seed);
    const std::size_t n = 1 + seed;
    const KnownLcp known = withAnswer(generator, randomSemidefinite(generator, n, n, 0.5), 0);
    expectAnswers(LcpActiveSetSolver(), known, true, seed);
    expectAnswers(LcpInteriorPointSolver(), known, true, seed);
    expectAnswers(LcpProximalSolver(), known, true, seed);
    expectAnswers(BlockGaussSeidelSolver(), known, true, seed);
    expectAnswers(NewtonSolver(NewtonOptions::afterSweeps()), known, true, seed);
    expectAnswers(FischerBurmeisterSolver(), known, true, seed);
    expectAnswers(AutomaticBoxSolver(), known, true, seed);
  }
}

TEST(LcpsWithSemidefiniteMatricesOfDeficientRank, AreSolvedWithUniqueW) {
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 2 + seed % 40;
    const KnownLcp known = withAnswer(generator, randomSemidefinite(generator, n, 1 + n / 3), seed % 3);
    const auto expectW = [&](SolverOverSets&& solver, double tolerance) {
      Vector z, w;
      const SolveReport report = solver.solve(known.problem, z, w);
      EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.summary();
      expectNear(w, known.w, tolerance);
    };
    expectW(LcpActiveSetSolver(), 1e-9);
    expectW(LcpInteriorPointSolver(), 1e-4);
    expectW(LcpProximalSolver(), 1e-4);
    expectW(FischerBurmeisterSolver(), 1e-4);
    expectW(LemkeSolver(), 1e-6);
    expectW(AutomaticBoxSolver(), 1e-4);
  }
}

TEST(LcpsWithMonotoneMatricesOfDeficientRank, AreSolvedByInteriorPointAndAutomatic) {
  // Not symmetric: a semidefinite part of small rank and a skew part.
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 2 + seed % 30;
    Matrix M = randomSemidefinite(generator, n, 1 + n / 4);
    const Matrix skew = randomMatrix(generator, n, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) M(i, j) += skew(i, j) - skew(j, i);
    }
    const KnownLcp known = withAnswer(generator, M, seed % 2);
    expectAnswers(LcpInteriorPointSolver(), known, false, seed);
    expectAnswers(AutomaticBoxSolver(), known, false, seed);
  }
}

TEST(LcpsWithCopositiveMatrices, AreSolvedByLemkeAndAutomatic) {
  // Strictly copositive, indefinite: nonnegative with positive diagonal. Every q has a solution, mostly several.
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 2 + seed % 20;
    Matrix M = randomMatrix(generator, n, n);
    for (double& entry : M.data()) entry = std::abs(entry);
    for (std::size_t i = 0; i < n; ++i) M(i, i) = 0.2;
    const LinearComplementarityProblem problem(M, randomVector(generator, n));
    Vector z, w;
    LemkeSolver lemke;
    EXPECT_TRUE(lemke.solve(problem, z, w).converged()) << seed;
    AutomaticBoxSolver automatic;
    const SolveReport report = automatic.solve(problem, z, w);
    EXPECT_TRUE(report.converged()) << seed << report.summary();
  }
}

TEST(LcpsWithoutSolution, AreSaidToHaveNone) {
  // A semidefinite M with a direction y ≥ 0 of its kernel, and q with qᵀy < 0.
  for (std::size_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    const std::size_t n = 3 + seed % 20;
    Matrix B = randomMatrix(generator, n, n - 1);
    for (std::size_t k = 0; k + 1 < n; ++k) {
      // Columns orthogonal to (1, …, 1).
      double mean = 0.;
      for (std::size_t i = 0; i < n; ++i) mean += B(i, k) / static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i) B(i, k) -= mean;
    }
    Matrix M(n, n);
    multiply(1., B, Matrix(boost::numeric::ublas::trans(B)), 0., M);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) M(i, j) = M(j, i);
    }
    Vector q = randomVector(generator, n);
    double sum = 0.;
    for (const double entry : q) sum += entry;
    q(0) -= sum + 0.5;
    const LinearComplementarityProblem problem(M, q);
    Vector ones(n);
    for (double& entry : ones.data()) entry = 1.;
    EXPECT_TRUE(provesInfeasible(problem, ones));
    const auto expectInfeasible = [&](SolverOverSets&& solver) {
      Vector z, w;
      const SolveReport report = solver.solve(problem, z, w);
      EXPECT_EQ(report.status, SolveStatus::infeasible) << "seed " << seed << ": " << report.summary();
    };
    expectInfeasible(LcpActiveSetSolver());
    expectInfeasible(LcpInteriorPointSolver());
    expectInfeasible(LemkeSolver());
    expectInfeasible(AutomaticBoxSolver());
  }
}

TEST(LcpsWithoutSolution, AreSaidToHaveNoneAlsoWhereMIsNotSymmetric) {
  // Row 1 asks for w = −z₂ − 1 ≥ 0.
  AutomaticBoxSolver automatic;
  Vector z, w;
  const SolveReport report =
      automatic.solve(LinearComplementarityProblem{makeMatrix({{0., -1.}, {1., 1.}}), makeVector({-1., 0.})}, z, w);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
}

TEST(provesInfeasible, RefusesWhatProvesNothing) {
  const LinearComplementarityProblem problem(identityMatrix(2), makeVector({-1., 1.}));
  EXPECT_FALSE(provesInfeasible(problem, makeVector({1., 0.})));
  EXPECT_FALSE(provesInfeasible(problem, makeVector({0., 0.})));
  expectError([&] { provesInfeasible(problem, Vector(3)); }, {"size 2", "size 3"});
}

TEST(NewtonSolver, DoesNotCycleWhereTheUndampedMethodDoes) {
  // Ben Gharbia and Gilbert, 2012: a P-matrix on which the method goes round three points.
  const Matrix M = makeMatrix({{1., 0., 2.}, {2., 1., 0.}, {0., 2., 1.}});
  NewtonSolver solver;
  for (std::size_t start = 0; start < 8; ++start) {
    Vector z(3);
    for (std::size_t i = 0; i < 3; ++i) z(i) = (start >> i) & 1U ? 1. : 0.;
    Vector w;
    const SolveReport report = solver.solve(LinearComplementarityProblem(M, makeVector({-1., -1., -1.})), z, w);
    EXPECT_TRUE(report.converged()) << start << ": " << report.summary();
  }
}

TEST(LcpProximalSolver, SolvesLargeSparseProblemsWithRedundantRows) {
  // A column of beads in which every contact stands twice: M = [K K; K K], ordered by contact.
  const std::size_t count = 2000;
  const BlockSparseMatrix K = columnMatrix(count);
  BlockSparseMatrix M;
  for (std::size_t i = 0; i < count; ++i) {
    M.beginRow(2);
    for (std::size_t k = K.rowBegin(i); k < K.rowEnd(i); ++k) M.addBlock(K.column(k));
  }
  M.finish();
  for (std::size_t k = 0; k < M.blockCount(); ++k) std::fill_n(M.block(k), 4, *K.block(k));
  M.touch();
  Vector q(2 * count);
  for (double& entry : q.data()) entry = 1e-3;
  q(0) = q(1) = -1.;
  AutomaticBoxSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(LinearComplementarityProblem{M, q}, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_EQ(report.solver, "LcpProximalSolver");
}

TEST(BlockGaussSeidelSolver, NeedsFewerSweepsThanTheScalarMethod) {
  // Strong coupling inside blocks of three, weak between them.
  Generator generator(3);
  const std::size_t blocks = 20;
  BlockSparseMatrix M;
  for (std::size_t i = 0; i < blocks; ++i) {
    M.beginRow(3);
    for (std::size_t j = 0; j < blocks; ++j) M.addBlock(j);
  }
  M.finish();
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t k = M.rowBegin(i); k < M.rowEnd(i); ++k) {
      for (std::size_t e = 0; e < 9; ++e) {
        M.block(k)[e] = M.column(k) != i ? 0.003 : (e % 4 == 0 ? 1. : 0.98);
      }
    }
  }
  M.touch();
  const LinearComplementarityProblem problem(M, randomVector(generator, 3 * blocks));
  Vector z, w;
  BlockGaussSeidelSolver blockwise;
  ProjectedGaussSeidelSolver scalar;
  const SolveReport byBlocks = blockwise.solve(problem, z, w);
  assignZero(z, z.size());
  const SolveReport byScalars = scalar.solve(problem, z, w);
  ASSERT_TRUE(byBlocks.converged() && byScalars.converged()) << byBlocks.summary() << byScalars.summary();
  EXPECT_LT(byBlocks.iterations, byScalars.iterations);
}

}  // namespace
