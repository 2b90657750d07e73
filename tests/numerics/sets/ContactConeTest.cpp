// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/ContactCone.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

using Rows = std::array<double, ContactCone::mostRows>;

std::vector<ContactShape> contacts() {
  return {ContactShape::coulomb(2, 0.4),
          ContactShape::coulomb(3, 0.7),
          ContactShape::coulomb(3, 0.),
          ContactShape::rollingContact(2, 0.5, 0.3),
          ContactShape::rollingContact(3, 0.8, 2.),
          ContactShape::rollingContact(3, 0., 0.4),
          ContactShape::rollingContact(3, 0.6, 0.)};
}

Rows randomRows(Generator& generator) {
  const Vector v = randomVector(generator, ContactCone::mostRows);
  Rows rows;
  std::copy(v.begin(), v.end(), rows.begin());
  return rows;
}

double dot(std::size_t m, const Rows& a, const Rows& b) {
  double sum = 0.;
  for (std::size_t i = 0; i < m; ++i) sum += a[i] * b[i];
  return sum;
}

// y ∈ K and y − x ∈ K* at right angles characterise the nearest point of a closed convex cone (Moreau).
TEST(ContactCone, ProjectionMeetsMoreausConditions) {
  Generator generator(1);
  for (const ContactShape& part : contacts()) {
    const ContactCone cone(part);
    for (int sample = 0; sample < 2000; ++sample) {
      const Rows x = randomRows(generator);
      Rows y = x;
      cone.project(y.data());
      Rows dual{};
      for (std::size_t i = 0; i < part.rows; ++i) dual[i] = y[i] - x[i];
      Rows raised = y;
      raised[0] = y[0] * (1. + 1e-14) + 1e-300;
      if (part.friction > 0. && (part.rolls() == 0 || part.rolling > 0.)) {
        EXPECT_TRUE(cone.contains(raised.data()));
      }
      EXPECT_GE(y[0], 0.);
      EXPECT_GE(dual[0], cone.correction(dual.data()) - 1e-14);
      EXPECT_NEAR(dot(part.rows, y, dual), 0., 1e-14);
    }
  }
}

TEST(ContactCone, NoPointOfASearchIsNearerThanTheProjection) {
  Generator generator(2);
  const ContactShape part = ContactShape::rollingContact(3, 0.5, 0.3);
  const ContactCone cone(part);
  for (int sample = 0; sample < 50; ++sample) {
    const Rows x = randomRows(generator);
    Rows y = x;
    cone.project(y.data());
    double best = 1e300;
    // At a given height the nearest point is that of each disc; the heights are searched.
    for (int k = 0; k <= 4000; ++k) {
      const double height = 2. * k / 4000.;
      const double slip = std::max(0., std::hypot(x[1], x[2]) - part.friction * height);
      const double roll = std::max(0., std::hypot(x[3], x[4]) - part.rolling * height);
      best = std::min(best, (height - x[0]) * (height - x[0]) + slip * slip + roll * roll);
    }
    double distance = 0.;
    for (std::size_t i = 0; i < part.rows; ++i) distance += (y[i] - x[i]) * (y[i] - x[i]);
    EXPECT_LE(distance, best + 1e-14);
    EXPECT_NEAR(distance, best, 1e-6);  // the square of the grid's width
  }
}

TEST(ContactCone, IsCoulombsWithOneDisc) {
  Generator generator(3);
  for (const std::size_t d : {2U, 3U}) {
    const ContactCone cone(ContactShape::coulomb(d, 0.6));
    for (int sample = 0; sample < 200; ++sample) {
      Rows x = randomRows(generator);
      Rows y = x;
      cone.project(x.data());
      projectOnCone(d, 0.6, y.data());
      for (std::size_t i = 0; i < d; ++i) EXPECT_NEAR(x[i], y[i], 1e-15);
    }
  }
}

// Central differences; away from kinks, which random points miss by more than the width.
TEST(ContactCone, DerivativesOfTheNaturalMapAgreeWithDifferences) {
  Generator generator(4);
  constexpr double width = 1e-6;
  for (const ContactShape& part : contacts()) {
    const ContactCone cone(part);
    const std::size_t m = part.rows;
    for (int sample = 0; sample < 50; ++sample) {
      const Rows u = randomRows(generator), r = randomRows(generator);
      Rows value{}, plus{}, minus{};
      std::array<double, 25> byU{}, byR{};
      cone.naturalMap(u.data(), r.data(), value.data(), byU.data(), byR.data());
      for (std::size_t j = 0; j < m; ++j) {
        Rows moved = u;
        moved[j] = u[j] + width;
        cone.naturalMap(moved.data(), r.data(), plus.data());
        moved[j] = u[j] - width;
        cone.naturalMap(moved.data(), r.data(), minus.data());
        for (std::size_t i = 0; i < m; ++i) {
          EXPECT_NEAR(byU[i + m * j], (plus[i] - minus[i]) / (2. * width), 1e-5) << i << ' ' << j;
        }
        moved = r;
        moved[j] = r[j] + width;
        cone.naturalMap(u.data(), moved.data(), plus.data());
        moved[j] = r[j] - width;
        cone.naturalMap(u.data(), moved.data(), minus.data());
        for (std::size_t i = 0; i < m; ++i) {
          EXPECT_NEAR(byR[i + m * j], (plus[i] - minus[i]) / (2. * width), 1e-5) << i << ' ' << j;
        }
      }
    }
  }
}

TEST(ContactCone, NaturalMapVanishesWhereTheContactRollsAndSlides) {
  const ContactCone cone(ContactShape::rollingContact(3, 0.5, 0.2));
  const Rows r{2., -1., 0., 0., 0.4}, u{0., 3., 0., 0., -7.};
  Rows value{};
  cone.naturalMap(u.data(), r.data(), value.data());
  for (const double x : value) EXPECT_NEAR(x, 0., 1e-15);
}

}  // namespace
