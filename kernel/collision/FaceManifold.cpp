// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/FaceManifold.hpp>

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// A corner of a polygon in the frame of a face: two coordinates in it, and the height above it.
struct Corner {
  Vector3 at;
  bool isOfOther = false;  // a corner of the other shape, not a place where an edge was cut
  RoundCorner tip{};       // in the inertial frame, if it is round
};

// Two outlines that cut each other have at most as many corners as both; rounding may double some.
constexpr std::size_t mostCorners = 80;

struct Polygon {
  std::array<Corner, mostCorners> corners{};
  std::size_t count = 0;
  void add(const Corner& corner) {
    if (count < corners.size()) corners[count++] = corner;
  }
  bool isClosed() const { return count > 2; }
};

Corner between(const Corner& from, const Corner& to, double part) {
  Corner cut{from.at + part * (to.at - from.at), false, from.tip};
  cut.tip.centre += part * (to.tip.centre - from.tip.centre);
  return cut;
}

// The part of `from`, a polygon, an edge or a corner, with a x + b y ≤ c in the face.
void clip(const Polygon& from, double a, double b, double c, Polygon& kept) {
  kept.count = 0;
  const auto excess = [&](const Corner& corner) { return a * corner.at[0] + b * corner.at[1] - c; };
  for (std::size_t k = 0; k < from.count; ++k) {
    const Corner& corner = from.corners[k];
    const double before = excess(corner);
    if (before <= 0.) kept.add(corner);
    if (!from.isClosed() && k + 1 == from.count) break;
    const Corner& next = from.corners[(k + 1) % from.count];
    const double after = excess(next);
    if ((before < 0. && after > 0.) || (before > 0. && after < 0.)) {
      kept.add(between(corner, next, before / (before - after)));
    }
  }
}

double areaOfTriangle(const Vector3& a, const Vector3& b, const Vector3& c) {
  return 0.5 * std::abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}

// Takes away the corners that add least to the area.
void reduceRound(Polygon& polygon) {
  while (polygon.count > Manifold::maxPoints) {
    const auto corner = [&](std::size_t k) { return polygon.corners[k % polygon.count].at; };
    std::size_t least = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < polygon.count; ++k) {
      const double area = areaOfTriangle(corner(k + polygon.count - 1), corner(k), corner(k + 1));
      if (area >= smallest) continue;
      smallest = area;
      least = k;
    }
    for (std::size_t k = least; k + 1 < polygon.count; ++k) polygon.corners[k] = polygon.corners[k + 1];
    --polygon.count;
  }
}

// Keeps the deepest corner and the three that span the largest area with it.
void reduceSharp(Polygon& polygon) {
  if (polygon.count <= Manifold::mostSharp) return;
  const auto end = polygon.corners.begin() + static_cast<std::ptrdiff_t>(polygon.count);
  std::rotate(polygon.corners.begin(),
              std::min_element(polygon.corners.begin(), end,
                               [](const Corner& x, const Corner& y) { return x.at[2] < y.at[2]; }),
              end);
  const auto& corners = polygon.corners;
  std::array<std::size_t, 3> best{1, 2, 3};
  double largest = -1.;
  for (std::size_t i = 1; i < polygon.count; ++i) {
    for (std::size_t j = i + 1; j < polygon.count; ++j) {
      for (std::size_t k = j + 1; k < polygon.count; ++k) {
        const double area = areaOfTriangle(corners[0].at, corners[i].at, corners[j].at) +
                            areaOfTriangle(corners[0].at, corners[j].at, corners[k].at);
        if (area <= largest) continue;
        largest = area;
        best = {i, j, k};
      }
    }
  }
  for (std::size_t k = 0; k < best.size(); ++k) polygon.corners[k + 1] = polygon.corners[best[k]];
  polygon.count = Manifold::mostSharp;
}

// A face that another shape lies on.
class FaceMeeting {
 public:
  FaceMeeting(const PlacedFace& face, const PlacedConvex& other)
      : face_(face), other_(other), incident_(other.feature(-face.normal)) {
    const Matrix3 frame = contactFrame(face.normal);
    u_ = column(frame, 1);
    v_ = column(frame, 2);
    origin_ = face.offset * face.normal;
    if (!face.outline.empty()) {
      // The outline decides where it begins, so that it does not turn in its face from step to step.
      origin_ = corner(0);
      const Vector3 along = corner(1) - origin_;
      u_ = 1. / norm(along) * along;
      v_ = cross(face.normal, u_);
    }
    if (incident_.corners.size() > 2) incidentNormal_ = other.turned(incident_.normal);
    isParallel_ = dot(face.normal, incidentNormal_) < -parallel;
  }

  // The outline of the other shape's feature, as far as it is above the face.
  const Polygon& clippedOutline() const {
    // They are large: each thread keeps a pair in place of making one in each call.
    thread_local std::array<Polygon, 2> polygons;
    Polygon *polygon = &polygons[0], *clipped = &polygons[1];
    polygon->count = 0;
    for (const RoundCorner& corner : incident_.corners) polygon->add(seen(corner.placed(other_.place)));
    for (std::size_t k = 0; k < face_.outline.size() && polygon->count > 0; ++k) {
      const auto [a, b, c] = side(k);
      clip(*polygon, a, b, c, *clipped);
      std::swap(polygon, clipped);
    }
    if (incident_.rim != nullptr || face_.rim != nullptr) {
      reduceRound(*polygon);
      addRim(*polygon);
    } else {
      reduceSharp(*polygon);
    }
    return *polygon;
  }

