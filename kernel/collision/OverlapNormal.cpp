// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/OverlapNormal.hpp>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa3.h>

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// A shape as Bullet asks for it, in units of a size, since its tolerances are absolute.
class BulletView {
 public:
  // `at` is the place of the shape's origin in these units, `scale` shrinks the shape about its centre.
  BulletView(const PlacedConvex& convex, const Vector3& at, double unit, double scale = 1.)
      : convex_(convex), unit_(unit), scale_(scale) {
    const Matrix3& R = convex.place.rotation;
    transform_ =
        btTransform(btMatrix3x3(R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]), btVector3(at[0], at[1], at[2]));
  }
  const btTransform& getWorldTransform() const { return transform_; }
  btVector3 getObjectCenterInWorld() const { return transform_.getOrigin(); }
  btVector3 getLocalSupportWithMargin(const btVector3& d) const {
    const double length = d.length();
    const Vector3 direction = length > 0. ? Vector3{d[0] / length, d[1] / length, d[2] / length} : Vector3{1., 0., 0.};
    const Vector3 centre = convex_.shape.centre();
    const Vector3 point = 1. / unit_ * (centre + scale_ * (convex_.shape.support(direction) - centre));
    return {point[0], point[1], point[2]};
  }

 private:
  const PlacedConvex& convex_;
  double unit_, scale_;
  btTransform transform_;
};

// Two shapes in units of the size of the smaller one, the second at the origin.
struct ScaledPair {
  const PlacedConvex& first;
  const PlacedConvex& second;
  double unit = std::min(first.shape.size(), second.shape.size());
  Vector3 between = 1. / unit * (first.place.position - second.place.position);
  btVector3 guess{between[0], between[1], between[2]};

  // What Bullet sees of the first shape, displaced by `moved`, and of the second one.
  BulletView viewOfFirst(const Vector3& moved = {}, double scale = 1.) const {
    return BulletView(first, between + moved, unit, scale);
  }
  BulletView viewOfSecond(double scale = 1.) const { return BulletView(second, {}, unit, scale); }
  // A unit vector in the inertial frame; Bullet gives one in that of the first shape.
  std::optional<Vector3> normalOf(const btGjkEpaSolver3::sResults& results) const {
    const Vector3 normal{results.normal[0], results.normal[1], results.normal[2]};
    const double length = norm(normal);
    if (!(length > 0.5) || !std::isfinite(length)) return {};
    return 1. / length * first.turned(normal);
  }
};

constexpr double leastDistance = 0.01;  // in units of the size: at smaller ones the direction is rounding

}  // namespace

std::optional<Vector3> findNormalOfShrunk(const PlacedConvex& first, const PlacedConvex& second) {
  constexpr double shrunk = 0.9;
  const ScaledPair pair{first, second};
  btGjkEpaSolver3::sResults results;
  if (!btGjkEpaSolver3_Distance(pair.viewOfFirst({}, shrunk), pair.viewOfSecond(shrunk), pair.guess, results))
    return {};
  if (!(results.distance > leastDistance)) return {};
  return pair.normalOf(results);
}

std::optional<Vector3> findOverlapNormal(const PlacedConvex& first, const PlacedConvex& second, const Vector3& about) {
  const ScaledPair pair{first, second};
  const BulletView b = pair.viewOfSecond();
  const double least = separationAlong(first, second, about) - leastDistance * pair.unit;
  btGjkEpaSolver3::sResults results;
  std::optional<Vector3> normal;
  const auto isGood = [&] {
    normal = pair.normalOf(results);
    return normal &&
           std::max(separationAlong(first, second, *normal), separationAlong(first, second, -*normal)) >= least;
  };
  if (btGjkEpaSolver3_Distance(pair.viewOfFirst(), b, pair.guess, results) && results.distance > leastDistance &&
      isGood()) {
    return normal;
  }
  // For shapes that about touch it may be anything; these are pushed into each other a little.
  for (const double pushed : {0., 2. * leastDistance, 10. * leastDistance}) {
    const BulletView a = pair.viewOfFirst(-pushed * about);
    if (btGjkEpaSolver3_Penetration(a, b, pair.guess, results) && isGood()) return normal;
  }
  return {};
}

}  // namespace delassus
