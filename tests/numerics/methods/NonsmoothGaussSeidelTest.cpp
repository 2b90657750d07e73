// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>

#include <algorithm>
#include <memory>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// To the tolerance: where W is a matrix, contacts are packed, and solved up to a Newton step.
TEST(NonsmoothGaussSeidel, IsTheSameOnTheMatrixAndOnItsFactors) {
  const FrictionContactProblem factored = sphereLattice(4, 4, 2, 0.3);
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-8;
  NonsmoothGaussSeidelSolver solver(options);
  Vector r1, r2, u1, u2;
  const SolveReport first = solver.solve(factored, r1, u1);
  const SolveReport second = solver.solve(assembled(factored), r2, u2);
  EXPECT_TRUE(first.converged() && second.converged());
  EXPECT_NEAR(static_cast<double>(first.iterations), static_cast<double>(second.iterations),
              5. + 0.05 * static_cast<double>(first.iterations));
  expectNear(u1, u2, 1e-6);
}

// Counts the contacts that are solved.
class CountingContactSolver final : public OneContactSolver {
 public:
  explicit CountingContactSolver(std::size_t& count) : count_(count) {}
  std::string_view name() const override { return "CountingContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override {
    ++count_;
    return solver_.solve(dimension, W, q, mu, r);
  }

 private:
  std::size_t& count_;
  HybridOneContactSolver solver_;
};

// Problems beside each other; contacts of one are not next to each other.
FrictionContactProblem besideEachOther(const std::vector<FrictionContactProblem>& problems) {
  const std::size_t d = problems.front().dimension();
  std::vector<std::pair<std::size_t, std::size_t>> places;  // problem, contact
  std::size_t longest = 0;
  for (const FrictionContactProblem& problem : problems) longest = std::max(longest, problem.contacts());
  for (std::size_t contact = 0; contact < longest; ++contact) {
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (contact < problems[k].contacts()) places.emplace_back(k, contact);
    }
  }
  Matrix W(d * places.size(), d * places.size());
  Vector q(d * places.size()), mu(places.size());
  for (std::size_t a = 0; a < places.size(); ++a) {
    const auto [problem, contact] = places[a];
    mu(a) = problems[problem].mu()(contact);
    for (std::size_t i = 0; i < d; ++i) {
      q(d * a + i) = problems[problem].q()(d * contact + i);
      for (std::size_t b = 0; b < places.size(); ++b) {
        if (places[b].first != problem) continue;
        for (std::size_t j = 0; j < d; ++j) {
          W(d * a + i, d * b + j) = problems[problem].W().matrix()->entry(d * contact + i, d * places[b].second + j);
        }
      }
    }
  }
  return {d, W, q, mu};
}

// One that needs many sweeps beside many that need two.
TEST(NonsmoothGaussSeidel, SweepsNoMoreOverGroupsThatHaveComeToRest) {
  Generator generator(3);
  std::vector<FrictionContactProblem> problems{assembled(sphereLattice(2, 2, 3, 0.3))};
  for (std::size_t k = 0; k < 40; ++k) {
    problems.push_back(assembled(randomMovingBodies(generator, {.contacts = 1, .bodies = 1})));
  }
  const FrictionContactProblem problem = besideEachOther(problems);
  NonsmoothGaussSeidelOptions options;
  options.tolerance = 1e-9;
  options.maxIterations = 10000;
  std::size_t visits = 0;
  NonsmoothGaussSeidelSolver solver(options, std::make_shared<CountingContactSolver>(visits));
  Vector r, u;
  std::size_t sweeps = 0;
  solver.setObserver([&](std::size_t, double) { ++sweeps; });
  const SolveReport report = solver.solve(problem, r, u);
  EXPECT_TRUE(report.converged()) << report.summary();
  ASSERT_GT(sweeps, 20U);
  // Sweeps over a part of the contacts count as that part of one.
  EXPECT_GE(report.iterations * problem.contacts(), visits);
  EXPECT_LT(report.iterations, sweeps);
  // In each sweep those of the lattice, the others at first and where the certificate was asked too early.
  EXPECT_LT(visits, problem.contacts() * 10 + problems.front().contacts() * sweeps);
  EXPECT_GE(visits, problems.front().contacts() * sweeps);

  // Tighter, with momentum.
  options.tolerance = 1e-12;
  options.momentum = true;
  const SolveReport tight = NonsmoothGaussSeidelSolver(options).solve(problem, r, u);
  EXPECT_TRUE(tight.converged()) << tight.summary();
}

}  // namespace