  // As a point of which the owner of the face is the first.
  Manifold::Point point(const Corner& corner) const {
    const Vector3& at = corner.at;
    const Vector3 onFace = origin_ + (at[0] * u_ + at[1] * v_);
    const bool isAboveFace = corner.isOfOther || !isParallel_ || face_.isOneSided;
    if (isAboveFace) return {onFace, onFace + at[2] * face_.normal, at[2], 0., corner.tip};
    if (!isCornerOfFace(at)) return {onFace, onFace + at[2] * face_.normal, at[2], 0.5, {}};
    const double gap = dot(incidentNormal_, onFace - other_.place.place(incident_.corners[0].centre));
    return {onFace, onFace - gap * incidentNormal_, gap, 1., {}};
  }

  // The normal of the other shape's face, or that of this one, if there is none.
  Vector3 incidentNormal() const { return incidentNormal_ == Vector3{} ? -face_.normal : incidentNormal_; }

  static double widthOf(const Polygon& polygon) {
    Vector3 lower = polygon.corners[0].at, upper = lower;
    for (std::size_t k = 1; k < polygon.count; ++k) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        lower[axis] = std::min(lower[axis], polygon.corners[k].at[axis]);
        upper[axis] = std::max(upper[axis], polygon.corners[k].at[axis]);
      }
    }
    return std::min(upper[0] - lower[0], upper[1] - lower[1]);
  }

 private:
  static constexpr double parallel = 0.999;  // of the cosine

  Vector3 corner(std::size_t k) const { return face_.place->place(face_.outline[k % face_.outline.size()].centre); }
  Vector3 inFace(const Vector3& point) const {
    const Vector3 from = point - origin_;
    return {dot(u_, from), dot(v_, from), dot(face_.normal, point) - face_.offset};
  }
  Corner seen(const RoundCorner& placed) const {
    if (placed.isSharp()) return {inFace(placed.centre), true, {}};
    return {inFace(placed.towards(-face_.normal)), true, placed};
  }

  // Side k of the outline as the line a x + b y ≤ c.
  struct Side {
    double a, b, c;
  };
  Side side(std::size_t k) const {
    const Vector3 from = inFace(corner(k)), to = inFace(corner(k + 1));
    const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
    const double a = (to[1] - from[1]) / length, b = (from[0] - to[0]) / length;
    return {a, b, a * from[0] + b * from[1]};
  }

  // A round end that tilts stands on the lowest point of its rim: it replaces the lowest corner of the polygon, and
  // moves on the rim within the step, as the end rolls. That of an upright one is anywhere on the rim, and would go
  // round with rounding; that of a nearly upright one, which rests on several corners, stays where the step began.
  void addRim(Polygon& polygon) const {
    constexpr double upright = 1e-6, still = 1e-3;  // of the sine of the tilt
    if (incident_.rim == nullptr) return;
    const RoundCorner rim = incident_.rim->placed(other_.place);
    const double tilt = norm(cross(rim.axis, face_.normal));
    if (tilt < upright) return;
    const Corner lowest{inFace(rim.towards(-face_.normal)), true, tilt < still ? RoundCorner{} : rim};
    for (std::size_t k = 0; k < face_.outline.size(); ++k) {
      const auto [a, b, c] = side(k);
      if (a * lowest.at[0] + b * lowest.at[1] > c) return;
    }
    if (polygon.count == 0) return polygon.add(lowest);
    const auto end = polygon.corners.begin() + static_cast<std::ptrdiff_t>(polygon.count);
    const auto isLower = [](const Corner& x, const Corner& y) { return x.at[2] < y.at[2]; };
    *std::min_element(polygon.corners.begin(), end, isLower) = lowest;
  }

  bool isCornerOfFace(const Vector3& at) const {
    constexpr double rounding = 1e-9;  // of the size of the face
    double size = 0., nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < face_.outline.size(); ++k) {
      const Vector3 corner = inFace(this->corner(k));
      size = std::max(size, std::hypot(corner[0], corner[1]));
      nearest = std::min(nearest, std::hypot(corner[0] - at[0], corner[1] - at[1]));
    }
    return nearest <= rounding * size;
  }

  const PlacedFace& face_;
  const PlacedConvex& other_;
  Feature incident_;
  Vector3 u_, v_, origin_;
  Vector3 incidentNormal_{};
  bool isParallel_ = false;
};

Manifold::Point exchanged(const Manifold::Point& point) {
  return {point.onSecond, point.onFirst, point.gap, 1. - point.share, point.tip};
}

}  // namespace

PlacedFace PlacedFace::of(const PlacedConvex& owner, const Face& face) {
  const Vector3 normal = owner.turned(face.normal);
  return {normal,       face.offset + dot(normal, owner.place.position),
          face.outline, &owner.place,
          face.rim,     owner.shape.isOneSided()};
}

void meetFace(const PlacedFace& face, const PlacedConvex& other, bool ownerIsFirst, double range, Manifold& manifold) {
  const FaceMeeting meeting(face, other);
  const Polygon& polygon = meeting.clippedOutline();
  if (polygon.count == 0) return;
  manifold.normal = ownerIsFirst ? -face.normal : face.normal;
  manifold.firstPart = ownerIsFirst ? -face.normal : -meeting.incidentNormal();
  manifold.secondPart = ownerIsFirst ? meeting.incidentNormal() : face.normal;
  if (!face.outline.empty()) manifold.width = FaceMeeting::widthOf(polygon);
  for (std::size_t k = 0; k < polygon.count; ++k) {
    const Manifold::Point point = meeting.point(polygon.corners[k]);
    if (point.gap <= range) manifold.add(ownerIsFirst ? point : exchanged(point));
  }
}

}  // namespace delassus
