// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/CollisionQueries.hpp>

#include <gtest/gtest.h>

#include <delassus/kernel/collision/SeparatingAxis.hpp>

#include "ConvexSamples.hpp"

// Rays, overlaps and neighbours among shapes, against closed forms, bisection and the oracle of distances.

namespace delassus {
namespace {

using namespace test;
using testing::makeBall;
using testing::makeBox;
using testing::randomRotation;
using testing::randomVector;

constexpr double ofOrderOne = 1e-13;  // rounding of a few operations with coordinates of order one

Placement randomPlace(std::mt19937& random, double size) {
  return {randomVector(random, size), rotations::rotationMatrix(randomRotation(random))};
}

// The fraction at which the segment from a to b meets the model, found by golden sections of the distance, which is
// convex, then by bisection, in extended precision and without any code of the ray cast; negative if it does not.
Real bruteFraction(const Vector3& a, const Vector3& b, const PlacedModel& model) {
  const auto distance = [&](Real t) {
    const Vector3 x = a + static_cast<double>(t) * (b - a);
    return signedDistance(x, model);
  };
  if (distance(0.L) <= 0.L) return 0.L;
  Real low = 0.L, high = 1.L;
  for (int k = 0; k < 120 && distance(high) > 0.L; ++k) {
    const Real first = low + 0.381966L * (high - low), second = low + 0.618034L * (high - low);
    if (distance(first) <= 0.L || distance(first) <= distance(second)) {
      high = second;
      if (distance(first) <= 0.L) high = first;
    } else {
      low = first;
    }
  }
  if (distance(high) > 0.L) return -1.L;
  low = 0.L;
  for (int k = 0; k < 70; ++k) {
    const Real middle = 0.5L * (low + high);
    (distance(middle) <= 0.L ? high : low) = middle;
  }
  return high;
}

TEST(RayCast, MeetsAllShapesWhereBisectionDoes) {
  std::mt19937 random(5);
  for (std::size_t kind = sphere; kind < kinds; ++kind) {
    int hits = 0;
    for (int k = 0; k < 200; ++k) {
      const Sample sample = makeSample(Kind(kind), random);
      const Placement at = randomPlace(random, 0.1);
      const Vector3 from = at.position + randomVector(random, 0.3);
      const Vector3 to = at.position + randomVector(random, 0.08);
      SCOPED_TRACE(sample.text);
      // Relative to the placement, as the oracle has it.
      const PlacedModel model{sample.model, at};
      const Real expected = bruteFraction(from, to, model);
      const auto hit = castRay(from, to, *sample.shape, at);
      ASSERT_EQ(hit.has_value(), expected >= 0.L) << from << " to " << to;
      if (!hit) continue;
      ++hits;
      // A point that is exact to 1e-15 m along the normal is less so along a ray that comes in at a small angle.
      const double sine = hit->fraction > 0. ? -dot(hit->normal, to - from) / norm(to - from) : 1.;
      EXPECT_NEAR(hit->fraction, static_cast<double>(expected), 1e-13 / std::max(sine, 1e-3));
      EXPECT_NEAR(norm(hit->point - (from + hit->fraction * (to - from))), 0., ofOrderOne);
      EXPECT_NEAR(norm(hit->normal), 1., ofOrderOne);
      if (hit->fraction > 0.) {
        EXPECT_LT(dot(hit->normal, to - from), 0.);
        // The shape lies behind the plane there, as its support says.
        const PlacedConvex placed{*sample.shape->convex(), at};
        EXPECT_NEAR(placed.reach(hit->normal), dot(hit->normal, hit->point), 1e-12);
      }
    }
    EXPECT_GT(hits, 60) << kindNames[kind];
  }
}

TEST(RayCast, HasTheClosedFormsOfASphereAPlaneAndABox) {
  std::mt19937 random(6);
  for (int k = 0; k < 300; ++k) {
    const Vector3 centre = randomVector(random, 1.), from = centre + Vector3{3., 0., 0.} + randomVector(random, 0.5);
    const Vector3 to = centre + randomVector(random, 0.9), way = to - from, between = from - centre;
    const double a = dot(way, way), b = dot(way, between), c = dot(between, between) - 1.;
    const auto hit = castRay(from, to, SphereShape(1.), {centre, Placement{}.rotation});
    if (b * b - a * c >= 0. && (-b - std::sqrt(b * b - a * c)) / a <= 1.) {
      ASSERT_TRUE(hit);
      // The root loses digits where the ray grazes.
      EXPECT_NEAR(hit->fraction, (-b - std::sqrt(b * b - a * c)) / a, ofOrderOne / std::sqrt(b * b - a * c));
      EXPECT_NEAR(norm(hit->normal - (hit->point - centre)), 0., ofOrderOne);
    } else {
      EXPECT_FALSE(hit);
    }
    const Plane plane = Plane::through(randomVector(random, 1.), randomVector(random, 1.));
    const double height = dot(plane.normal, from) - plane.offset, end = dot(plane.normal, to) - plane.offset;
    const auto onPlane = castRay(from, to, HalfSpace(plane));
    ASSERT_EQ(onPlane.has_value(), height <= 0. || end <= 0.);
    if (onPlane) {
      EXPECT_NEAR(onPlane->fraction, height <= 0. ? 0. : height / (height - end), ofOrderOne);
    }
  }
  const auto hit = castRay({-2., 0.25, 0.5}, {2., 0.25, 0.5}, BoxShape(2., 2., 2.));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->fraction, 0.25);
  EXPECT_EQ(hit->normal, (Vector3{-1., 0., 0.}));
}

TEST(RayCast, KnowsDegenerateRays) {
  const BoxShape box(2., 2., 2.);
  // Along a face, in it, and beside it by less than a micron.
  EXPECT_TRUE(castRay({-3., 0., 1.}, {3., 0., 1.}, box));
  EXPECT_FALSE(castRay({-3., 0., 1. + 1e-9}, {3., 0., 1. + 1e-9}, box));
  EXPECT_TRUE(castRay({-3., 0., 1. - 1e-9}, {3., 0., 1. - 1e-9}, box));
  // Along an edge, and through a corner.
  EXPECT_TRUE(castRay({-3., 1., 1.}, {3., 1., 1.}, box));
  EXPECT_NEAR(castRay({2., 2., 2.}, {0., 0., 0.}, box)->fraction, 0.5, ofOrderOne);
  // Ends on the surface, or short of it; moves away from it.
  EXPECT_TRUE(castRay({3., 0., 0.}, {1., 0., 0.}, box));
  EXPECT_FALSE(castRay({3., 0., 0.}, {1. + 1e-9, 0., 0.}, box));
  EXPECT_FALSE(castRay({1.1, 0., 0.}, {3., 0., 0.}, box));
  // From inside, and from the surface.
  const auto inside = castRay({0.9, 0., 0.}, {-3., 0., 0.}, box);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->fraction, 0.);
  EXPECT_EQ(inside->normal, (Vector3{1., 0., 0.}));
  EXPECT_EQ(castRay({1., 0., 0.}, {3., 0., 0.}, box)->fraction, 0.);
  // A sphere, a capsule and a cylinder that are grazed, by a rounding more or less than touching.
  for (const auto& shape :
       {shareShape(SphereShape(1.)), shareShape(CapsuleShape(1., 1.)), shareShape(CylinderShape(1., 1.))}) {
    EXPECT_TRUE(castRay({-3., 1. - 1e-9, 0.}, {3., 1. - 1e-9, 0.}, *shape)) << shape->className();
    EXPECT_FALSE(castRay({-3., 1. + 1e-9, 0.}, {3., 1. + 1e-9, 0.}, *shape)) << shape->className();
  }
  EXPECT_THROW(castRay({1., 1., 1.}, {1., 1., 1.}, box), Error);
  EXPECT_THROW(castRay({1., std::nan(""), 1.}, {1., 1., 1.}, box), Error);
  EXPECT_THROW(castRay({1., 1., 1.}, {1., std::numeric_limits<double>::infinity(), 1.}, box), Error);
}

