// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <petscsys.h>

#include <delassus/numerics/distributed/DistributedDelassus.hpp>
#include <delassus/numerics/distributed/Distribution.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>
#include <utility>

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::numerics;
using namespace delassus::test;

// Options of PETSc for one test.
class WithFactorsOfMumps {
 public:
  WithFactorsOfMumps() {
    for (const auto& [name, value] : options_) PetscOptionsSetValue(nullptr, name, value);
  }
  WithFactorsOfMumps(const WithFactorsOfMumps&) = delete;
  WithFactorsOfMumps& operator=(const WithFactorsOfMumps&) = delete;
  ~WithFactorsOfMumps() {
    for (const auto& [name, value] : options_) PetscOptionsClearValue(nullptr, name);
  }

 private:
  const std::vector<std::pair<const char*, const char*>> options_{{"-delassus_ksp_type", "preonly"},
                                                                  {"-delassus_pc_type", "cholesky"},
                                                                  {"-delassus_pc_factor_mat_solver_type", "mumps"}};
};

// Contacts of a row have penalties from 0.1 to 2.
std::vector<double> penaltiesFor(const DistributedDelassus& W, double factor) {
  std::vector<double> penalties(W.size());
  for (std::size_t i = 0; i < penalties.size(); ++i) penalties[i] = factor * (0.1 + 0.1 * static_cast<double>(i % 20));
  return penalties;
}

// ‖(W + R) x − b‖ / ‖b‖ of all ranks, with the product of the operator.
double residualOf(const DistributedDelassus& W, const std::vector<double>& R, const Vector& x, const Vector& b) {
  Vector product(x.size());
  W.multiply(data(x), data(product));
  std::array<double, 2> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double apart = product(i) + R[i] * x(i) - b(i);
    sums[0] += apart * apart;
    sums[1] += b(i) * b(i);
  }
  W.sum(sums);
  return std::sqrt(sums[0] / sums[1]);
}

double residualAfterSolve(PenalisedDelassus& system, const DistributedDelassus& W, double factor) {
  const std::vector<double> R = penaltiesFor(W, factor);
  EXPECT_TRUE(system.factor(R));
  Generator generator(7);
  const Vector b = randomVector(generator, W.size());
  Vector x = b;
  system.solve(data(x));
  return residualOf(W, R, x, b);
}

TEST(PenalisedDelassus, IsSolvedAndFollowsItsPenalties) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(6, 6, 4, 0.5));
  const Distribution distribution(ranks, &whole);
  PenalisedDelassus system(*distribution.W());
  // The preconditioned residual is `accuracy`; the blocks of its preconditioner differ by less than 100 in scale.
  for (const double factor : {1., 0.05, 3.}) {
    EXPECT_LT(residualAfterSolve(system, *distribution.W(), factor), 100. * PenalisedDelassus::accuracy);
  }
}

TEST(PenalisedDelassus, TakesFactorsOfMumps) {
#if !defined(PETSC_HAVE_MUMPS)
  GTEST_SKIP() << "this PETSc has no MUMPS";
#endif
  const WithFactorsOfMumps options;
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(4, 4, 2, 0.5));
  const Distribution distribution(ranks, &whole);
  PenalisedDelassus system(*distribution.W());
  for (const double factor : {1., 0.05}) {
    EXPECT_LT(residualAfterSolve(system, *distribution.W(), factor), 1e-10);  // condition numbers below 1e4
  }
}

// One whose only contact of a rank moves nothing, so that its block of W is zero.
TEST(PenalisedDelassus, TakesContactsThatMoveNothing) {
  const Ranks ranks;
  const auto own = ranks.rank();
  std::vector<DistributedDelassus::Row> rows(2);
  rows[1] = {{2 * own + 1}, {2., 0., 0., 3.}};
  const auto W = std::make_shared<const DistributedDelassus>(ranks, 2, rows);
  PenalisedDelassus system(*W);
  EXPECT_LT(residualAfterSolve(system, *W, 1.), 1e-2);
}

TEST(AdmmOverRanks, SaysThatASystemWasNotSolved) {
  const Ranks ranks;
  const auto own = ranks.rank();
  // W = -10 makes W + R indefinite, which conjugate gradients find out.
  const std::vector<DistributedDelassus::Row> rows{{{2 * own}, {2., 0., 0., 3.}},
                                                   {{2 * own + 1}, {-10., 0., 0., -10.}}};
  const auto W = std::make_shared<const DistributedDelassus>(ranks, 2, rows);
  const FrictionContactProblem problem(2, W, Vector(4, -1.), Vector(2, 0.5));
  Vector r, u;
  const SolveReport report = AdmmSolver().solve(problem, r, u);
  EXPECT_EQ(report.status, SolveStatus::numericalFailure) << report.summary();
}

TEST(AdmmOverRanks, SolvesWhatOneProcessCertifies) {
  const Ranks ranks;
  Generator generator(3);
  for (const FrictionContactProblem& whole :
       {assembled(sphereLattice(4, 4, 2, 0.5)),
        assembled(randomMovingBodies(generator, {.dimension = 2, .contacts = 40, .bodies = 40}))}) {
    const Distribution distribution(ranks, &whole);
    AdmmSolver solver({.tolerance = 1e-5});
    Vector part, u;
    const SolveReport report = solver.solve(distribution.problem(), part, u);
    EXPECT_TRUE(report.converged()) << report.summary();
    const Vector r = distribution.gather(part);
    Vector alone;
    const std::size_t ofOne = AdmmSolver({.tolerance = 1e-5}).solve(whole, alone, u).iterations;
    // The iteration is that of one process, but for systems that are solved to three digits.
    EXPECT_LE(report.iterations, ofOne + ofOne / 2 + 10);
    if (ranks.isFirst()) {
      EXPECT_LE(errorOf(whole, ErrorMeasure::scaled, r, u), 1e-5 * (1. + 1e-9));
    }
  }
}

TEST(AdmmOverRanks, GivesTheSameBitsOnAsManyRanks) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(4, 4, 2, 0.5));
  const Distribution distribution(ranks, &whole);
  Vector first, second, u;
  for (Vector* const r : {&first, &second}) {
    AdmmSolver({.tolerance = 1e-14, .maxIterations = 30}).solve(distribution.problem(), *r, u);
  }
  EXPECT_EQ(first.data(), second.data());
}

TEST(AdmmOverRanks, EndsAtATimeLimitOnAllRanks) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(6, 6, 4, 0.5));
  const Distribution distribution(ranks, &whole);
  AdmmSolver solver({.tolerance = 1e-15, .maxIterations = 10000000});
  solver.setTimeLimit(0.1);
  Vector r, u;
  EXPECT_EQ(solver.solve(distribution.problem(), r, u).status, SolveStatus::timeLimit);
}

}  // namespace
