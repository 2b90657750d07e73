// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/AnswerDerivative.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <memory>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/RandomMechanical.hpp>
#include <support/RandomProblems.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// Answers are solved to about rounding, so that the error of a central difference is that of its step, 10⁻⁵ squared,
// and the rounding of λ, 10⁻¹² at most, over the step; that leaves a factor of 10² for the conditions of the problems,
// which multiply both.
constexpr double step = 1e-5;
constexpr double allowed = 1e-5;

// The answer near λ; so exact that differences of two can be taken.
template <class Problem>
Vector answerOf(const Problem& problem, Vector lambda) {
  NewtonSolver newton(NewtonOptions{.tolerance = 1e-14, .remember = false});
  AutomaticMechanicalSolver automatic({.tolerance = 1e-12});
  Vector w;
  if (!newton.solve(problem, lambda, w).converged()) {
    const SolveReport report = automatic.solve(problem, lambda, w);
    EXPECT_LT(report.error, 1e-11) << report.summary();
  }
  return lambda;
}

// (λ(+) − λ(−)) / 2 step
template <class ProblemAt>
Vector difference(const ProblemAt& problemAt, const Vector& lambda) {
  const Vector above = answerOf(problemAt(step), lambda), below = answerOf(problemAt(-step), lambda);
  return Vector((above - below) / (2. * step));
}

void expectClose(const Vector& derivative, const Vector& expected) {
  EXPECT_LT(normInf(Vector(derivative - expected)), allowed * (1. + normInf(expected)));
}

// q in a direction, and each entry of λ by q at once.
template <class MakeProblem>
void expectDerivativeByQ(Generator& generator, const MakeProblem& make, const Vector& q, const Vector& lambda) {
  const auto problem = make(q);
  AnswerDerivative derivative(problem, lambda);
  ASSERT_TRUE(derivative.isUnique());
  EXPECT_LT(derivative.error(), 1e-11);
  ASSERT_TRUE(derivative.kinks().empty());
  const Vector dq = randomVector(generator, q.size()), byLambda = randomVector(generator, q.size());
  Vector dlambda, byQ;
  derivative.along(dq, dlambda);
  expectClose(dlambda, difference([&](double h) { return make(Vector(q + h * dq)); }, lambda));
  // The transposed system has the same entries: both products differ by rounding alone, times the condition.
  derivative.gradient(byLambda, byQ);
  EXPECT_NEAR(inner_prod(byQ, dq), inner_prod(byLambda, dlambda), 1e-9 * (1. + norm2(dlambda)));
}

TEST(AnswerDerivative, OfLcpsIsThatOfTheirActiveRows) {
  Generator generator(1);
  for (const std::size_t n : {1U, 5U, 30U, 90U}) {
    const Matrix M = randomPositiveDefinite(generator, n);
    const Vector q = randomVector(generator, n);
    const auto make = [&](const Vector& at) { return LinearComplementarityProblem(M, at); };
    expectDerivativeByQ(generator, make, q, answerOf(make(q), Vector(n, 0.)));
  }
}

TEST(AnswerDerivative, OfRelaysHoldsRowsAtTheirBounds) {
  Generator generator(2);
  for (int k = 0; k < 20; ++k) {
    const std::size_t n = 8;
    Matrix M = randomPositiveDefinite(generator, n);
    for (std::size_t i = 1; i < n; ++i) M(i, i - 1) += 0.1;  // not symmetric
    const Vector q = randomVector(generator, n), lower(n, -0.2), upper(n, 0.3);
    const auto make = [&](const Vector& at) { return RelayProblem(M, at, lower, upper); };
    expectDerivativeByQ(generator, make, q, answerOf(make(q), Vector(n, 0.)));
  }
}

// Known answers are at corners of their sets; those of a q nearby are not, mostly.
TEST(AnswerDerivative, OfMechanismsOfAllSetsMeetsDifferences) {
  Generator generator(3);
  std::size_t compared = 0;
  for (int k = 0; k < 40; ++k) {
    const std::vector<Part> parts = partsOfAllKinds(generator, 1 + static_cast<std::size_t>(k) % 2);
    const Matrix W = randomPositiveDefinite(generator, rowsOf(parts));
    const KnownMechanical known = randomKnownMechanical(generator, W, parts);
    const Vector q = known.problem.q() + 0.1 * randomVector(generator, W.size1());
    const auto make = [&](const Vector& at) {
      GenericMechanicalProblem problem = known.problem;
      problem.q() = at;
      return problem;
    };
    const GenericMechanicalProblem problem = make(q);
    const Vector lambda = answerOf(problem, known.lambda);
    if (!AnswerDerivative(problem, lambda).kinks(2e-5).empty()) continue;
    ++compared;
    expectDerivativeByQ(generator, make, q, lambda);
  }
  EXPECT_GT(compared, 20U);
}

