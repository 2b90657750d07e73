// SPDX-License-Identifier: Apache-2.0
//
// Problems in global form: W = Hᵀ M⁻¹ H as a product, with parts of any sets.
#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <support/ExtendedResiduals.hpp>
#include <support/Matchers.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// ‖M v − H λ − f‖ and ‖w − Hᵀ v − b‖ in the largest entry.
double equationsError(const SparseMatrix& M, const SparseMatrix& H, const Vector& f, const Vector& b, const Vector& v,
                      const Vector& lambda, const Vector& w) {
  Vector forces = f, velocities = b;
  multiply(1., H, lambda, 1., forces);
  multiply(-1., M, v, 1., forces);
  multiplyTransposed(1., H, v, 1., velocities);
  double error = normInf(forces);
  for (std::size_t i = 0; i < w.size(); ++i) error = std::max(error, std::abs(velocities(i) - w(i)));
  return error;
}

TEST(GlobalMechanicalProblem, SolvesRollingContactsBesideJointsAndLimits) {
  Generator generator(21);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t freedoms = 24;
    const std::vector<Part> parts{Part::rollingContact(3, 0.4, 0.1), Part::equality(2), Part::box(2),
                                  Part::rollingContact(2, 0.5, 0.2), Part::coulomb(3, 0.3)};
    const std::size_t rows = 5 + 2 + 2 + 3 + 3;
    const SparseMatrix M = sparseFromDense(randomPositiveDefinite(generator, freedoms));
    const SparseMatrix H = sparseFromDense(randomMatrix(generator, freedoms, rows));
    const Vector f = randomVector(generator, freedoms), b = randomVector(generator, rows);
    const GlobalMechanicalProblem problem(M, H, f, b, parts, Vector(rows, -0.1), Vector(rows, 0.2));
    Vector lambda, w;
    const SolveReport report = AutomaticMechanicalSolver().solve(problem, lambda, w);
    ASSERT_TRUE(report.converged()) << trial << ": " << report.summary();
    EXPECT_LE(extendedResidual(problem, lambda), 1e-8L);
    EXPECT_LE(equationsError(M, H, f, b, problem.velocities(lambda), lambda, w), 1e-10) << trial;
  }
}

TEST(GlobalMechanicalProblem, AgreesWithTheGlobalFormOfCoulombContacts) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Generator generator(seed);
    const KnownGlobalFriction known = randomGlobalFriction(generator, {.contacts = 6, .bodies = 12});
    const GlobalFrictionContactProblem& global = known.problem;
    std::vector<Part> parts;
    for (const double mu : global.mu()) parts.push_back(Part::coulomb(3, mu));
    const GlobalMechanicalProblem problem(global.M(), global.H(), global.f(), global.b(), parts);
    EXPECT_FALSE(problem.hasMatrix());
    Vector lambda, w, r, u;
    ASSERT_TRUE(AutomaticMechanicalSolver({.tolerance = 1e-10}).solve(problem, lambda, w).converged());
    EXPECT_LT(problem.matrix().blockCount(), parts.size() * parts.size());  // contacts without a common body
    ASSERT_TRUE(AutomaticGlobalSolver(1e-10).solve(global, r, u).converged());
    expectNear(w, u, 1e-6);
    expectNear(problem.velocities(lambda), known.generalised, 1e-6);
  }
}

TEST(GlobalMechanicalProblem, NamesWhatIsWrong) {
  const SparseMatrix one = sparseFromDense(identityMatrix(2));
  const SparseMatrix zero = sparseFromDense(Matrix(2, 2));
  expectError([&] { GlobalMechanicalProblem(one, one, Vector(3), Vector(2), {Part::box(2)}); }, {"M", "3 x 3"});
  expectError([&] { GlobalMechanicalProblem(one, one, Vector(2), Vector(3), {Part::box(3)}); }, {"H", "2 x 3"});
  expectError([&] { GlobalMechanicalProblem(one, one, Vector(2), Vector(2), {Part::box(3)}); }, {"parts", "2", "3"});
  expectError([&] { GlobalMechanicalProblem(zero, one, Vector(2), Vector(2), {Part::box(2)}); }, {"M", "singular"});
  const GlobalMechanicalProblem problem(one, one, Vector(2), Vector(2), {Part::box(2)});
  expectError([&] { static_cast<void>(problem.velocities(Vector(1))); }, {"λ", "size 2", "size 1"});
}

