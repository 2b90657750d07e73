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
  BulletView(const PlacedConvex& convex, const Vector3& at, double unit) : convex_(convex), unit_(unit) {
    const Matrix3& R = convex.place.rotation;
    transform_ =
        btTransform(btMatrix3x3(R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]), btVector3(at[0], at[1], at[2]));
  }
  const btTransform& getWorldTransform() const { return transform_; }
  btVector3 getObjectCenterInWorld() const { return transform_.getOrigin(); }
  btVector3 getLocalSupportWithMargin(const btVector3& d) const {
    const double length = d.length();
    const Vector3 direction = length > 0. ? Vector3{d[0] / length, d[1] / length, d[2] / length} : Vector3{1., 0., 0.};
    const Vector3 point = 1. / unit_ * convex_.shape.support(direction);
    return {point[0], point[1], point[2]};
  }

 private:
  const PlacedConvex& convex_;
  double unit_;
  btTransform transform_;
};

}  // namespace

std::optional<Vector3> findOverlapNormal(const PlacedConvex& first, const PlacedConvex& second, const Vector3& about) {
  constexpr double leastDistance = 0.01;  // in units of the size: at smaller ones the direction is rounding
  const double unit = std::min(first.shape.size(), second.shape.size());
  const Vector3 between = 1. / unit * (first.place.position - second.place.position);
  const BulletView b(second, {}, unit);
  const btVector3 guess(between[0], between[1], between[2]);
  btGjkEpaSolver3::sResults results;
  bool isFound =
      btGjkEpaSolver3_Distance(BulletView(first, between, unit), b, guess, results) && results.distance > leastDistance;
  // Shapes that touch are pushed into each other a little.
  for (const double pushed : {0., 2. * leastDistance, 10. * leastDistance}) {
    if (isFound) break;
    isFound = btGjkEpaSolver3_Penetration(BulletView(first, between - pushed * about, unit), b, guess, results);
  }
  if (!isFound) return {};
  const Vector3 normal{results.normal[0], results.normal[1], results.normal[2]};
  const double length = norm(normal);
  if (!(length > 0.5) || !std::isfinite(length)) return {};
  return 1. / length * first.turned(normal);  // it comes in the frame of the first shape
}

}  // namespace delassus
