// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SeparatingAxis.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/collision/PairGeometry.hpp>

#include "CollisionModels.hpp"

// Against brute force: the best of all directions, found by sampling and refining, of shapes whose support points are
// written down anew here, in extended precision.

namespace delassus {
namespace {

using testing::collider;
using testing::randomRotation;
using testing::randomVector;
using Real = long double;
using Real3 = std::array<Real, 3>;

enum Kind : std::size_t { capsule, box, cylinder, hull, kinds };
const std::array<const char*, kinds> kindNames{"capsule", "box", "cylinder", "hull"};

// A shape of the library with what it is made from.
struct Sample {
  Kind kind;
  std::vector<double> sizes;
  std::vector<Vector3> points;
  std::shared_ptr<const Shape> shape;

  const ConvexShape& convex() const { return *shape->convex(); }
};

Sample makeSample(Kind kind, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.05, 0.1);
  const double a = size(random), b = size(random), c = size(random);
  if (kind == capsule) return {kind, {a, b}, {}, shareShape(CapsuleShape(a, b))};
  if (kind == box) return {kind, {a, b, c}, {}, shareShape(BoxShape(2. * a, 2. * b, 2. * c))};
  if (kind == cylinder) return {kind, {a, b}, {}, shareShape(CylinderShape(a, 2. * b))};
  std::vector<Vector3> points;
  for (int k = 0; k < 12; ++k) {
    const Vector3 point = randomVector(random, 1.);
    points.push_back(a / norm(point) * point);
  }
  return {kind, {}, points, shareShape(ConvexHull(points))};
}

// The largest d · x over the shape in its frame.
Real reach(const Sample& sample, const Real3& d) {
  const auto& s = sample.sizes;
  const Real length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  switch (sample.kind) {
    case capsule:
      return s[0] * length + 0.5L * s[1] * std::abs(d[2]);
    case box:
      return s[0] * std::abs(d[0]) + s[1] * std::abs(d[1]) + s[2] * std::abs(d[2]);
    case cylinder:
      return s[0] * std::sqrt(d[0] * d[0] + d[1] * d[1]) + s[1] * std::abs(d[2]);
    default:
      break;
  }
  Real best = -1e9L;
  for (const Vector3& x : sample.points) best = std::max(best, d[0] * x[0] + d[1] * x[1] + d[2] * x[2]);
  return best;
}

// The distance of the planes across the unit vector n that hold the shapes apart.
Real separation(const Sample& first, const Placement& at, const Sample& second, const Placement& other,
                const Real3& n) {
  const auto inFrame = [&](const Matrix3& R, Real sign) {
    Real3 d{};
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) d[j] += sign * R[i + 3 * j] * n[i];
    }
    return d;
  };
  Real between = 0.L;
  for (std::size_t i = 0; i < 3; ++i) between += n[i] * (Real(at.position[i]) - other.position[i]);
  return between - reach(first, inFrame(at.rotation, -1.L)) - reach(second, inFrame(other.rotation, 1.L));
}

Real3 unit(Real3 n) {
  const Real length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (Real& entry : n) entry /= length;
  return n;
}

// The largest separation of all directions, of which one is given: minus the depth, or the distance.
Real bestSeparation(const Sample& first, const Placement& at, const Sample& second, const Placement& other,
                    const Real3& given, std::mt19937& random) {
  constexpr int samples = 1500, tries = 30;
  std::normal_distribution<double> entry;
  Real best = -1e9L;
  Real3 direction{};
  const auto consider = [&](const Real3& n) {
    const Real found = separation(first, at, second, other, n);
    if (found <= best) return false;
    best = found;
    direction = n;
    return true;
  };
  consider(given);
  for (int k = 0; k < samples; ++k) consider(unit({entry(random), entry(random), entry(random)}));
  for (double step = 0.1; step > 1e-9;) {
    bool isBetter = false;
    for (int k = 0; k < tries; ++k) {
      Real3 n = direction;
      for (Real& x : n) x += step * entry(random);
      isBetter = consider(unit(n)) || isBetter;
    }
    if (!isBetter) step *= 0.5;
  }
  return best;
}

struct Pose {
  Placement first, second;
};

// About touching, apart or overlapping by up to a fifth of the smallest size.
Pose poseOf(const Sample& first, const Sample& second, std::mt19937& random) {
  Pose pose{Placement::at({}, randomRotation(random)), Placement::at({}, randomRotation(random))};
  Vector3 way = randomVector(random, 1.);
  way = 1. / norm(way) * way;
  const Real3 n = unit({-way[0], -way[1], -way[2]});
  const double touching = -static_cast<double>(separation(first, pose.first, second, pose.second, n));
  pose.second.position = (touching + std::uniform_real_distribution<double>(-0.01, 0.01)(random)) * way;
  return pose;
}

