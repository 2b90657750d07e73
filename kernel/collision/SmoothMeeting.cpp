// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/OverlapNormal.hpp>
#include <delassus/kernel/collision/SmoothMeeting.hpp>

#include <cmath>
#include <limits>

namespace delassus {
namespace {

constexpr double found = 1e-10;  // of the residual of a fixed point

// The map Φ whose fixed point is the normal.
class NormalMap {
 public:
  NormalMap(const PlacedConvex& smooth, const PlacedConvex& other, ConvexShape::OpenSides open)
      : smooth_(smooth), other_(other), open_(open), radius_(smooth.shape.largestCurvatureRadius()) {}

  double radius() const { return radius_; }

  SurfaceFoot footOf(const Vector3& n) const {
    const Vector3 centre = smooth_.support(-n) + radius_ * n;
    return other_.shape.footBeyond(other_.place.local(centre), open_);
  }
  Vector3 operator()(const Vector3& n) const { return other_.turned(footOf(n).normal); }

 private:
  const PlacedConvex& smooth_;
  const PlacedConvex& other_;
  ConvexShape::OpenSides open_;
  double radius_;
};

Vector3 unit(const Vector3& v) {
  return 1. / norm(v) * v;
}

// Newton's step of Φ(n) − n = 0 in the tangent plane of n, by differences; false if it makes no sense.
bool takeNewtonStep(const NormalMap& map, const Vector3& n, const Vector3& image, Vector3& next) {
  constexpr double step = 1e-7, largest = 0.5;
  const Matrix3 frame = contactFrame(n);
  const std::array<Vector3, 2> tangents{column(frame, 1), column(frame, 2)};
  std::array<double, 2> residual{};
  std::array<std::array<double, 2>, 2> J{};
  for (std::size_t i = 0; i < 2; ++i) residual[i] = dot(tangents[i], image);
  for (std::size_t j = 0; j < 2; ++j) {
    const Vector3 moved = unit(n + step * tangents[j]);
    const Vector3 change = map(moved) - moved - (image - n);
    for (std::size_t i = 0; i < 2; ++i) J[i][j] = dot(tangents[i], change) / step;
  }
  const double determinant = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  if (!(std::abs(determinant) > std::numeric_limits<double>::epsilon())) return false;
  const double u = -(J[1][1] * residual[0] - J[0][1] * residual[1]) / determinant;
  const double v = -(J[0][0] * residual[1] - J[1][0] * residual[0]) / determinant;
  if (!(u * u + v * v < largest * largest)) return false;
  next = unit(n + u * tangents[0] + v * tangents[1]);
  return true;
}

struct FixedPoint {
  Vector3 normal{};
  double residual = 0.;
};

FixedPoint fixedPoint(const NormalMap& map, const Vector3& about) {
  constexpr double rounding = 4. * std::numeric_limits<double>::epsilon();
  constexpr int most = 200;
  Vector3 n = about, image = map(n);
  double residual = norm(image - n);
  for (int k = 0; k < most && residual > rounding; ++k) {
    Vector3 next;
    if (takeNewtonStep(map, n, image, next)) {
      const Vector3 after = map(next);
      const double residualAfter = norm(after - next);
      if (residualAfter < 0.5 * residual) {
        n = next;
        image = after;
        residual = residualAfter;
        continue;
      }
      // As near as rounding lets it come.
      if (residual < 1e3 * rounding) break;
    }
    n = image;
    image = map(n);
    residual = norm(image - n);
  }
  return {n, residual};
}

// Of a long and thin shape near an edge or a corner the map contracts slowly, and Newton's method wants a start near
// the normal: the algorithms of Bullet have it to about 1e-4. Of what they lead to, and what there is, the normal along
// which the shapes are farthest apart.
FixedPoint normalOf(const NormalMap& map, const PlacedConvex& smooth, const PlacedConvex& other, const Vector3& about) {
  FixedPoint best = fixedPoint(map, about);
  if (best.residual <= found) return best;
  double apart = separationAlong(smooth, other, best.normal);
  for (const auto& start : {findOverlapNormal(smooth, other, best.normal), findNormalOfShrunk(smooth, other)}) {
    if (!start) continue;
    for (const Vector3& from : {*start, -*start}) {
      const FixedPoint next = fixedPoint(map, from);
      const double along = separationAlong(smooth, other, next.normal);
      const bool isBetter = next.residual <= found ? best.residual > found || along > apart : along > apart;
      if (!isBetter || (best.residual <= found && next.residual > found)) continue;
      best = next;
      apart = along;
    }
  }
  return best;
}

// What planes across a normal know that is not that of a foot: the separation along it, which is at most the distance.
SmoothMeeting meetAlong(const Vector3& n, const PlacedConvex& smooth, const PlacedConvex& other) {
  SmoothMeeting meeting;
  meeting.normal = n;
  meeting.gap = separationAlong(smooth, other, n);
  meeting.onSmooth = smooth.support(-n);
  meeting.onOther = meeting.onSmooth - meeting.gap * n;
  meeting.foot = {other.place.local(meeting.onOther), multiplyTransposed(other.place.rotation, n), meeting.gap};
  return meeting;
}

}  // namespace

bool isSmooth(const ConvexShape& shape) {
  return shape.ballRadius() == 0. && shape.isRound() && shape.faces().empty() && shape.edges().empty() &&
         shape.corners().empty() && shape.rims().empty();
}

bool hasBoundedCurvature(const ConvexShape& shape) {
  return shape.largestCurvatureRadius() > 0. && isSmooth(shape);
}

Vector3 directionOf(const PlacedConvex& smooth, const PlacedConvex& other) {
  return other.turned(other.shape.foot(other.place.local(smooth.centre())).normal);
}

SmoothMeeting meetSmooth(const PlacedConvex& smooth, const PlacedConvex& other, const Vector3& about,
                         ConvexShape::OpenSides open) {
  const NormalMap map(smooth, other, open);
  const FixedPoint at = normalOf(map, smooth, other, about);
  if (!(at.residual <= found)) return meetAlong(at.normal, smooth, other);
  SmoothMeeting meeting;
  meeting.foot = map.footOf(at.normal);
  meeting.normal = other.turned(meeting.foot.normal);
  meeting.gap = meeting.foot.distance - map.radius();
  meeting.onOther = other.place.place(meeting.foot.point);
  meeting.onSmooth = meeting.onOther + meeting.gap * meeting.normal;
  return meeting;
}

SmoothMeeting meetSmooth(const PlacedConvex& smooth, const Plane& plane) {
  SmoothMeeting meeting;
  meeting.normal = plane.normal;
  meeting.onSmooth = smooth.support(-plane.normal);
  meeting.gap = dot(plane.normal, meeting.onSmooth) - plane.offset;
  meeting.onOther = meeting.onSmooth - meeting.gap * plane.normal;
  meeting.foot = {meeting.onOther, plane.normal, meeting.gap};
  return meeting;
}

}  // namespace delassus