TEST(RayCast, MeetsAMeshFromOutsideAlone) {
  std::mt19937 random(7);
  Matrix heights(8, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) heights(i, j) = randomVector(random, 0.2)[0];
  }
  const TriangleMesh ground = TriangleMesh::ofHeights(heights, 0.5, 0.5);
  for (int k = 0; k < 300; ++k) {
    const Vector3 from = Vector3{1.75, 1.75, 1.} + randomVector(random, 0.4), to = from + randomVector(random, 2.);
    // Among the planes of all triangles, the first that is crossed downwards within the outline.
    double expected = 2.;
    for (const auto& triangle : ground.topology().triangles()) {
      const auto& points = ground.topology().points();
      const Vector3 &a = points[triangle[0]], &b = points[triangle[1]], &c = points[triangle[2]];
      const Vector3 n = cross(b - a, c - a);
      const double rate = dot(n, to - from), t = -dot(n, from - a) / rate;
      if (!(rate < 0. && t >= 0. && t <= 1.)) continue;
      const Vector3 x = from + t * (to - from);
      const bool isWithin =
          dot(n, cross(b - a, x - a)) >= 0. && dot(n, cross(c - b, x - b)) >= 0. && dot(n, cross(a - c, x - c)) >= 0.;
      if (isWithin) expected = std::min(expected, t);
    }
    const auto hit = castRay(from, to, ground);
    ASSERT_EQ(hit.has_value(), expected <= 1.) << k;
    if (hit) {
      EXPECT_NEAR(hit->fraction, expected, 1e-12);
    }
    if (hit) {
      EXPECT_FALSE(castRay(from + 1.001 * hit->fraction * (to - from), from, ground)) << "from below";
    }
  }
  // Through edges and corners of the triangles: there are no holes between them.
  for (std::size_t i = 1; i < 7; ++i) {
    const double x = 0.5 * static_cast<double>(i);
    EXPECT_TRUE(castRay({x, x, 1.}, {x, x, -1.}, ground));
    EXPECT_TRUE(castRay({x, x + 0.25, 1.}, {x, x + 0.25, -1.}, ground));
    EXPECT_TRUE(castRay({x + 0.25, x + 0.25, 1.}, {x + 0.25, x + 0.25, -1.}, ground));
  }
}

