// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/ShapeDistance.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>
#include <delassus/kernel/collision/SmoothMeeting.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>

namespace delassus {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// From the point to the surface; a point behind a part of a surface is as far away as one before it.
ShapeDistance distanceOfPoint(const Vector3& point, const PlacedConvex& shape) {
  const SurfaceFoot foot = shape.shape.foot(shape.place.local(point));
  const Vector3 normal = shape.turned(foot.normal), onShape = shape.place.place(foot.point);
  if (shape.shape.isOneSided() && foot.distance < 0.) return {-foot.distance, -normal, point, onShape};
  return {foot.distance, normal, point, onShape};
}

ShapeDistance reversed(const ShapeDistance& distance) {
  return {distance.gap, -distance.normal, distance.onSecond, distance.onFirst};
}

// The first shape is a ball about the point.
ShapeDistance grown(const ShapeDistance& distance, double radius) {
  return {distance.gap - radius, distance.normal, distance.onFirst - radius * distance.normal, distance.onSecond};
}

ShapeDistance distanceToPlane(const PlacedConvex& first, const Plane& plane) {
  const Vector3 lowest = first.support(-plane.normal);
  const double gap = dot(plane.normal, lowest) - plane.offset;
  return {gap, plane.normal, lowest, lowest - gap * plane.normal};
}

// Two convex shapes without balls. Keeps the nearest pair of points, and the separation along the best axis, which is
// never more than their distance: they are equal at the end.
class DistanceSearch {
 public:
  DistanceSearch(const PlacedConvex& first, const PlacedConvex& second)
      : first_(first), second_(second), size_(std::min(first.shape.size(), second.shape.size())) {}

  ShapeDistance run() {
    findSeparatingAxes(first_, second_, unbounded, axes_);
    consider(axes_.best().normal);
    for (const PlacedConvex* const owner : {&first_, &second_}) {
      if (!owner->shape.isOneSided()) continue;
      const Vector3 n = owner->turned(owner->shape.faces().front().normal);
      consider(n);
      consider(-n);
    }
    takeCorners(first_, second_, true);
    takeCorners(second_, first_, false);
    takeLines();
    takeRims();
    if (!isCertain()) takeFeetInTurn(first_.support(-axis_));
    if (!isCertain()) takeFeetInTurn(distanceOfPoint(second_.support(axis_), first_).onSecond);
    if (!isCertain() && nearest_.gap < unbounded) takeFeetInTurn(nearest_.onFirst);
    return apart_ > 0. ? nearest_ : overlapping();
  }

 private:
  bool isCertain() const {
    constexpr double exact = 1e-13;  // of the size of the smaller shape
    constexpr double rounding = 8. * std::numeric_limits<double>::epsilon();
    return nearest_.gap - apart_ <=
           exact * size_ + rounding * (norm(first_.place.position) + norm(second_.place.position));
  }

  void consider(const Vector3& normal) {
    const double apart = separationAlong(first_, second_, normal);
    if (!(apart > apart_)) return;
    apart_ = apart;
    axis_ = normal;
  }

  // A point of the surface of each shape.
  void consider(const ShapeDistance& pair) {
    if (!(pair.gap > 0.)) return;
    consider(pair.normal);
    if (pair.gap < nearest_.gap) nearest_ = pair;
  }

  void takeCorners(const PlacedConvex& owner, const PlacedConvex& other, bool ownerIsFirst) {
    for (const RoundCorner& corner : owner.shape.corners()) {
      const ShapeDistance pair = grown(distanceOfPoint(owner.place.place(corner.centre), other), corner.ball);
      consider(ownerIsFirst ? pair : reversed(pair));
    }
  }

  // Where two edges cross, or lines of ruled sides that the best axis so far has; corners have all others. The axis of
  // a cylinder ends at its rims.
  void takeLines() {
    const Vector3 n = axis_;
    anyLine(first_, -n, [&](const EdgeOrLine& a) {
      return anyLine(second_, n, [&](const EdgeOrLine& b) {
        meetLines(a.edge, b.edge);
        return false;
      });
    });
  }

  void meetLines(const RoundEdge& a, const RoundEdge& b) {
    if (norm(cross(a.direction, b.direction)) <= std::numeric_limits<double>::epsilon()) return;
    const NearestOnLines at = nearestOnLines(a.middle, a.direction, b.middle, b.direction);
    if (std::abs(at.along) > a.half || std::abs(at.alongSecond) > b.half) return;
    const Vector3 onFirst = a.middle + at.along * a.direction, onSecond = b.middle + at.alongSecond * b.direction;
    considerRounded(onFirst, a.rounding, onSecond, b.rounding);
  }

  // A rim and another curve, if these are what is nearest.
  void takeRims() {
    const SeparatingAxis& axis = axes_.others;
    if (axis.of != SeparatingAxis::Of::curves) return;
    const CurveMeeting meeting = meetCurves(axis.first, axis.second, parallelEdges);
    if (meeting.isFound) {
      considerRounded(meeting.onFirst, axis.first.rounding, meeting.onSecond, axis.second.rounding);
    }
  }