// Masses on springs in a row, of which `held` have a limit, every tenth a joint to the ground.
GlobalMechanicalProblem chain(std::size_t masses, std::size_t held, double stiffness) {
  std::vector<Triplet> M, H;
  for (std::size_t i = 0; i < masses; ++i) {
    M.push_back({i, i, 1. + 2. * stiffness});
    if (i + 1 < masses) {
      M.push_back({i, i + 1, -stiffness});
      M.push_back({i + 1, i, -stiffness});
    }
  }
  std::vector<Part> parts;
  Vector f(masses), b(held);
  for (std::size_t j = 0; j < held; ++j) {
    H.push_back({j * masses / held, j, 1.});
    parts.push_back(j % 10 == 9 ? Part::equality(1) : Part::orthant(1));
  }
  for (std::size_t i = 0; i < masses; ++i) f(i) = std::sin(0.1 * static_cast<double>(i)) - 0.2;
  return {sparseFromTriplets(masses, masses, std::move(M)), sparseFromTriplets(masses, held, std::move(H)), f, b,
          std::move(parts)};
}

TEST(GlobalMechanicalProblem, IsSolvedByEachMethodOfItsCatalogue) {
  const GlobalMechanicalProblem problem = chain(300, 40, 10.);
  Vector expected, dual;
  ASSERT_TRUE(AutomaticMechanicalSolver({.tolerance = 1e-12})
                  .solve(GlobalMechanicalProblem(problem), expected, dual)
                  .converged());
  for (const auto& entry : solversFor<GlobalMechanicalProblem>()) {
    SCOPED_TRACE(entry.name);
    const GlobalMechanicalProblem own = problem;
    Vector lambda, w;
    const SolveReport report = entry.make({1e-10})->solve(own, lambda, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    if (entry.name == "admm" || entry.name == "newton_alart_curnier") {
      EXPECT_FALSE(own.hasMatrix());
    }
    EXPECT_LE(extendedResidual(problem, lambda), 1e-10L * (1.L + 1e-6L));
    // W is definite: its least eigenvalue is above that of M⁻¹, 1/41.
    expectNear(lambda, expected, 1e-7);
  }
}

TEST(GlobalMechanicalProblem, IsSolvedWithoutItsMatrixWhereThatWouldBeTooLarge) {
  const std::size_t rows = SparseFactors::largestMatrix + 1;
  const GlobalMechanicalProblem problem = chain(3 * rows, rows, 1.);
  EXPECT_FALSE(problem.requireMatrix());
  for (const double tolerance : {1e-6, 1e-12}) {
    Vector lambda, w;
    const SolveReport report = AutomaticGlobalSolver(tolerance).solve(problem, lambda, w);
    EXPECT_TRUE(report.converged()) << report.summary();
  }
  EXPECT_FALSE(problem.hasMatrix());
  Vector lambda, w;
  EXPECT_EQ(AutomaticMechanicalSolver().solve(problem, lambda, w).status, SolveStatus::unsupported);
}

TEST(GlobalMechanicalProblem, HasOneErrorWhetherItsMatrixIsMadeOrNot) {
  Generator generator(23);
  const GlobalMechanicalProblem product = chain(60, 12, 5.);
  GlobalMechanicalProblem made = product;
  const std::uint64_t stamp = made.stamp();
  ASSERT_TRUE(made.requireMatrix());
  EXPECT_EQ(made.stamp(), stamp);
  EXPECT_FALSE(product.hasMatrix());
  for (int trial = 0; trial < 5; ++trial) {
    const Vector lambda = randomVector(generator, 12);
    Vector w, again;
    for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
      const double error = errorOf(product, measure, lambda, w, 1e-8);
      EXPECT_EQ(errorOf(made, measure, lambda, again, 1e-8), error);
    }
    const auto independent = static_cast<double>(extendedResidual(product, lambda));
    EXPECT_NEAR(errorOf(product, ErrorMeasure::scaled, lambda, w, 1e-8), independent, 1e-12);
    Vector byMatrix(12), byProduct(12);
    made.matrix().multiply(data(lambda), data(byMatrix));
    product.multiply(data(lambda), data(byProduct));
    expectNear(byMatrix, byProduct, 1e-13);
  }
}