TEST(ShapeDistance, IsThatOfTheOracle) {
  int apart = 0;
  forEachPair(40, 3, [&](const Pair& pair) {
    for (const double moved : {0., 0.03, 0.2}) {
      Pair away = pair;
      away.at.position = pair.at.position + moved * (1. / norm(pair.at.position)) * pair.at.position;
      const ShapeDistance found = findDistance(*away.first.shape, away.at, *away.second.shape, away.other);
      const Apart expected = away.apart(found.normal);
      if (found.gap <= 0. || expected.distance <= 0.L) {
        EXPECT_LT(std::abs(found.gap - static_cast<double>(expected.distance)), away.hasRim() ? 2e-4 : 1e-9);
        continue;
      }
      ++apart;
      // The bounds of the oracle may cross by rounding. As the header says: feet in turn end slowly where a rim meets
      // something at a small angle.
      const double tolerance = away.hasRim() ? 1e-5 * away.size() : 1e-12 * away.size();
      EXPECT_NEAR(found.gap, static_cast<double>(expected.distance),
                  tolerance + std::max(0., static_cast<double>(expected.uncertainty)));
      EXPECT_NEAR(norm(found.onFirst - found.onSecond - found.gap * found.normal), 0., ofOrderOne);
      EXPECT_NEAR(static_cast<double>(signedDistance(found.onFirst, away.firstModel())), 0., ofOrderOne);
      EXPECT_NEAR(static_cast<double>(signedDistance(found.onSecond, away.secondModel())), 0., ofOrderOne);
    }
  });
  EXPECT_GT(apart, 700);
}

// Faces and edges that are about parallel, which have their own ways to be nearest: no axis separates by more than the
// distance of two points, so that both are right where they are equal.
TEST(ShapeDistance, IsAlsoTheSeparationAlongItsNormal) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> digits(1., 6.);
  for (std::size_t i = capsule; i < kinds; ++i) {
    for (std::size_t j = capsule; j < kinds; ++j) {
      for (int k = 0; k < 200; ++k) {
        Pair pair{makeSample(Kind(i), random), makeSample(Kind(j), random), {}, {}};
        pair.at.rotation = orientation(random);
        pair.other.rotation = orientation(random);
        const Vector3 any = randomVector(random, 1.), way = k % 2 == 0 ? 1. / norm(any) * any : Vector3{0., 0., 1.};
        pair.at.position = (std::pow(10., -digits(random)) - pair.along(way)) * way;
        const ShapeDistance found = findDistance(*pair.first.shape, pair.at, *pair.second.shape, pair.other);
        ASSERT_GT(found.gap, 0.) << pair.text();
        // A normal between points that are 1e-6 m apart is exact to 1e-9.
        EXPECT_NEAR(found.gap, pair.along(found.normal), (pair.hasRim() ? 1e-5 : 1e-9) * pair.size()) << pair.text();
      }
    }
  }
}

