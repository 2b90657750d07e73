// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/NaturalMapError.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <delassus/Config.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/sets/RollingCone.hpp>
#include <limits>
#include <support/ContactRows.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomMechanical.hpp>
#include <support/ThreadNumber.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(NaturalMapError, IsByHandForAnEqualityAndABox) {
  const Matrix W = makeMatrix({{4., 0.}, {0., 1.}});
  const GenericMechanicalProblem problem(W, makeVector({2., -3.}), {Part::equality(1), Part::box(1)},
                                         makeVector({0., 0.}), makeVector({0., 1.}));
  Vector w;
  // w = (6, −1), F = (6, 2 − P(2 + 1)) = (6, 1), d = (4, 1), Σ q²/d = 1 + 9.
  EXPECT_NEAR(errorOf(problem, ErrorMeasure::scaled, makeVector({1., 2.}), w), std::sqrt((9. + 1.) / 10.), 1e-15);
  expectNear(w, makeVector({6., -1.}), 1e-15);
  // d = 1: F the same, ‖q‖² = 13.
  EXPECT_NEAR(errorOf(problem, ErrorMeasure::published, makeVector({1., 2.}), w), std::sqrt(37. / 13.), 1e-15);
}

TEST(NaturalMapError, IsByHandForARollingContact) {
  // d = 2, c² = 2/8: in the scaled rows w_R is halved, λ_R doubled.
  const Matrix W = diagonalMatrix({2., 2., 8.});
  const GenericMechanicalProblem problem(W, makeVector({-2., 0., 4.}), {Part::rollingContact(2, 1., 1.)});
  Vector w;
  // λ = 0: u = q = (−2, 0, 4), scaled (−2, 0, 2), radii (1, 2): û_N = −2 + 4 = 2, x = (−2, 0, −2), beyond the polar
  // cone by 2·2 > 2. δ = 2 (2 + 4) / 5 = 2.4, height 0.4, P = (0.4, 0, −0.8).
  const double map = std::sqrt((0.16 + 0.64) / 2.);
  const double scale = std::sqrt((4. + 4.) / 2.);
  EXPECT_NEAR(errorOf(problem, ErrorMeasure::scaled, makeVector({0., 0., 0.}), w), map / scale, 1e-15);
}

TEST(NaturalMapError, VanishesAtKnownAnswersOnly) {
  Generator generator(41);
  for (int sample = 0; sample < 50; ++sample) {
    const auto parts = partsOfAllKinds(generator, 1);
    const std::size_t n = rowsOf(parts);
    const KnownMechanical known =
        randomKnownMechanical(generator, randomSemidefinite(generator, n, n, 0.1), parts, sample % 2 == 0);
    Vector w;
    EXPECT_LE(errorOf(known.problem, ErrorMeasure::scaled, known.lambda, w), 1e-13);
    EXPECT_LE(errorOf(known.problem, ErrorMeasure::published, known.lambda, w), 1e-13);
    expectNear(w, known.w, 1e-12);
    Vector other = known.lambda;
    for (double& x : other.data()) x += 0.01;
    EXPECT_GE(errorOf(known.problem, ErrorMeasure::scaled, other, w), 1e-5);
  }
}

TEST(NaturalMapError, OfCoulombContactsOfOneScaleIsThatOfTheirClass) {
  Generator generator(42);
  Matrix W = randomSemidefinite(generator, 9, 9, 0.1);
  for (std::size_t contact = 0; contact < 3; ++contact) {
    double trace = 0.;
    for (std::size_t i = 0; i < 3; ++i) trace += W(3 * contact + i, 3 * contact + i);
    W(3 * contact, 3 * contact) += 30. - trace;
  }
  const Vector q = randomVector(generator, 9), lambda = randomVector(generator, 9);
  const FrictionContactProblem contacts(3, W, q, makeVector({0.3, 0., 0.7}));
  const GenericMechanicalProblem problem(W, q, {Part::coulomb(3, 0.3), Part::coulomb(3, 0.), Part::coulomb(3, 0.7)});
  Vector u, w;
  for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
    EXPECT_NEAR(errorOf(problem, measure, lambda, w), errorOf(contacts, measure, lambda, u), 1e-13);
  }
}

