// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/NarrowPhase.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/collision/CrossedFaces.hpp>
#include <delassus/kernel/collision/EdgeManifold.hpp>
#include <delassus/kernel/collision/FaceManifold.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>
#include <delassus/kernel/collision/SmoothMeeting.hpp>

namespace delassus {
namespace {

constexpr double tie = 1e-3;      // of the size of the smaller shape: separations that differ by less count as equal
constexpr double rounded = 1e-2;  // of it: the width of edges along which the normal turns from face to face
constexpr double deepest = 0.5;   // of the radius of a ball: its centre is not deeper behind a surface that holds it

// Spheres with each other and with planes are most of what a heap of grains asks for.
void meetBalls(const Vector3& first, double radius, const Vector3& second, double secondRadius, double range,
               Manifold& manifold) {
  const Vector3 between = first - second;
  const double distance = norm(between), gap = distance - radius - secondRadius;
  const Vector3 n = distance > 0. ? 1. / distance * between : Vector3{1., 0., 0.};
  manifold.setNormal(n);
  if (gap > range) return;
  const Vector3 onSecond = second + secondRadius * n;
  manifold.add({onSecond + gap * n, onSecond, gap, 1., {}});
}

void meetBallOnPlane(const Vector3& centre, double radius, const Plane& plane, double range, Manifold& manifold) {
  const double height = dot(plane.normal, centre) - plane.offset;
  manifold.setNormal(plane.normal);
  if (height - radius > range) return;
  const Vector3 onPlane = centre - height * plane.normal;
  manifold.add({onPlane + (height - radius) * plane.normal, onPlane, height - radius, 1., {}});
}

void meetBall(const PlacedConvex& ball, const PlacedConvex& other, bool ballIsFirst, double range, Manifold& manifold) {
  const SurfaceFoot foot = other.shape.foot(other.place.local(ball.place.position));
  const Vector3 outwards = other.turned(foot.normal);
  const double radius = ball.shape.ballRadius(), gap = foot.distance - radius;
  const Vector3 onOther = other.place.place(foot.point), onBall = onOther + gap * outwards;
  manifold.setNormal(ballIsFirst ? outwards : -outwards);
  if (gap > range) return;
  const bool isBehind = other.shape.isOneSided() && foot.distance < -deepest * radius;
  if (isBehind || !other.shape.admits(foot.point, foot.normal)) return;
  manifold.openSides = other.shape.openAt(foot);
  if (ballIsFirst) {
    manifold.add({onBall, onOther, gap, 1., {}});
  } else {
    manifold.add({onOther, onBall, gap, 1., {}});
  }
}

void addSmooth(const SmoothMeeting& meeting, bool smoothIsFirst, double range, Manifold& manifold) {
  manifold.setNormal(smoothIsFirst ? meeting.normal : -meeting.normal);
  if (meeting.gap > range) return;
  if (smoothIsFirst) {
    manifold.add({meeting.onSmooth, meeting.onOther, meeting.gap, 1., {}});
  } else {
    manifold.add({meeting.onOther, meeting.onSmooth, meeting.gap, 1., {}});
  }
}

// A smooth shape whose curvature is bounded.
void meetSmoothShape(const PlacedConvex& smooth, const PlacedConvex& other, bool smoothIsFirst, double range,
                     Manifold& manifold) {
  const SmoothMeeting meeting = meetSmooth(smooth, other, directionOf(smooth, other));
  addSmooth(meeting, smoothIsFirst, range, manifold);
  const SurfaceFoot& foot = meeting.foot;
  const bool isBehind = other.shape.isOneSided() && meeting.gap < -deepest * smooth.shape.size();
  if (isBehind || !other.shape.admits(foot.point, foot.normal)) return manifold.clear();
  manifold.openSides = other.shape.openAt({foot.point, foot.normal, meeting.gap});
  // Beside a face, which a flat neighbour may continue.
  constexpr double same = 1. - 1e-12;  // of the cosine
  const auto isOfFace = [&](const Face& face) { return dot(face.normal, foot.normal) > same; };
  if (!other.shape.faces().empty() && std::ranges::none_of(other.shape.faces(), isOfFace)) manifold.width = 0.;
}

// The part of findManifold for two convex shapes without spheres.
class ConvexMeeting {
 public:
  ConvexMeeting(const PlacedConvex& first, const PlacedConvex& second, double range, Manifold& manifold)
      : first_(first),
        second_(second),
        range_(range),
        size_(std::min(first.shape.size(), second.shape.size())),
        manifold_(manifold) {}