TEST(ShapeDistance, KnowsBallsPlanesCompoundsAndMeshes) {
  const BoxShape box(2., 2., 2.);
  const Placement here{}, above{{0., 0., 3.}, Placement{}.rotation};
  EXPECT_NEAR(findDistance(SphereShape(0.5), above, box, here).gap, 1.5, ofOrderOne);
  const ShapeDistance exchanged = findDistance(box, here, SphereShape(0.5), above);
  EXPECT_NEAR(exchanged.gap, 1.5, ofOrderOne);
  EXPECT_EQ(exchanged.normal, (Vector3{0., 0., -1.}));
  EXPECT_NEAR(norm(exchanged.onSecond - Vector3{0., 0., 2.5}), 0., ofOrderOne);
  EXPECT_NEAR(findDistance(box, above, HalfSpace(Plane{}), here).gap, 2., ofOrderOne);
  EXPECT_NEAR(findDistance(HalfSpace(Plane{}), here, box, here).gap, -1., ofOrderOne);
  const CompoundShape both = CompoundShape().with(box).with(SphereShape(1.), above);
  EXPECT_NEAR(findDistance(both, here, HalfSpace(Plane{{0., 0., -1.}, -5.}), here).gap, 1., ofOrderOne);
  // Corners that look at each other, where no face or edge separates by the distance.
  const ShapeDistance corners = findDistance(box, Placement{{3., 3., 3.}, here.rotation}, box, here);
  EXPECT_NEAR(corners.gap, std::sqrt(3.), ofOrderOne);
  const TriangleMesh floor({{-1., -1., 0.}, {1., -1., 0.}, {0., 1., 0.}}, {{0, 1, 2}});
  EXPECT_NEAR(findDistance(box, above, floor, here).gap, 2., ofOrderOne);
  EXPECT_NEAR(findDistance(box, Placement{{0., 0., -3.}, here.rotation}, floor, here).gap, 2., ofOrderOne);
  EXPECT_LE(findDistance(box, here, floor, here).gap, 0.);
  EXPECT_NEAR(findDistance(Vector3{0., 0., -0.5}, floor, here).gap, 0.5, ofOrderOne);
  EXPECT_NEAR(findDistance(Vector3{0.1, 0., 0.9}, box, here).gap, -0.1, ofOrderOne);
  EXPECT_THROW(findDistance(HalfSpace(Plane{}), here, HalfSpace(Plane{}), here), Error);
  EXPECT_THROW(findDistance(CompoundShape(), here, box, here), Error);
}

// Shapes of all kinds at random places, and a plane below them.
struct Crowd {
  NonSmoothDynamicalSystem model{0., 1.};
  CollisionManager manager{1e-3, NewtonImpactFrictionNSL(0., 0., 0.5)};
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;

  explicit Crowd(std::size_t count) {
    std::mt19937 random(9);
    const std::size_t plane = manager.insertObstacle(Plane{{0., 0., 1.}, -1.2});
    EXPECT_EQ(plane, 0u);
    for (std::size_t k = 0; k < count; ++k) {
      const Sample sample = makeSample(Kind(k % kinds), random);
      const Vector3 x = randomVector(random, 1.);
      const Quaternion p = randomRotation(random);
      if (k % 3 == 0) {
        manager.insertObstacle(sample.shape, x, p);
        continue;
      }
      bodies.push_back(
          std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x, p), Vector(6), 1., NewtonEulerDS::ballInertia(1., 0.1)));
      model.insert(bodies.back());
      manager.insert(bodies.back(), sample.shape, Placement::at({0.02, 0., 0.01}));
    }
    manager.updateInteractions(model, 0., 1e-3);
  }
};

