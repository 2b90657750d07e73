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
  // `at`: of the shape's origin, in these units.
  // `scale`: of the shape about its centre.
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

}  // namespace

namespace {

// A unit vector in the inertial frame; Bullet gives one in that of the first shape.
std::optional<Vector3> normalOf(const btGjkEpaSolver3::sResults& results, const PlacedConvex& first) {
  const Vector3 normal{results.normal[0], results.normal[1], results.normal[2]};
  const double length = norm(normal);
  if (!(length > 0.5) || !std::isfinite(length)) return {};
  return 1. / length * first.turned(normal);
}

}  // namespace

std::optional<Vector3> findNormalOfShrunk(const PlacedConvex& first, const PlacedConvex& second) {
  constexpr double shrunk = 0.9, leastDistance = 0.01;
  const double unit = std::min(first.shape.size(), second.shape.size());
  const Vector3 between = 1. / unit * (first.place.position - second.place.position);
  const btVector3 guess(between[0], between[1], between[2]);
  btGjkEpaSolver3::sResults results;
  const BulletView a(first, between, unit, shrunk), b(second, {}, unit, shrunk);
  if (!btGjkEpaSolver3_Distance(a, b, guess, results) || !(results.distance > leastDistance)) return {};
  return normalOf(results, first);
}

std::optional<Vector3> findOverlapNormal(const PlacedConvex& first, const PlacedConvex& second, const Vector3& about) {
  constexpr double leastDistance = 0.01;  // in units of the size: at smaller ones the direction is rounding
  const double unit = std::min(first.shape.size(), second.shape.size());
  const Vector3 between = 1. / unit * (first.place.position - second.place.position);
  const BulletView b(second, {}, unit);
  const btVector3 guess(between[0], between[1], between[2]);
  const auto separation = [&](const Vector3& n) { return -first.reach(-n) - second.reach(n); };
  const double least = separation(about) - leastDistance * unit;
  btGjkEpaSolver3::sResults results;
  std::optional<Vector3> normal;
  const auto isGood = [&] {
    normal = normalOf(results, first);
    return normal && std::max(separation(*normal), separation(-*normal)) >= least;
  };
  if (btGjkEpaSolver3_Distance(BulletView(first, between, unit), b, guess, results) &&
      results.distance > leastDistance && isGood()) {
    return normal;
  }
  // Of shapes that about touch it may be anything; these are pushed into each other a little.
  for (const double pushed : {0., 2. * leastDistance, 10. * leastDistance}) {
    const BulletView a(first, between - pushed * about, unit);
    if (btGjkEpaSolver3_Penetration(a, b, guess, results) && isGood()) return normal;
  }
  return {};
}

}  // namespace delassus