  void run() {
    if (!findSeparatingAxes(first_, second_, range_, axes_)) return;
    meetBestAxis();
    if (second_.shape.isOneSided()) return leaveToNeighbours();
    // Parts that do not meet, as edges beyond their ends, or that are farther apart than all that edges are rounded by,
    // say nothing of where shapes that overlap do.
    const double separation = axes_.best().separation, width = manifold_.width;
    if (separation < 0. && manifold_.gap() > separation + 2. * rounded * size_) {
      manifold_.clear();
      manifold_.width = width;
      meetAtSupports(first_, second_, axes_.best(), range_, manifold_);
    }
  }

 private:
  // Of a part of a surface: takes away what belongs to its neighbours or lies too deep. Where nothing is left it has
  // the face itself, or one of its ridges: the best axis of a triangle alone, a face of the other shape say, may be no
  // normal of the surface.
  void leaveToNeighbours() {
    const double most = -2. * first_.shape.size();
    const Vector3 n = multiplyTransposed(second_.place.rotation, manifold_.normal);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < manifold_.count; ++k) {
      const Manifold::Point& point = manifold_.points[k];
      if (point.gap < most || !second_.shape.admits(second_.place.local(point.onSecond), n)) continue;
      manifold_.points[kept++] = point;
    }
    manifold_.count = kept;
    const SeparatingAxis& face = axes_.secondFace;
    if (kept > 0 || face.of == SeparatingAxis::Of::none) return;
    manifold_.clear();
    if (face.separation >= most) {
      meetFaceOf(second_, first_, face, false);
      if (holdsLowest(face.separation) || meetLowest(face)) return;
    }
    manifold_.clear();
    meetRidges(first_, second_, 2. * tie * size_, most, range_, manifold_);
  }

  // Whether the face of the second shape has the lowest part of the first above it, not at an end where the surface
  // falls off, unless no axis is better.
  bool holdsLowest(double separation) const {
    const double near = 2. * tie * first_.shape.size();
    const bool isBest = separation >= axes_.best().separation - near;
    for (std::size_t k = 0; k < manifold_.count; ++k) {
      const Manifold::Point& point = manifold_.points[k];
      const bool isLowest = point.gap <= separation + near;
      if (isLowest && (isBest || second_.shape.isWithin(second_.place.local(point.onSecond), 0.))) return true;
    }
    return false;
  }

  // The lowest point of the first shape where the face of the second does not have it above it, but no other face
  // either, below a valley.
  bool meetLowest(const SeparatingAxis& face) {
    const Vector3 lowest = first_.support(-face.normal), foot = lowest - face.separation * face.normal;
    manifold_.clear();
    if (face.separation > 0. || !second_.shape.isWithin(second_.place.local(foot), -face.separation)) return false;
    manifold_.setNormal(face.normal);
    manifold_.add({lowest, foot, face.separation, 1., {}});
    return true;
  }

  void meetBestAxis() {
    const SeparatingAxis &ofFirst = axes_.firstFace, &ofSecond = axes_.secondFace;
    const double same = tie * size_;
    const bool hasFaces = ofFirst.of != SeparatingAxis::Of::none || ofSecond.of != SeparatingAxis::Of::none;
    if (!hasFaces || axes_.others.separation > std::max(ofFirst.separation, ofSecond.separation) + same) {
      meetOthers();
      return;
    }
    if (meetSharpEdges(first_, second_, ofFirst, ofSecond, rounded * size_, range_, manifold_)) return;
    // A sharp outline says more than the corners on a rim.
    const bool takesSecond = !first_.shape.rims().empty() && second_.shape.rims().empty();
    if (ofSecond.separation > ofFirst.separation + (takesSecond ? -same : same)) {
      meetFaceOf(second_, first_, ofSecond, false);
    } else {
      meetFaceOf(first_, second_, ofFirst, true);
    }
    takeOthersIfNearer(std::max(ofFirst.separation, ofSecond.separation));
  }