Matrix hilbert(std::size_t n) {
  Matrix A(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A(i, j) = 1. / static_cast<double>(i + j + 1);
  }
  return A;
}

// Hilbert's matrix of eight rows has the condition 1.5e10: a product in double precision has six digits.
TEST(GlobalMechanicalProblem, KnowsWhatAnIllConditionedMassLeavesOfItsProducts) {
  Generator generator(24);
  for (const double force : {0., 1.}) {
    const SparseMatrix H = sparseFromDense(randomMatrix(generator, 8, 4));
    const GlobalMechanicalProblem problem(sparseFromDense(hilbert(8)), H, Vector(8, force), Vector(4),
                                          {Part::equality(4)});
    const Vector lambda = randomVector(generator, 4);
    const std::vector<long double> independent = globalOutputs(problem, lambda);
    Vector w(4);
    problem.multiply(data(lambda), data(w));
    std::vector<long double> exact(4, 0.L);
    std::vector<double> bound(4, 0.);
    problem.addExtended(data(lambda), exact.data());
    problem.addRounding(data(lambda), bound.data());
    for (std::size_t i = 0; i < 4; ++i) {
      const long double q = problem.q()(i), size = std::abs(independent[i]) + std::abs(q);
      EXPECT_LE(std::abs(independent[i] - q - w(i)), bound[i]);
      // Elimination in extended precision, too, loses what the condition costs: 1.5e10 times 5e-20.
      EXPECT_LE(std::abs(independent[i] - q - exact[i]), 1e-8L * size);
      EXPECT_LE(bound[i], 1e-3 * static_cast<double>(size));
    }
  }
}

// The sum H λ is 1, and 0 in extended precision.
TEST(GlobalMechanicalProblem, IsNotCertifiedWhereTermsCancelBeyondExtendedPrecision) {
  const GlobalMechanicalProblem problem(sparseFromDense(identityMatrix(1)),
                                        sparseFromDense(makeMatrix({{1., 1., -1.}})), Vector(1), Vector(3),
                                        {3, Part::orthant(1)});
  const double large = std::ldexp(1., 80);
  Vector w;
  EXPECT_GT(errorOf(problem, ErrorMeasure::scaled, makeVector({large, 1., large}), w, 1e-8), 1e-8);
}

// Symmetric it is only beside the heavy body: each entry counts beside its own diagonal entries.
TEST(GlobalMechanicalProblem, TakesALightUnsymmetricBodyBesideAHeavyOne) {
  const SparseMatrix M = sparseFromTriplets(3, 3, {{0, 0, 1e9}, {1, 1, 2.}, {1, 2, 1.}, {2, 1, -1.}, {2, 2, 2.}});
  const SparseMatrix H = sparseFromDense(makeMatrix({{1., 0.}, {0.5, 1.}, {0., 2.}}));
  const GlobalMechanicalProblem problem(M, H, makeVector({1e9, 1., -2.}), makeVector({0.5, 0.}),
                                        {Part::equality(1), Part::orthant(1)});
  EXPECT_FALSE(problem.factors()->inverse->isDefinite());
  Vector lambda, w;
  const SolveReport report = AutomaticGlobalSolver(1e-12).solve(problem, lambda, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LE(extendedResidual(problem, lambda), 1e-12L);
}

TEST(GlobalMechanicalProblem, IsNotCertifiedWithAMassThatIsSingularToWorkingPrecision) {
  Generator generator(26);
  const GlobalMechanicalProblem singular(sparseFromDense(hilbert(14)), sparseFromDense(randomMatrix(generator, 14, 2)),
                                         Vector(14), makeVector({1., -1.}), {Part::equality(2)});
  Vector lambda, w;
  EXPECT_FALSE(AutomaticGlobalSolver().solve(singular, lambda, w).converged());
}

// The local form is solved to the tolerance, and is another problem: W has an error of some 1e-6.
TEST(GlobalMechanicalProblem, HasTheCertificateOfItsOwnMatricesWhereContactsAreSolvedInLocalForm) {
  Generator generator(27);
  const SparseMatrix H = sparseFromDense(randomMatrix(generator, 8, 6));
  const Vector b = randomVector(generator, 6);
  for (const double force : {0., 1.}) {
    const GlobalFrictionContactProblem problem(3, sparseFromDense(hilbert(8)), H, Vector(8, force), b,
                                               makeVector({0.3, 0.3}));
    for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
      AutomaticFrictionSolver solver(1e-8);
      solver.setMeasure(measure);
      Vector r, u, again;
      const SolveReport report = solver.solve(problem, r, u);
      EXPECT_EQ(report.error, errorOf(problem, measure, r, again, 1e-8)) << report.summary();
    }
  }
}