// Each row of equalities and boxes in a unit of its own, contacts with another for velocities and for angles, all
// impulses with one more.
TEST(NaturalMapError, DoesNotChangeWithUnits) {
  Generator generator(43);
  const auto parts = partsOfAllKinds(generator, 2);
  const std::size_t n = rowsOf(parts);
  const Matrix W = randomSemidefinite(generator, n, n, 0.1);
  const KnownMechanical known = randomKnownMechanical(generator, W, parts);
  const Vector lambda = randomVector(generator, n);
  const double impulse = 37.;
  std::vector<Part> scaledParts = parts;
  Vector s(n);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Vector logarithms = randomVector(generator, 8);
    const double length = std::exp(5. * logarithms(6)), angle = std::exp(5. * logarithms(7));
    for (std::size_t i = 0; i < parts[p].rows; ++i) {
      const bool rolls = i > ContactRows(parts[p]).tangents;
      s(known.problem.offset(p) + i) = !parts[p].set->isContact() ? std::exp(5. * logarithms(i))
                                       : rolls                    ? angle
                                                                  : length;
    }
    if (parts[p].set->name() != "rolling") continue;
    const auto [friction, rolling] = parts[p].set->coefficients();
    scaledParts[p].set = std::make_shared<RollingCone>(friction, rolling * length / angle);
  }
  Matrix scaledW = W;
  Vector q = known.problem.q(), lower = known.problem.lower(), upper = known.problem.upper(), scaled = lambda;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) scaledW(i, j) *= s(i) * s(j) / impulse;
    q(j) *= s(j);
    for (Vector* const v : {&lower, &upper, &scaled}) (*v)(j) *= impulse / s(j);
  }
  const GenericMechanicalProblem other(scaledW, q, scaledParts, lower, upper);
  Vector w;
  const double error = errorOf(known.problem, ErrorMeasure::scaled, lambda, w);
  EXPECT_GT(error, 1e-2);
  EXPECT_NEAR(errorOf(other, ErrorMeasure::scaled, scaled, w) / error, 1., 1e-11);
}

TEST(NaturalMapError, KeepsTheDigitsOfTheVelocityNextToAHugeReaction) {
  const GenericMechanicalProblem problem(Matrix(3, 3), makeVector({0., 1e-3, 0.}), {Part::coulomb(3, 0.5)});
  Vector w;
  // Sticking with a velocity of 1e-3: û = (5e-4, 1e-3).
  EXPECT_NEAR(errorOf(problem, ErrorMeasure::scaled, makeVector({1e17, 0., 0.}), w), std::sqrt(1.25), 1e-12);
}

TEST(NaturalMapError, IsInfiniteForWhatIsNotFinite) {
  const GenericMechanicalProblem problem(identityMatrix(5), Vector(5),
                                         {Part::equality(1), Part::box(1), Part::coulomb(3, 0.5)});
  for (std::size_t i = 0; i < 5; ++i) {
    for (const double bad : {std::nan(""), infinity}) {
      Vector lambda(5), w;
      lambda(i) = bad;
      EXPECT_EQ(errorOf(problem, ErrorMeasure::scaled, lambda, w), infinity) << i;
    }
  }
}

// Σ ‖F‖² and Σ ‖q‖² are those of two contacts, each so many times.
TEST(NaturalMapError, AddsUpManyPartsWithTheSameBitsForAnyNumberOfThreads) {
  const std::size_t counts[] = {700, 813}, contacts = counts[0] + counts[1];
  const Matrix blocks[] = {diagonalMatrix({2., 1., 1.}), diagonalMatrix({1., 3., 3.})};
  const Vector qs[] = {makeVector({-1., 0.5, 0.}), makeVector({0.3, -2., 1.})};
  const Vector rs[] = {makeVector({0.2, 0.05, 0.01}), makeVector({1., 0.1, -0.3})};
  const auto takeOf = [&](std::size_t k) { return k % 2 == 0 && k / 2 < counts[0] ? 0U : 1U; };
  BlockSparseMatrix W;
  W.clear();
  for (std::size_t k = 0; k < contacts; ++k) {
    W.beginRow(3);
    W.addBlock(k);
  }
  W.finish();
  Vector q(3 * contacts), r(3 * contacts), u;
  for (std::size_t k = 0; k < contacts; ++k) {
    const std::size_t one = takeOf(k);
    std::copy_n(data(blocks[one]), 9, W.block(k));
    std::copy_n(data(qs[one]), 3, data(q) + 3 * k);
    std::copy_n(data(rs[one]), 3, data(r) + 3 * k);
  }
  W.touch();
  const FrictionContactProblem many(3, std::move(W), q, Vector(contacts, 0.4));
  for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
    double map = 0., ofData = 0.;
    for (const std::size_t one : {0U, 1U}) {
      const double error =
          errorOf(FrictionContactProblem(3, blocks[one], qs[one], Vector(1, 0.4)), measure, rs[one], u);
      const double data = static_cast<double>(counts[one]) * std::pow(norm2(qs[one]), 2);
      map += error * error * data;
      ofData += data;
    }
    const double error = errorOf(many, measure, r, u);
    EXPECT_NEAR(error, std::sqrt(map / ofData), 1e-13 * error);
    if constexpr (!withTbb) continue;
    for (const std::size_t count : {2U, 3U}) {
      const ThreadNumber several(count);
      EXPECT_EQ(errorOf(many, measure, r, u), error) << count;
    }
  }
}

}  // namespace