  // What is nearest may be beside the outline of the face that it is above: then points of the face are farther than
  // the shapes are, or there are none, and another axis is about as good.
  void takeOthersIfNearer(double ofFace) {
    const bool isMissed = manifold_.gap() > ofFace + 2. * tie * size_;
    if (!isMissed || !(axes_.others.separation > ofFace - rounded * size_)) return;
    const Manifold ofFaces = manifold_;
    meetOthers();
    if (!(manifold_.gap() < ofFaces.gap())) manifold_ = ofFaces;
  }

  void meetFaceOf(const PlacedConvex& owner, const PlacedConvex& other, const SeparatingAxis& axis, bool ownerIsFirst) {
    meetFace(PlacedFace::of(owner, owner.shape.faces()[axis.number]), other, ownerIsFirst, range_, manifold_);
  }

  void meetOthers() {
    const SeparatingAxis& axis = axes_.others;
    manifold_.clear();
    const bool isRound = first_.shape.isRound() || second_.shape.isRound();
    if (!isRound || !meetParallelEdges(first_, second_, axis, tie * size_, range_, manifold_)) meetAlong(axis);
    // Beside a face, which a flat neighbour may continue.
    const bool hasFaces = !first_.shape.faces().empty() || !second_.shape.faces().empty();
    if (isRound && hasFaces) manifold_.width = 0.;
  }

  void meetAlong(const SeparatingAxis& axis) {
    switch (axis.of) {
      case SeparatingAxis::Of::edges:
        meetEdges(first_, second_, axis, range_, manifold_);
        break;
      case SeparatingAxis::Of::curves:
        meetAtCurves(axis, range_, manifold_);
        addCrossedFaces(first_, nullptr, second_, nullptr, range_, manifold_);
        break;
      case SeparatingAxis::Of::firstBall:
        meetAtFoot(first_, second_, axis, true, range_, manifold_);
        break;
      case SeparatingAxis::Of::secondBall:
        meetAtFoot(second_, first_, axis, false, range_, manifold_);
        break;
      case SeparatingAxis::Of::supports:
        meetAtSupports(first_, second_, axis, range_, manifold_);
        addCrossedFaces(first_, nullptr, second_, nullptr, range_, manifold_);
        break;
      default:
        break;
    }
  }

  const PlacedConvex& first_;
  const PlacedConvex& second_;
  double range_, size_;
  Manifold& manifold_;
  SeparatingAxes axes_;
};

}  // namespace

void findManifold(const Shape& first, const Placement& firstPlace, const Shape& second, const Placement& secondPlace,
                  double range, Manifold& manifold) {
  manifold.clear();
  if (first.convex() == nullptr) return;
  const PlacedConvex a{*first.convex(), firstPlace};
  const double radius = a.shape.ballRadius();
  if (second.plane() != nullptr) {
    const Plane plane = second.plane()->placed(secondPlace);
    if (radius > 0.) return meetBallOnPlane(firstPlace.position, radius, plane, range, manifold);
    if (isSmooth(a.shape)) return addSmooth(meetSmooth(a, plane), true, range, manifold);
    const PlacedFace floor{plane.normal, plane.offset, {}, nullptr, nullptr};
    meetFace(floor, a, false, range, manifold);
    return;
  }
  if (second.convex() == nullptr) return;
  const PlacedConvex b{*second.convex(), secondPlace};
  const double secondRadius = b.shape.ballRadius();
  if (radius > 0. && secondRadius > 0.) {
    meetBalls(firstPlace.position, radius, secondPlace.position, secondRadius, range, manifold);
  } else if (radius > 0.) {
    meetBall(a, b, true, range, manifold);
  } else if (secondRadius > 0.) {
    meetBall(b, a, false, range, manifold);
  } else if (hasBoundedCurvature(a.shape)) {
    meetSmoothShape(a, b, true, range, manifold);
  } else if (hasBoundedCurvature(b.shape)) {
    meetSmoothShape(b, a, false, range, manifold);
  } else {
    ConvexMeeting(a, b, range, manifold).run();
  }
}

}  // namespace delassus
