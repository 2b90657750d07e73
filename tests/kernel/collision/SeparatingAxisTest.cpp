// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SeparatingAxis.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/kernel/collision/PairGeometry.hpp>

#include "ConvexSamples.hpp"

// Axes of random pairs against the oracle, and the geometries that a step takes with their manifolds.

namespace delassus {
namespace {

using namespace test;
using testing::randomRotation;
using testing::randomVector;

// The separation along the axis is that of the shapes as the oracle has them, and no direction is better where shapes
// overlap, and for round shapes where they are apart, too. (Of sharp ones a corner that faces a corner or an edge has
// no axis.) Rims are met where the polytopes of Bullet, accurate to 1e-4 of the size, have found the place.
TEST(SeparatingAxis, IsTheBestOfAllDirections) {
  constexpr double rounding = 1e-15, ofRims = 1e-4;
  forEachPair(60, 17, [&](const Pair& pair) {
    if (pair.isOf(ellipsoid)) return;  // a smooth shape has no axes of parts: SmoothMeeting
    SeparatingAxes axes;
    findSeparatingAxes({*pair.first.shape->convex(), pair.at}, {*pair.second.shape->convex(), pair.other}, 1., axes);
    const SeparatingAxis& found = axes.best();
    EXPECT_NEAR(found.separation, pair.along(found.normal), rounding);
    const auto best = static_cast<double>(pair.apart(found.normal).distance);
    if (pair.isSharp() && best > 0.) return;
    EXPECT_GE(found.separation, best - (pair.hasRim() ? ofRims * pair.size() : 1e-12));
  });
}

// The side of a cone with edges, balls, rims and other sides: no search is left, so that the best axis is found to
// rounding, but where two rims meet alone.
TEST(SeparatingAxis, OfTheSideOfAConeIsExact) {
  int lines = 0, curves = 0, tested = 0, exact = 0;
  forEachPair(80, 23, [&](const Pair& pair) {
    if (!pair.isOf(cone) || pair.isOf(ellipsoid)) return;
    SeparatingAxes axes;
    findSeparatingAxes({*pair.first.shape->convex(), pair.at}, {*pair.second.shape->convex(), pair.other}, 1., axes);
    const SeparatingAxis& found = axes.best();
    const Apart apart = pair.apart(found.normal);
    const auto best = static_cast<double>(apart.distance);
    // A corner that faces a corner or an edge has no axis of its own.
    if (best > 0. && (pair.first.isSharp() || pair.second.isSharp()) && found.of != SeparatingAxis::Of::edges) return;
    ++tested;
    exact += found.separation >= best - 1e-9 * pair.size() ? 1 : 0;
    const bool isOfSide = found.number == SeparatingAxis::ofSide || found.numberOfSecond == SeparatingAxis::ofSide;
    lines += found.of == SeparatingAxis::Of::edges && isOfSide ? 1 : 0;
    curves += found.of == SeparatingAxis::Of::curves && (found.first.rim == 0. || found.second.rim == 0.) ? 1 : 0;
  });
  EXPECT_GE(exact, tested * 98 / 100) << "of " << tested;
  EXPECT_GT(lines, 20);
  EXPECT_GT(curves, 20);
}

// On one plane, where rims lie in it and the face on which both stand is no axis: supports say how far apart they are.
TEST(SeparatingAxis, HoldsShapesApartThatStandSideBySide) {
  std::mt19937 random(41);
  std::uniform_real_distribution<double> digits(-6., -2.);
  for (const auto& [kind, other] : {std::pair{cone, cone}, std::pair{cylinder, cone}, std::pair{cylinder, cylinder}}) {
    for (int k = 0; k < 300; ++k) {
      Pair pair{makeSample(kind, random), makeSample(other, random), {}, {}};
      // Upright, or tilted by a millionth.
      if (k % 2 == 0) pair.at.rotation = rotations::rotationMatrix(rotations::exponential(randomVector(random, 1e-6)));
      const auto below = [](const Sample& sample, const Placement& at) {
        return PlacedConvex{*sample.shape->convex(), at}.reach({0., 0., -1.});
      };
      // Bases touch first.
      const double gap = std::pow(10., digits(random)), angle = digits(random);
      const double apart = static_cast<double>(pair.first.model.radius + pair.second.model.radius) + gap;
      pair.at.position = {apart * std::cos(angle), apart * std::sin(angle),
                          below(pair.first, pair.at) - below(pair.second, pair.other)};
      SCOPED_TRACE(pair.text());
      SeparatingAxes axes;
      findSeparatingAxes({*pair.first.shape->convex(), pair.at}, {*pair.second.shape->convex(), pair.other}, 1., axes);
      EXPECT_NEAR(axes.best().separation, gap, 1e-3 * pair.size());
    }
  }
}

// A capsule, and the edge of a box, along a line of the side touch at both ends of what they have in common.
TEST(ManifoldOfACone, HasTwoPointsAlongALineOfTheSide) {
  constexpr double r = 0.1, h = 0.2, gap = 1e-3;
  const double slant = std::hypot(r, h);
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    const Placement at{randomVector(random, 1.), rotations::rotationMatrix(randomRotation(random))};
    // With its z axis along the line and its x axis along the normal of the side there.
    const Vector3 normal{h / slant, 0., r / slant}, line{-r / slant, 0., h / slant}, across = cross(line, normal);
    const Matrix3 along{normal[0], normal[1], normal[2], across[0], across[1], across[2], line[0], line[1], line[2]};
    const Vector3 middle{0.5 * r, 0., 0.25 * h};
    const Matrix3 onEdge =
        multiply(along, rotations::rotationMatrix(rotations::exponential({0., 0., 0.25 * std::acos(-1.)})));
    const std::array<std::pair<std::shared_ptr<const Shape>, Placement>, 2> others{
        {{shareShape(CapsuleShape(0.03, 0.1)), {middle + (0.03 + gap) * normal, along}},
         {shareShape(BoxShape(0.04, 0.04, 0.1)), {middle + (std::sqrt(0.5) * 0.04 + gap) * normal, onEdge}}}};
    for (const auto& [shape, place] : others) {
      Manifold manifold;
      findManifold(ConeShape(r, h), at, *shape, at.place(place), 0.01, manifold);
      ASSERT_EQ(manifold.count, 2u) << shape->className();
      EXPECT_NEAR(norm(manifold.points[0].onFirst - manifold.points[1].onFirst), 0.1, 1e-9);
      for (std::size_t point = 0; point < 2; ++point) EXPECT_NEAR(manifold.points[point].gap, gap, 1e-12);
      // A double root, known to the square root of rounding.
      EXPECT_NEAR(norm(manifold.normal + multiply(at.rotation, normal)), 0., 1e-7);
    }
  }
}

TEST(ManifoldGeometry, OfAllConvexPairsHasTheGapsThatWereFoundAndTheirDerivatives) {
  int tested = 0;
  forEachPair(40, 29, [&](const Pair& pair) {
    const auto bodyOf = [](const Sample& sample, const Placement& place) {
      return NewtonEulerDS::ofShape(*sample.shape, 1000., place.position, rotations::quaternion(place.rotation));
    };
    const auto a = bodyOf(pair.first, pair.at), b = bodyOf(pair.second, pair.other);
    const Collider one(a, pair.first.shape, placementInBody(*pair.first.shape), 0);
    const Collider two(b, pair.second.shape, placementInBody(*pair.second.shape), 0);
    Manifold manifold;
    findManifold(*pair.first.shape, one.placement(), *pair.second.shape, two.placement(), 0.05, manifold);
    if (manifold.count == 0) return;
    ++tested;
    const std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(one, two));
    geometry->beginPair(one, two);
    geometry->followPair(one, two, manifold);
    Vector q(14);
    for (std::size_t entry = 0; entry < 14; ++entry) q(entry) = entry < 7 ? a->q()(entry) : b->q()(entry - 7);
    std::vector<ContactPoint> contacts(geometry->points());
    geometry->findContacts(0., q, contacts.data());
    double smallest = contacts[0].gap;
    for (const ContactPoint& contact : contacts) smallest = std::min(smallest, contact.gap);
    EXPECT_NEAR(smallest, manifold.gap(), 1e-11);  // rims to the rounding of Newton's method on them
    NewtonEuler3DR relation(geometry);
    JacobianCheck check;
    check.tolerance = 1e-4;  // rims turn fast where they cross at a small angle
    EXPECT_NO_THROW(relation.checkJacobians(0., q, 12, check, "a pair"));
  });
  EXPECT_GT(tested, 300);
}

