// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/methods/ProductOfSets.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <limits>
#include <memory>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Part> partsOfAllSets() {
  std::vector<Part> parts = {Part::equality(3),
                             Part::box(4),
                             Part::orthant(3),
                             Part::secondOrderCone(1),
                             Part::secondOrderCone(3),
                             Part::secondOrderCone(4, 0.4),
                             Part::secondOrderCone(3, 0.),
                             Part::ball(3, 0.7),
                             Part::ball(2, 0.),
                             Part::druckerPrager(4, 0.5, 0.3),
                             Part::druckerPrager(3, 0., 0.4)};
  for (const double mu : {0., 0.3, 1., 2.5}) {
    for (const std::size_t dimension : {2U, 3U}) {
      parts.push_back(Part::coulomb(dimension, mu));
      for (const double rolling : {0., 0.2, 1.5}) parts.push_back(Part::rollingContact(dimension, mu, rolling));
    }
  }
  return parts;
}

// One part with the scales that its set takes for projections, or all 1.
struct Projected {
  std::vector<double> d, c, lower, upper;
  ConvexSet::Rows rows;

  Projected(Generator& generator, const Part& part, bool isPlain)
      : d(part.rows, 1.), c(part.rows, 1.), lower(part.rows), upper(part.rows) {
    const std::vector<double> lowers = {-infinity, -0.2, 0.1, -infinity}, uppers = {infinity, 0.3, 0.1, 0.5};
    for (std::size_t i = 0; i < part.rows; ++i) {
      lower[i] = lowers[i % 4];
      upper[i] = uppers[i % 4];
    }
    if (!isPlain) {
      const Matrix block = randomSemidefinite(generator, part.rows, part.rows, 0.3);
      part.set->scalesOfProjection(data(block), part.rows, d.data(), c.data());
    }
    rows = {part.rows, lower.data(), upper.data(), d.data(), c.data()};
  }
};

// P is the projection of x where it is in the set and D (P − x) obeys the law of the set as w + s(w), by the residual
// of the certificate, which shares no code with projections.
TEST(Projection, LiesInTheSetWithTheDifferenceInItsNormalCone) {
  Generator generator(31);
  for (const Part& part : partsOfAllSets()) {
    for (int trial = 0; trial < 100; ++trial) {
      const std::size_t m = part.rows;
      const Projected at(generator, part, trial % 2 == 0);
      const Vector x = randomVector(generator, m);
      Vector nearest = x, shifted(m), w(m);
      part.set->project(at.rows, data(nearest));
      for (std::size_t i = 0; i < m; ++i) shifted(i) = at.d[i] / (at.c[i] * at.c[i]) * (nearest(i) - x(i));
      // s depends on the tangential rows only, which are those of w + s(w).
      assign(shifted, w);
      Vector shift(m);
      part.set->addShift(m, data(shifted), data(shift));
      for (std::size_t i = 0; i < m; ++i) w(i) -= shift(i);
      ResidualSums<double> sums;
      part.set->addResidual(
          ResidualRows<double>{m, data(nearest), data(w), data(w), nullptr, at.lower.data(), at.upper.data()}, sums);
      EXPECT_LT(std::sqrt(sums.map), 1e-14) << part.set->description() << ", trial " << trial;
      EXPECT_EQ(sums.finite, 0.);

      Vector again = nearest;
      part.set->project(at.rows, data(again));
      expectNear(again, nearest, 1e-15);
    }
  }
}

// ⟨x − P(x), y − P(x)⟩ ≤ 0 in the metric, for all y in the set.
TEST(Projection, IsTheNearestPoint) {
  Generator generator(32);
  RandomGenerator random(5);
  for (const Part& part : partsOfAllSets()) {
    for (int trial = 0; trial < 100; ++trial) {
      const Projected at(generator, part, trial % 2 == 0);
      const Vector x = randomVector(generator, part.rows);
      Vector nearest = x, y(part.rows);
      part.set->project(at.rows, data(nearest));
      for (int draw = 0; draw < 20; ++draw) {
        part.set->draw(at.rows, 1., random, data(y));
        double product = 0.;
        for (std::size_t i = 0; i < part.rows; ++i) {
          product += at.d[i] / (at.c[i] * at.c[i]) * (x(i) - nearest(i)) * (y(i) - nearest(i));
        }
        EXPECT_LE(product, 1e-13) << part.set->description() << ", trial " << trial;
      }
    }
  }
}

TEST(ProductOfSets, StepsInAllPartsAtOnce) {
  Generator generator(33);
  const std::vector<Part> parts = {Part::equality(2), Part::orthant(3), Part::coulomb(3, 2.), Part::ball(2, 0.3)};
  const GenericMechanicalProblem problem(randomSemidefinite(generator, 10, 10, 0.1), randomVector(generator, 10),
                                         parts);
  ProductOfSets sets(problem);
  const Vector x = randomVector(generator, 10), w = randomVector(generator, 10);
  Vector y, shifted = w;
  sets.addShift(data(w), data(shifted));
  EXPECT_NEAR(shifted(5), w(5) + 2. * std::hypot(w(6), w(7)), 1e-15);
  sets.step(x, w, 0.5, y);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(y(i), x(i) - 0.5 * w(i) / sets.metric()[i], 1e-15);
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_NEAR(y(i), std::max(0., x(i) - 0.5 * w(i) / sets.metric()[i]), 1e-15);
  }
  EXPECT_LE(std::hypot(y(6), y(7)), 2. * y(5) + 1e-15);
  EXPECT_LE(std::hypot(y(8), y(9)), 0.3 + 1e-15);
  EXPECT_NEAR(sets.residualNorm(data(problem.q())), 1., 1e-15);
}

}  // namespace