  // Points with balls about them.
  void considerRounded(const Vector3& onFirst, double rounding, const Vector3& onSecond, double otherRounding) {
    const double distance = norm(onFirst - onSecond);
    if (!(distance > 0.)) return;
    const Vector3 n = 1. / distance * (onFirst - onSecond);
    consider(
        ShapeDistance{distance - rounding - otherRounding, n, onFirst - rounding * n, onSecond + otherRounding * n});
  }

  // Each foot is nearer to the other shape than the one before.
  void takeFeetInTurn(Vector3 onFirst) {
    constexpr int most = 1000;
    double before = unbounded;
    for (int turn = 0; turn < most && !isCertain(); ++turn) {
      const ShapeDistance down = distanceOfPoint(onFirst, second_);
      if (!(down.gap > 0.)) return;
      consider(down);
      const ShapeDistance up = distanceOfPoint(down.onSecond, first_);
      if (!(up.gap > 0.)) return;
      consider(reversed(up));
      if (!(up.gap < before)) return;
      before = up.gap;
      onFirst = up.onSecond;
    }
  }

  ShapeDistance overlapping() const {
    Manifold manifold;
    findManifold(first_.shape, first_.place, second_.shape, second_.place, 0., manifold);
    Vector3 onFirst = first_.support(-axis_);
    double least = 0.;
    for (std::size_t k = 0; k < manifold.count; ++k) {
      if (manifold.points[k].gap >= least) continue;
      least = manifold.points[k].gap;
      onFirst = manifold.points[k].onFirst;
    }
    return {apart_, axis_, onFirst, onFirst - apart_ * axis_};
  }

  const PlacedConvex& first_;
  const PlacedConvex& second_;
  double size_;
  SeparatingAxes axes_;
  double apart_ = -unbounded;
  Vector3 axis_{1., 0., 0.};
  ShapeDistance nearest_{unbounded, {}, {}, {}};
};

// Of a smooth shape whose curvature is bounded.
ShapeDistance distanceOfSmooth(const PlacedConvex& smooth, const PlacedConvex& other) {
  const SmoothMeeting meeting = meetSmooth(smooth, other, directionOf(smooth, other));
  return {meeting.gap, meeting.normal, meeting.onSmooth, meeting.onOther};
}

ShapeDistance distanceOfConvex(const PlacedConvex& first, const PlacedConvex& second) {
  if (const double radius = first.shape.ballRadius(); radius > 0.) {
    return grown(distanceOfPoint(first.place.position, second), radius);
  }
  if (const double radius = second.shape.ballRadius(); radius > 0.) {
    return reversed(grown(distanceOfPoint(second.place.position, first), radius));
  }
  if (hasBoundedCurvature(first.shape) && !second.shape.isOneSided()) return distanceOfSmooth(first, second);
  if (hasBoundedCurvature(second.shape) && !first.shape.isOneSided()) return reversed(distanceOfSmooth(second, first));
  return DistanceSearch(first, second).run();
}

// The least of `distanceTo(part, its placement)` over the parts of a shape, which is one itself unless it is compound.
template <class DistanceTo>
ShapeDistance leastOfParts(const Shape& shape, const Placement& at, const DistanceTo& distanceTo) {
  if (shape.convex() != nullptr || shape.plane() != nullptr) return distanceTo(shape, at);
  if (shape.parts().empty()) {
    throw Error("findDistance", "a shape of class " + std::string(shape.className()) + " without parts is nowhere.");
  }
  ShapeDistance least{unbounded, {}, {}, {}};
  for (const PlacedShape& part : shape.parts()) {
    const ShapeDistance distance = leastOfParts(*part.shape, at.place(part.at), distanceTo);
    if (distance.gap < least.gap) least = distance;
  }
  return least;
}

ShapeDistance distanceOfParts(const Shape& first, const Placement& firstPlace, const Shape& second,
                              const Placement& secondPlace) {
  if (first.plane() != nullptr && second.plane() != nullptr) {
    throw Error("findDistance", "two half-spaces are given; one of both shapes must be bounded.");
  }
  if (first.plane() != nullptr) return reversed(distanceOfParts(second, secondPlace, first, firstPlace));
  const PlacedConvex a{*first.convex(), firstPlace};
  if (second.plane() != nullptr) return distanceToPlane(a, second.plane()->placed(secondPlace));
  return distanceOfConvex(a, {*second.convex(), secondPlace});
}

}  // namespace

ShapeDistance findDistance(const Shape& first, const Placement& firstPlace, const Shape& second,
                           const Placement& secondPlace) {
  for (const Placement* const at : {&firstPlace, &secondPlace}) shapes::requirePlacement(*at, "findDistance");
  return leastOfParts(first, firstPlace, [&](const Shape& part, const Placement& at) {
    return leastOfParts(second, secondPlace, [&](const Shape& other, const Placement& place) {
      return distanceOfParts(part, at, other, place);
    });
  });
}

ShapeDistance findDistance(const Vector3& point, const Shape& shape, const Placement& at) {
  shapes::requirePoint(point, "findDistance", "point");
  shapes::requirePlacement(at, "findDistance");
  return leastOfParts(shape, at, [&](const Shape& part, const Placement& place) {
    if (part.convex() != nullptr) return distanceOfPoint(point, {*part.convex(), place});
    const Plane plane = part.plane()->placed(place);
    const double height = dot(plane.normal, point) - plane.offset;
    return ShapeDistance{height, plane.normal, point, point - height * plane.normal};
  });
}

}  // namespace delassus