FrictionContactProblem contactsOf(const FrictionContactProblem& like, const Vector& q, const Vector& mu) {
  FrictionContactProblem problem = like;
  problem.q() = q;
  problem.setFriction(mu);
  return problem;
}

TEST(AnswerDerivative, OfContactsMeetsDifferencesInQAndInFriction) {
  Generator generator(4);
  for (const std::size_t dimension : {2U, 3U}) {
    std::size_t compared = 0;
    for (int k = 0; k < 10; ++k) {
      const KnownContacts known = randomKnownContacts(generator, {.dimension = dimension, .contacts = 6, .bodies = 12});
      ASSERT_TRUE(known.problem.requireMatrix());
      const Vector q = known.problem.q(), mu = known.problem.mu();
      const Vector r = answerOf(known.problem, known.reaction);
      AnswerDerivative derivative(known.problem, r);
      if (!derivative.isUnique() || !derivative.kinks(2e-5).empty()) continue;
      ++compared;
      expectDerivativeByQ(
          generator, [&](const Vector& at) { return contactsOf(known.problem, at, mu); }, q, r);
      const Vector dmu = randomVector(generator, mu.size());
      Vector dr, byQ;
      derivative.alongFriction(dmu, dr);
      expectClose(dr, difference([&](double h) { return contactsOf(known.problem, q, Vector(mu + h * dmu)); }, r));
      const Vector byReaction = randomVector(generator, r.size());
      derivative.gradient(byReaction, byQ);
      double sum = 0.;
      for (std::size_t contact = 0; contact < mu.size(); ++contact) {
        sum += derivative.gradientByFriction(contact) * dmu(contact);
      }
      EXPECT_NEAR(sum, inner_prod(byReaction, dr), 1e-9 * (1. + norm2(dr)));
    }
    EXPECT_GT(compared, 7U);
  }
}

// A contact that slides along x: r_N = −q_N / (W_NN − μ W_NT) with the slip in the direction of q_T.
TEST(AnswerDerivative, OfASlidingContactIsThatOfItsClosedForm) {
  Matrix W = makeMatrix({{2., 0.3, 0.}, {0.3, 1., 0.}, {0., 0., 1.}});
  const double mu = 0.2, normal = -1., stiffness = 2. - 0.3 * mu;
  const FrictionContactProblem problem(3, W, makeVector({normal, 3., 0.}), makeVector({mu}));
  AutomaticFrictionSolver solver(1e-13);
  Vector r, u;
  ASSERT_TRUE(solver.solve(problem, r, u).converged());
  EXPECT_NEAR(r(0), -normal / stiffness, 1e-12);
  AnswerDerivative derivative(problem, r);
  Vector dr;
  derivative.along(makeVector({1., 0., 0.}), dr);
  EXPECT_NEAR(dr(0), -1. / stiffness, 1e-11);
  EXPECT_NEAR(dr(1), mu / stiffness, 1e-11);
  derivative.alongFriction(makeVector({1.}), dr);
  const double byFriction = -normal * 0.3 / (stiffness * stiffness);
  EXPECT_NEAR(dr(0), byFriction, 1e-11);
  EXPECT_NEAR(dr(1), -r(0) - mu * byFriction, 1e-11);
}

// W r = −q, whatever μ is.
TEST(AnswerDerivative, OfAStickingContactDoesNotDependOnFriction) {
  const Matrix W = makeMatrix({{2., 0.3, 0.1}, {0.3, 1., 0.}, {0.1, 0., 1.}});
  const FrictionContactProblem problem(3, W, makeVector({-1., 0.1, 0.1}), makeVector({0.8}));
  AutomaticFrictionSolver solver(1e-13);
  Vector r, u, dr, back(3);
  ASSERT_TRUE(solver.solve(problem, r, u).converged());
  ASSERT_LT(norm2(u), 1e-12);
  AnswerDerivative derivative(problem, r);
  EXPECT_TRUE(derivative.kinks().empty());
  derivative.along(makeVector({0.2, -0.4, 1.}), dr);
  multiply(1., W, dr, 0., back);
  expectNear(back, makeVector({-0.2, 0.4, -1.}), 1e-12);
  derivative.alongFriction(makeVector({1.}), dr);
  expectNear(dr, Vector(3, 0.), 1e-12);
}