TEST(GlobalMechanicalProblem, FollowsNewForcesOutputsAndBounds) {
  GlobalMechanicalProblem problem = chain(30, 6, 2.);
  AutomaticGlobalSolver solver(1e-10);
  Vector lambda, w;
  for (int repeat = 0; repeat < 3; ++repeat) {
    ASSERT_TRUE(solver.solve(problem, lambda, w).converged());
    EXPECT_LE(extendedResidual(problem, lambda), 1e-10L);
    Vector f = problem.f(), b = problem.b();
    for (double& entry : f.data()) entry *= -1.5;
    for (double& entry : b.data()) entry += 0.1;
    problem.setForces(f);
    problem.setFreeOutputs(b);
  }
  expectError([&] { problem.setForces(Vector(3)); }, {"f", "30", "3"});
  expectError([&] { problem.setFreeOutputs(Vector(6, std::numeric_limits<double>::quiet_NaN())); }, {"b", "nan"});
}

TEST(GlobalMechanicalProblem, TakesAMassThatIsNotSymmetricByItsLocalForm) {
  Generator generator(25);
  const SparseMatrix M = sparseFromDense(randomPositiveDefinite(generator, 12));
  const SparseMatrix H = sparseFromDense(randomMatrix(generator, 12, 5));
  const GlobalMechanicalProblem problem(M, H, randomVector(generator, 12), randomVector(generator, 5),
                                        {Part::equality(2), Part::orthant(3)});
  Vector lambda, w;
  const SolveReport report = AutomaticGlobalSolver(1e-10).solve(problem, lambda, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LE(extendedResidual(problem, lambda), 1e-10L);
}

// Two limits that face each other and close: opposite forces on one mass cannot hold both.
TEST(GlobalMechanicalProblem, HasNoSolutionOnlyByAProofOnItsOwnMatrices) {
  const SparseMatrix M = sparseFromDense(identityMatrix(2));
  const auto between = [&](double slope, double force) {
    return GlobalMechanicalProblem(M, sparseFromDense(makeMatrix({{1., -1.}, {0., slope}})),
                                   makeVector({force, -force}), makeVector({-1., -1.}),
                                   {Part::orthant(1), Part::orthant(1)});
  };
  const Vector opposite = makeVector({1., 1.});
  EXPECT_TRUE(provesInfeasible(between(0., 0.), opposite));
  // The square of the slope is below rounding in W.
  EXPECT_FALSE(provesInfeasible(between(1e-9, 0.), opposite));
  // A slope that is rounding itself decides nothing where velocities are large.
  EXPECT_FALSE(provesInfeasible(between(1e-15, 1e16), opposite));
  for (const auto& entry : solversFor<GlobalMechanicalProblem>()) {
    SCOPED_TRACE(entry.name);
    Vector lambda, w;
    EXPECT_NE(entry.make({1e-8, 200})->solve(between(1e-9, 0.), lambda, w).status, SolveStatus::infeasible);
  }
  for (const auto name : {"automatic", "reduction"}) {
    Vector lambda, w;
    const SolveReport report = solverNamed<GlobalMechanicalProblem>(name)->solve(between(0., 0.), lambda, w);
    EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
  }
}

// A rigid bar between two joints that move apart.
TEST(GlobalMechanicalProblem, IsToldToHaveNoSolutionWhereJointsContradictEachOther) {
  const GlobalMechanicalProblem problem(sparseFromDense(identityMatrix(1)), sparseFromDense(makeMatrix({{1., 1.}})),
                                        Vector(1), makeVector({1., -1.}), {Part::equality(1), Part::equality(1)});
  Vector lambda, w;
  const SolveReport report = AutomaticGlobalSolver().solve(problem, lambda, w);
  EXPECT_EQ(report.status, SolveStatus::infeasible) << report.summary();
}

}  // namespace