TEST(CollisionQueries, AnswerAsBruteForceDoes) {
  Crowd crowd(200);
  // Bodies have moved since the manager saw them, by more than its bounds are larger; one has left.
  std::mt19937 random(11);
  for (const auto& body : crowd.bodies) body->setState(NewtonEulerDS::at(randomVector(random, 1.)), Vector(6));
  crowd.manager.remove(crowd.bodies.front());
  const CollisionQueries queries(crowd.manager, 0.);
  std::vector<Collider> members = crowd.manager.colliders();
  for (Collider& member : members) member.readState(0.);
  std::size_t found = 0, touched = 0;
  for (int k = 0; k < 200; ++k) {
    const Vector3 from = randomVector(random, 1.5), to = randomVector(random, 1.5);
    const SphereShape ball(0.1);
    const Placement at{0.5 * from, Placement{}.rotation};
    std::vector<std::pair<double, std::size_t>> expected, near;
    std::vector<std::size_t> within;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i].isRemoved()) continue;
      if (const auto hit = castRay(from, to, members[i].shape(), members[i].placement())) {
        expected.emplace_back(hit->fraction, i);
      }
      const double gap = findDistance(ball, at, members[i].shape(), members[i].placement()).gap;
      near.emplace_back(gap, i);
      if (gap <= 0.05) within.push_back(i);
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::pair<double, std::size_t>> hits;
    for (const auto& hit : queries.hits(from, to)) hits.emplace_back(hit.fraction, hit.member.collider);
    EXPECT_EQ(hits, expected);
    const auto first = queries.firstHit(from, to);
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) {
      EXPECT_EQ(first->member.collider, expected.front().second);
      EXPECT_EQ(first->member.body, members[first->member.collider].body());
    }
    std::vector<std::size_t> overlaps;
    for (const auto& neighbour : queries.overlaps(ball, at, 0.05)) overlaps.push_back(neighbour.member.collider);
    EXPECT_EQ(overlaps, within);
    const auto nearest = queries.nearest(ball, at);
    ASSERT_TRUE(nearest);
    EXPECT_EQ(nearest->distance.gap, std::min_element(near.begin(), near.end())->first);
    const auto ofPoint = queries.nearest(0.5 * from);
    ASSERT_TRUE(ofPoint);
    EXPECT_NEAR(ofPoint->distance.gap, nearest->distance.gap + 0.1, ofOrderOne);
    EXPECT_EQ(queries.nearest(0.5 * from, 0.02).has_value(), ofPoint->distance.gap <= 0.02);
    found += hits.size();
    touched += overlaps.size();
  }
  EXPECT_GT(found, 150u);
  EXPECT_GT(touched, 200u);
}

TEST(CollisionQueries, SayObstaclesByTheirNumbersAndWhereTheyMoveTo) {
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  EXPECT_FALSE(CollisionQueries(manager, 0.).firstHit({0., 0., 0.}, {1., 0., 0.}));
  EXPECT_FALSE(CollisionQueries(manager, 0.).nearest(Vector3{}));
  manager.insertObstacle(Plane{{0., 0., 1.}, -5.});
  const CompoundShape pair =
      CompoundShape().with(BoxShape(1., 1., 1.)).with(SphereShape(0.5), Placement::at({0., 2., 0.}));
  const std::size_t moving = manager.insertObstacle(
      shareShape(pair), ObstacleMotion(automatic([](const auto& t, auto& q) { q(0) = 2. * t; })));
  const auto hit = CollisionQueries(manager, 1.5).firstHit({10., 2., 0.}, {0., 2., 0.});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->member.obstacle, moving);
  EXPECT_EQ(hit->member.collider, moving + 1);
  EXPECT_FALSE(hit->member.body);
  EXPECT_NEAR(hit->point[0], 3.5, ofOrderOne);
  const CollisionQueries queries(manager, 0.);
  EXPECT_FALSE(queries.nearest(Vector3{20., 0., 20.}, 1.));
  EXPECT_EQ(queries.nearest(Vector3{20., 0., -4.})->member.obstacle, 0u);
  EXPECT_THROW(queries.hits({1., 0., 0.}, {1., 0., 0.}), Error);
  EXPECT_THROW(queries.nearest(Vector3{}, 0.), Error);
  EXPECT_THROW(queries.overlaps(pair, {}, -1.), Error);
  EXPECT_THROW(queries.overlaps(pair, {}, std::nan("")), Error);
}

}  // namespace
}  // namespace delassus