// Along the normal alone; with a little friction r_T = −μ r_N in the direction of the slip.
TEST(AnswerDerivative, OfAContactWithoutFrictionTellsWhatALittleWouldDo) {
  const FrictionContactProblem problem(2, makeMatrix({{2., 0.3}, {0.3, 1.}}), makeVector({-1., 3.}), makeVector({0.}));
  AnswerDerivative derivative(problem, makeVector({0.5, 0.}));
  Vector dr;
  derivative.along(makeVector({1., 1.}), dr);
  expectNear(dr, makeVector({-0.5, 0.}), 1e-12);
  derivative.alongFriction(makeVector({1.}), dr);
  expectNear(dr, makeVector({0.3 * 0.5 / 2., -0.5}), 1e-12);
}

TEST(AnswerDerivative, OfTheGlobalFormIsThatOfTheLocalOne) {
  Generator generator(5);
  for (int k = 0; k < 5; ++k) {
    const KnownGlobalFriction known = randomGlobalFriction(generator, {});
    const Vector r = answerOf(known.problem, known.solution);
    GenericMechanicalProblem local;
    ASSERT_TRUE(local.state(known.problem));
    const GenericMechanicalProblem copy = local;
    AnswerDerivative inLocal(copy, r), inGlobal(known.problem, r);
    if (!inLocal.isUnique()) continue;
    EXPECT_TRUE(inGlobal.isUnique());
    const Vector dq = randomVector(generator, r.size());
    Vector expected, dr;
    inLocal.along(dq, expected);
    inGlobal.along(dq, dr);
    expectNear(dr, expected, 1e-8 * (1. + norm2(expected)));
    inLocal.gradient(dq, expected);
    inGlobal.gradient(dq, dr);
    expectNear(dr, expected, 1e-8 * (1. + norm2(expected)));
    const Vector dmu = randomVector(generator, known.problem.partCount());
    inLocal.alongFriction(dmu, expected);
    inGlobal.alongFriction(dmu, dr);
    expectNear(dr, expected, 1e-8 * (1. + norm2(expected)));
  }
}

// Four contacts below a block that can only go up: reactions are not unique, their sum and the velocity are.
TEST(AnswerDerivative, OfRedundantContactsIsRightInWhatIsUnique) {
  const Matrix W(4, 4, 1.);
  const LinearComplementarityProblem problem(W, Vector(4, -2.));
  const Vector even(4, 0.5);
  AnswerDerivative derivative(problem, even);
  EXPECT_FALSE(derivative.isUnique());
  Vector dz;
  derivative.along(Vector(4, 1.), dz);
  EXPECT_NEAR(dz(0) + dz(1) + dz(2) + dz(3), -1., 1e-8);
}

TEST(AnswerDerivative, NamesTheRowsAtAKink) {
  const LinearComplementarityProblem atRest(identityMatrix(2), Vector(2));
  EXPECT_EQ(AnswerDerivative(atRest, Vector(2)).kinks().size(), 2U);
  // The second contact has just closed.
  const LinearComplementarityProblem problem(identityMatrix(3), makeVector({-1., 0., 1.}));
  AnswerDerivative derivative(problem, makeVector({1., 0., 0.}));
  EXPECT_EQ(derivative.kinks(), std::vector<std::size_t>{1});
}

TEST(AnswerDerivative, TellsWhatIsNoAnswer) {
  const LinearComplementarityProblem problem(identityMatrix(2), makeVector({-1., 1.}));
  EXPECT_EQ(AnswerDerivative(problem, makeVector({1., 0.})).error(), 0.);
  EXPECT_GT(AnswerDerivative(problem, makeVector({0.5, 0.})).error(), 0.1);
}

TEST(AnswerDerivative, RefusesWhatDoesNotFit) {
  const LinearComplementarityProblem problem(identityMatrix(2), makeVector({-1., 1.}));
  expectError([&] { AnswerDerivative(problem, Vector(3)); }, {"AnswerDerivative", "the answer", "2", "3"});
  AnswerDerivative derivative(problem, makeVector({1., 0.}));
  Vector out;
  expectError([&] { AnswerDerivative().along(Vector(2), out); }, {"AnswerDerivative", "begin()"});
  expectError([&] { static_cast<void>(derivative.gradientByFriction(7)); }, {"AnswerDerivative", "no part 7"});
  expectError([&] { derivative.along(Vector(1), out); }, {"AnswerDerivative", "2", "1"});
  expectError([&] { derivative.alongFriction(makeVector({1.}), out); }, {"AnswerDerivative", "part 0", "friction"});
  expectError([&] { derivative.alongFriction(Vector(2), out); }, {"AnswerDerivative", "1", "2"});
  expectError([&] { static_cast<void>(derivative.gradientByFriction(0)); }, {"AnswerDerivative", "part 0"});
}

}  // namespace
