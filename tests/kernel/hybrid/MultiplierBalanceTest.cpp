// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <random>
#include <support/Matchers.hpp>
#include <vector>

namespace delassus::test {
namespace {

using Cone = MultiplierBalance::Cone;
using Margin = MultiplierBalance::Margin;

// Of the largest margin: what the optimality conditions are solved to, with some rounding.
constexpr double tolerance = 1e-10;

double smallestMargin(const std::vector<Margin>& margins, const std::vector<Cone>& cones, const Vector& xi) {
  double least = 1e300;
  for (const Margin& margin : margins) {
    double sum = margin.constant;
    for (std::size_t k = 0; k < 2; ++k) sum += margin.coefficients[k] * xi(margin.unknowns[k]);
    least = std::min(least, sum);
  }
  for (const Cone& cone : cones) {
    const auto& c = cone.coefficients;
    least = std::min(least, c[0] * xi(cone.first) - std::hypot(c[1] * xi(cone.first + 1), c[2] * xi(cone.first + 2)));
  }
  return least;
}

/// Contacts of three unknowns each, whose normal and tangential forces several rows tie together.
struct RandomContacts {
  std::mt19937 random;
  std::normal_distribution<double> normal;
  std::vector<Vector> nullSpace;
  std::vector<Margin> margins;
  std::vector<Cone> cones;
  Vector xi;

  RandomContacts(unsigned seed, std::size_t contacts, std::size_t dimension) : random(seed), xi(3 * contacts) {
    for (std::size_t k = 0; k < contacts; ++k) {
      cones.push_back({3 * k, {0.3 + 0.5 * std::abs(normal(random)), 1., 1.}});
      margins.push_back({{3 * k}, {1.}, 0.});
    }
    for (double& entry : xi) entry = normal(random);
    for (std::size_t k = 0; k < dimension; ++k) addDirection();
  }
  Vector direction() {
    Vector sum(xi.size());
    for (const Vector& own : nullSpace) addScaled(normal(random), own, sum);
    return sum;
  }

 private:
  void addDirection() {
    Vector own(xi.size());
    for (double& entry : own) entry = normal(random);
    for (const Vector& other : nullSpace) addScaled(-dot(other, own), other, own);
    const double length = std::sqrt(dot(own, own));
    for (double& entry : own) entry /= length;
    nullSpace.push_back(own);
  }
};

TEST(MultiplierBalance, SharesALoadBetweenTwoLegs) {
  const double half = std::sqrt(0.5);
  Vector xi = makeVector({2., 0.});
  MultiplierBalance().apply({makeVector({half, -half})}, {{{0}, {1.}, 0.}, {{1}, {1.}, 0.}}, {}, false, xi);
  expectNear(xi, makeVector({1., 1.}), tolerance);
}

// Max of min(3 − |T₁|, 1 − |T₂|) with T₁ + T₂ = 2 is at the apex of the second cone.
TEST(MultiplierBalance, FindsTheApexOfACone) {
  const double half = std::sqrt(0.5);
  Vector xi = makeVector({3., 1., 0., 1., 1., 0.});
  MultiplierBalance().apply({makeVector({0., half, 0., 0., -half, 0.})}, {}, {{0}, {3}}, false, xi);
  expectNear(xi, makeVector({3., 2., 0., 1., 0., 0.}), tolerance);
}

TEST(MultiplierBalance, NoOtherSolutionHasALargerSmallestMargin) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomContacts contacts(seed, 2 + seed % 4, 1 + seed % 5);
    const Vector before = contacts.xi;
    MultiplierBalance().apply(contacts.nullSpace, contacts.margins, contacts.cones, false, contacts.xi);
    const double margin = smallestMargin(contacts.margins, contacts.cones, contacts.xi);
    // The margin is bounded by the size of the forces, which unknowns that brace each other reach.
    double size = 0.;
    for (const double entry : before) size = std::max(size, std::abs(entry));
    if (margin > 0.3 * size) continue;
    for (const double length : {1e-4, 1e-2, 1.}) {
      for (int k = 0; k < 30; ++k) {
        Vector other = contacts.xi;
        addScaled(length, contacts.direction(), other);
        // The square of the length that makes it unique, 1e-6 |x|²/2, weighs where x is ten times the forces.
        EXPECT_LE(smallestMargin(contacts.margins, contacts.cones, other), margin + 1e-4 * size);
      }
    }
  }
}

TEST(MultiplierBalance, DoesNotDependOnTheOrderOfItsUnknowns) {
  RandomContacts contacts(7, 4, 4);
  Vector xi = contacts.xi;
  MultiplierBalance().apply(contacts.nullSpace, contacts.margins, contacts.cones, true, xi);
  const auto turned = [](const Vector& v) {
    Vector other = v;
    std::rotate(other.begin(), other.begin() + 3, other.end());
    return other;
  };
  RandomContacts others = contacts;
  for (Vector& own : others.nullSpace) own = turned(own);
  std::rotate(others.cones.begin(), others.cones.begin() + 1, others.cones.end());
  for (std::size_t k = 0; k < others.cones.size(); ++k) others.cones[k].first = 3 * k;
  others.xi = turned(contacts.xi);
  MultiplierBalance().apply(others.nullSpace, others.margins, others.cones, true, others.xi);
  expectNear(others.xi, turned(xi), 1e-8);
}

}  // namespace
}  // namespace delassus::test