// A seventh of the poses: then there is a point, and what it says of the depth is not more than two ties of a
// thousandth of the size from the best axis; a cylinder's end leaves out 2 % of its radius at up to three degrees.
TEST(SeparatingAxis, ShapesThatOverlapHaveAPoint) {
  int tested = 0;
  forEachPair(800, 31, [&](const Pair& pair) {
    if (pair.isOf(ellipsoid)) return;
    SeparatingAxes axes;
    findSeparatingAxes({*pair.first.shape->convex(), pair.at}, {*pair.second.shape->convex(), pair.other}, 1., axes);
    if (axes.best().separation > -1e-9) return;
    ++tested;
    const Manifold manifold = pair.meet();
    ASSERT_GT(manifold.count, 0u);
    const double ofRims = pair.hasRim() ? 0.053 * 0.02 * 0.1 : 0.;
    EXPECT_NEAR(manifold.gap(), axes.best().separation, 2e-3 * pair.size() + ofRims);
  });
  EXPECT_GT(tested, 1000);
}

// A smooth shape of one's own, which has no parts.
class Ellipsoid final : public ConvexShape {
 public:
  explicit Ellipsoid(const Vector3& half) : half_(half) {}
  std::string_view className() const override { return "Ellipsoid"; }
  std::vector<double> parameters() const override { return {half_[0], half_[1], half_[2]}; }
  Settings settings() const override { return {}; }
  Bounds bounds(const Placement& at) const override {
    Vector3 extents;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 row{at.rotation[i], at.rotation[i + 3], at.rotation[i + 6]};
      extents[i] = norm({row[0] * half_[0], row[1] * half_[1], row[2] * half_[2]});
    }
    return Bounds::about(at.position, extents);
  }
  double size() const override { return std::min({half_[0], half_[1], half_[2]}); }
  double spinRadius() const override { return norm(half_); }
  MassProperties massProperties(double density) const override { return {density, {}, diagonal3(1., 1., 1.)}; }
  Surface surface(std::size_t segments) const override { return Surface::sphere(1., segments); }
  Vector3 support(const Vector3& d) const override {
    const Vector3 scaled{half_[0] * d[0], half_[1] * d[1], half_[2] * d[2]};
    const double length = norm(scaled);
    return {half_[0] * scaled[0] / length, half_[1] * scaled[1] / length, half_[2] * scaled[2] / length};
  }
  SurfaceFoot foot(const Vector3& point) const override { return {point, {1., 0., 0.}, 0.}; }
  Feature feature(const Vector3&) const override { return {}; }
  bool isRound() const override { return true; }

 private:
  Vector3 half_;
};

// Above a box, with the lowest point where its support is; the polytopes of Bullet are accurate to 1e-4 of the size.
TEST(NarrowPhase, AShapeOfOnesOwnMeetsOthersAtItsSupportPoint) {
  const Ellipsoid egg({0.1, 0.2, 0.15});
  const BoxShape table(1., 1., 0.2);
  for (const double depth : {-1e-3, 1e-3}) {
    const Placement at = Placement::at({0.2, 0.1, 0.1 + 0.15 - depth});
    Manifold manifold;
    findManifold(egg, at, table, {}, 0.05, manifold);
    ASSERT_EQ(manifold.count, 1u);
    EXPECT_NEAR(manifold.gap(), -depth, 1e-5);
    EXPECT_NEAR(norm(manifold.points[0].onFirst - Vector3{0.2, 0.1, 0.1 - depth}), 0., 1e-4);
  }
}

}  // namespace
}  // namespace delassus