// The separation along the axis is that of the shapes as they are written down here, and no direction is better where
// shapes overlap, and for round shapes where they are apart, too. (Of sharp ones a corner that faces a corner or an
// edge has no axis.) Rims are met where the polytopes of Bullet, accurate to 1e-4 of the size, have found the place.
TEST(SeparatingAxis, IsTheBestOfAllDirections) {
  constexpr int poses = 60;
  constexpr double rounding = 1e-15, ofRims = 1e-5;
  std::mt19937 random(17);
  for (std::size_t i = 0; i < kinds; ++i) {
    for (std::size_t j = i; j < kinds; ++j) {
      SCOPED_TRACE(std::string(kindNames[i]) + " and " + kindNames[j]);
      for (int k = 0; k < poses; ++k) {
        const Sample first = makeSample(Kind(i), random), second = makeSample(Kind(j), random);
        const Pose pose = poseOf(first, second, random);
        SeparatingAxes axes;
        findSeparatingAxes({first.convex(), pose.first}, {second.convex(), pose.second}, 1., axes);
        const SeparatingAxis* found = &axes.others;
        for (const SeparatingAxis* const faces : {&axes.firstFace, &axes.secondFace}) {
          if (faces->separation > found->separation) found = faces;
        }
        const Real3 n{found->normal[0], found->normal[1], found->normal[2]};
        const Real along = separation(first, pose.first, second, pose.second, n);
        EXPECT_NEAR(found->separation, static_cast<double>(along), rounding) << "pose " << k;
        const auto best = static_cast<double>(bestSeparation(first, pose.first, second, pose.second, n, random));
        const bool isRound = first.convex().isRound() || second.convex().isRound();
        if (best < 0. || isRound) {
          EXPECT_GE(found->separation, best - ofRims) << "pose " << k;
        }
      }
    }
  }
}

// Both surfaces, the gap between them, and the geometry that a step takes with it, in the same place.
TEST(SeparatingAxis, ManifoldsHaveTheirPointsOnBothSurfaces) {
  constexpr int poses = 300;
  constexpr double rounding = 1e-12;
  std::mt19937 random(23);
  for (std::size_t i = 0; i < kinds; ++i) {
    for (std::size_t j = i; j < kinds; ++j) {
      SCOPED_TRACE(std::string(kindNames[i]) + " and " + kindNames[j]);
      int tested = 0;
      for (int k = 0; k < poses; ++k) {
        const Sample first = makeSample(Kind(i), random), second = makeSample(Kind(j), random);
        const Pose pose = poseOf(first, second, random);
        Manifold manifold;
        findManifold(*first.shape, pose.first, *second.shape, pose.second, 0.05, manifold);
        for (std::size_t point = 0; point < manifold.count; ++point) {
          ++tested;
          const Manifold::Point& p = manifold.points[point];
          const double onFirst = first.convex().foot(pose.first.local(p.onFirst)).distance;
          const double onSecond = second.convex().foot(pose.second.local(p.onSecond)).distance;
          // A corner of an end is above a polygon, and its foot may be inside where the other face ends.
          EXPECT_LT(onFirst, 0.02 * 0.1 + rounding) << "pose " << k;
          EXPECT_LT(onSecond, 0.02 * 0.1 + rounding) << "pose " << k;
          EXPECT_NEAR(norm(p.onFirst - p.onSecond), std::abs(p.gap), rounding) << "pose " << k;
        }
      }
      EXPECT_GT(tested, poses / 2);
    }
  }
}

std::shared_ptr<NewtonEulerDS> bodyAt(const Sample& sample, const Placement& place) {
  return NewtonEulerDS::ofShape(*sample.shape, 1000., place.position, rotations::quaternion(place.rotation));
}

TEST(ManifoldGeometry, OfAllConvexPairsHasTheGapsThatWereFoundAndTheirDerivatives) {
  constexpr int poses = 40;
  std::mt19937 random(29);
  for (std::size_t i = 0; i < kinds; ++i) {
    for (std::size_t j = i; j < kinds; ++j) {
      SCOPED_TRACE(std::string(kindNames[i]) + " and " + kindNames[j]);
      for (int k = 0; k < poses; ++k) {
        const Sample first = makeSample(Kind(i), random), second = makeSample(Kind(j), random);
        const Pose pose = poseOf(first, second, random);
        const auto a = bodyAt(first, pose.first), b = bodyAt(second, pose.second);
        const Collider one(a, first.shape, placementInBody(*first.shape), 0);
        const Collider two(b, second.shape, placementInBody(*second.shape), 0);
        Manifold manifold;
        findManifold(*first.shape, one.placement(), *second.shape, two.placement(), 0.05, manifold);
        if (manifold.count == 0) continue;
        const std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(one, two));
        geometry->begin(one, two);
        geometry->follow(one, two, manifold);
        Vector q(14);
        for (std::size_t entry = 0; entry < 14; ++entry) q(entry) = entry < 7 ? a->q()(entry) : b->q()(entry - 7);
        std::vector<ContactPoint> contacts(geometry->points());
        geometry->findContacts(0., q, contacts.data());
        double smallest = contacts[0].gap;
        for (const ContactPoint& contact : contacts) smallest = std::min(smallest, contact.gap);
        EXPECT_NEAR(smallest, manifold.gap(), 1e-11) << "pose " << k;
        NewtonEuler3DR relation(geometry);
        JacobianCheck check;
        check.tolerance = 1e-4;  // rims turn fast where they cross at a small angle
        EXPECT_NO_THROW(relation.checkJacobians(0., q, 12, check, "a pair")) << "pose " << k;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
