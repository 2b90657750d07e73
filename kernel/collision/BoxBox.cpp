// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/NarrowPhase.hpp>

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

constexpr double tie = 1e-3;      // fraction of the smallest half edge: separations that differ by less count as equal
constexpr double rounded = 1e-2;  // fraction of it: the width of edges along which the normal turns from face to face

struct Box {
  Vector3 centre;
  Vector3 half;
  std::array<Vector3, 3> axes;

  Box(const BoxShape& shape, const Placement& place)
      : centre(place.position),
        half(shape.halfEdges()),
        axes{column(place.rotation, 0), column(place.rotation, 1), column(place.rotation, 2)} {}

  // Half the width along a unit vector.
  double reach(const Vector3& n) const {
    return half[0] * std::abs(dot(n, axes[0])) + half[1] * std::abs(dot(n, axes[1])) +
           half[2] * std::abs(dot(n, axes[2]));
  }
};

// The best separating axis of some kind.
struct Separation {
  double distance = -std::numeric_limits<double>::infinity();
  Vector3 normal{};  // out of the second box into the first
  std::size_t firstAxis = 0;
  std::size_t secondAxis = 0;

  void consider(const Box& first, const Box& second, const Vector3& axis, std::size_t i, std::size_t j) {
    const double between = dot(axis, first.centre - second.centre);
    const double separation = std::abs(between) - first.reach(axis) - second.reach(axis);
    if (separation <= distance) return;
    distance = separation;
    normal = (between < 0. ? -1. : 1.) * axis;
    firstAxis = i;
    secondAxis = j;
  }
};

Separation separateEdges(const Box& first, const Box& second) {
  constexpr double parallel = 1e-3;  // edges at a smaller angle: a face approximates the contact well enough
  Separation best;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Vector3 across = cross(first.axes[i], second.axes[j]);
      const double length = norm(across);
      if (length > parallel) best.consider(first, second, 1. / length * across, i, j);
    }
  }
  return best;
}

// A corner of a polygon in the frame of a face: two coordinates in it, and the height above it.
struct Corner {
  Vector3 at;
  bool isOfOther = false;  // a corner of the other box, not a place where an edge was cut
};

struct Polygon {
  // A quadrilateral that four lines cut has eight; rounding may double some.
  std::array<Corner, 12> corners;
  std::size_t count = 0;
  void add(const Corner& corner) {
    if (count < corners.size()) corners[count++] = corner;
  }
};

// The part of the polygon with side · x[axis] ≤ limit.
void clip(Polygon& polygon, std::size_t axis, double side, double limit) {
  Polygon kept;
  for (std::size_t k = 0; k < polygon.count; ++k) {
    const Corner& from = polygon.corners[k];
    const Corner& to = polygon.corners[(k + 1) % polygon.count];
    const double before = side * from.at[axis] - limit;
    const double after = side * to.at[axis] - limit;
    if (before <= 0.) kept.add(from);
    if ((before < 0. && after > 0.) || (before > 0. && after < 0.)) {
      kept.add({from.at + before / (before - after) * (to.at - from.at)});
    }
  }
  polygon = kept;
}

double areaOfTriangle(const Vector3& a, const Vector3& b, const Vector3& c) {
  return 0.5 * std::abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}

// Keeps the deepest corner and the three that span the largest area with it.
void reduce(Polygon& polygon) {
  if (polygon.count <= Manifold::maxPoints) return;
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
  polygon.count = Manifold::maxPoints;
}

// The number of the axis of the box that lies most along a direction.
std::size_t axisAlong(const Box& box, const Vector3& direction) {
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(dot(direction, box.axes[k])) > std::abs(dot(direction, box.axes[axis]))) axis = k;
  }
  return axis;
}

// The face of `owner` across `axis` that looks along `outward`.
struct Face {
  Vector3 centre;
  Vector3 normal;
  std::size_t u, v;  // axes in the face
};

Face faceOf(const Box& owner, std::size_t axis, const Vector3& outward) {
  const double side = dot(outward, owner.axes[axis]) < 0. ? -1. : 1.;
  const Vector3 normal = side * owner.axes[axis];
  return {owner.centre + owner.half[axis] * normal, normal, (axis + 1) % 3, (axis + 2) % 3};
}

// The face of `other` opposite to one with this normal.
Face opposite(const Box& other, const Vector3& normal) {
  return faceOf(other, axisAlong(other, normal), -normal);
}

// The outline of the face `incident` of `other` in the frame of a face of `owner`, as far as both share it.
Polygon outline(const Box& other, const Face& incident, const Box& owner, const Face& face) {
  const Vector3 toU = other.half[incident.u] * other.axes[incident.u];
  const Vector3 toV = other.half[incident.v] * other.axes[incident.v];
  const Vector3 from = incident.centre - face.centre;
  Polygon polygon;
  for (const auto& [a, b] : {std::pair{1., 1.}, std::pair{-1., 1.}, std::pair{-1., -1.}, std::pair{1., -1.}}) {
    const Vector3 corner = from + (a * toU + b * toV);
    polygon.add({{dot(corner, owner.axes[face.u]), dot(corner, owner.axes[face.v]), dot(corner, face.normal)}, true});
  }
  for (const double side : {1., -1.}) {
    clip(polygon, 0, side, owner.half[face.u]);
    clip(polygon, 1, side, owner.half[face.v]);
  }
  reduce(polygon);
  return polygon;
}

double widthOf(const Polygon& polygon) {
  Vector3 lower = polygon.corners[0].at, upper = lower;
  for (std::size_t k = 1; k < polygon.count; ++k) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      lower[axis] = std::min(lower[axis], polygon.corners[k].at[axis]);
      upper[axis] = std::max(upper[axis], polygon.corners[k].at[axis]);
    }
  }
  return std::min(upper[0] - lower[0], upper[1] - lower[1]);
}

// Two faces that meet. Each point of their common outline belongs to matter: a corner of the other box is above the
// face of the owner; where the faces are about parallel, a corner of the owner is above that of the other box, and
// where two edges cross neither face has more to say.
struct FaceMeeting {
  const Box& owner;
  const Face& face;
  const Face& incident;

  bool areParallel() const {
    constexpr double cosine = 0.999;
    return dot(face.normal, incident.normal) < -cosine;
  }
  bool isCornerOfOwner(const Vector3& at) const {
    constexpr double rounding = 1e-9;
    return std::abs(at[0]) > (1. - rounding) * owner.half[face.u] &&
           std::abs(at[1]) > (1. - rounding) * owner.half[face.v];
  }
  // As a point of which the owner is the first.
  Manifold::Point point(const Corner& corner) const {
    const Vector3& at = corner.at;
    const Vector3 onFace = face.centre + (at[0] * owner.axes[face.u] + at[1] * owner.axes[face.v]);
    if (corner.isOfOther || !areParallel()) return {onFace, onFace + at[2] * face.normal, at[2], 0.};
    if (!isCornerOfOwner(at)) return {onFace, onFace + at[2] * face.normal, at[2], 0.5};
    const double gap = dot(incident.normal, onFace - incident.centre);
    return {onFace, onFace - gap * incident.normal, gap, 1.};
  }
};

Manifold::Point exchanged(const Manifold::Point& point) {
  return {point.onSecond, point.onFirst, point.gap, 1. - point.share};
}

// `ownerIsFirst`: whether the face belongs to the first box.
void meetFace(const Box& owner, const Box& other, const Face& face, bool ownerIsFirst, double range,
              Manifold& manifold) {
  const Face incident = opposite(other, face.normal);
  const Polygon polygon = outline(other, incident, owner, face);
  manifold.normal = ownerIsFirst ? -face.normal : face.normal;
  manifold.normalOf = Manifold::NormalOf::faces;
  manifold.firstPart = ownerIsFirst ? -face.normal : -incident.normal;
  manifold.secondPart = ownerIsFirst ? incident.normal : face.normal;
  manifold.width = widthOf(polygon);
  const FaceMeeting meeting{owner, face, incident};
  for (std::size_t k = 0; k < polygon.count; ++k) {
    const Manifold::Point point = meeting.point(polygon.corners[k]);
    if (point.gap <= range) manifold.add(ownerIsFirst ? point : exchanged(point));
  }
}

// The middle of the edge of `box` along `axis` that lies farthest along n.
Vector3 edgeMiddle(const Box& box, std::size_t axis, const Vector3& n) {
  Vector3 middle = box.centre;
  for (std::size_t k = 0; k < 3; ++k) {
    if (k == axis) continue;
    middle = middle + (dot(n, box.axes[k]) < 0. ? -box.half[k] : box.half[k]) * box.axes[k];
  }
  return middle;
}

// The ends of what two parallel edges have in common.
void addCommonEnds(const Box& first, std::size_t i, const Box& second, std::size_t j, double share, double range,
                   Manifold& manifold) {
  const Vector3& a = first.axes[i];
  const Vector3 b = dot(a, second.axes[j]) < 0. ? -second.axes[j] : second.axes[j];
  const Vector3 onFirst = edgeMiddle(first, i, -manifold.normal);
  const Vector3 onSecond = edgeMiddle(second, j, manifold.normal);
  const double apart = dot(a, onSecond - onFirst);
  const double from = std::max(-first.half[i], apart - second.half[j]);
  const double to = std::min(first.half[i], apart + second.half[j]);
  if (from > to) return;
  for (const double along : {from, to}) {
    const Vector3 p = onFirst + along * a, q = onSecond + (along - apart) * b;
    const double gap = dot(manifold.normal, p - q);
    if (gap <= range) manifold.add({p, q, gap, share});
  }
}

// Where faces at an angle separate the boxes about equally, two parallel edges meet, and no face has the contact for
// itself. Its normal is that of edges with a rounding: it turns from the normal of one face to that of the other, as
// the separation along the latter overtakes. False if other parts of the boxes meet.
bool meetParallelEdges(const Box& first, const Box& second, const Separation& ofFirst, const Separation& ofSecond,
                       double rounding, double range, Manifold& manifold) {
  constexpr double blunt = 0.05;     // sine of the angle between faces that meet in edges
  constexpr double parallel = 1e-3;  // sine of the angle between edges; others cross
  const double lead = (ofSecond.distance - ofFirst.distance) / rounding;
  const Vector3 along = cross(ofFirst.normal, ofSecond.normal);
  if (std::abs(lead) >= 1. || norm(along) < blunt) return false;
  const std::size_t i = axisAlong(first, along), j = axisAlong(second, along);
  if (norm(cross(first.axes[i], second.axes[j])) > parallel) return false;
  const double share = 0.5 * (1. + lead);
  const Vector3 sum = (1. - share) * ofFirst.normal + share * ofSecond.normal;
  const Vector3 n = 1. / norm(sum) * sum;
  // The edges are those that both separations are measured at.
  const double between = dot(sum, edgeMiddle(first, i, -n) - edgeMiddle(second, j, n));
  if (std::abs(between - (1. - share) * ofFirst.distance - share * ofSecond.distance) > rounding) return false;
  manifold.normal = n;
  manifold.normalOf = Manifold::NormalOf::faces;
  manifold.firstPart = ofFirst.normal;
  manifold.secondPart = ofSecond.normal;
  manifold.width = 0.;
  addCommonEnds(first, i, second, j, share, range, manifold);
  return true;
}

bool isAlongAxis(const Box& box, const Vector3& n) {
  constexpr double cosine = 0.98;
  return std::abs(dot(n, box.axes[axisAlong(box, n)])) > cosine;
}

void meetEdges(const Box& first, const Box& second, const Separation& edges, double range, Manifold& manifold) {
  const Vector3& n = edges.normal;
  const Vector3& a = first.axes[edges.firstAxis];
  const Vector3& b = second.axes[edges.secondAxis];
  const Vector3 onFirst = edgeMiddle(first, edges.firstAxis, -n);
  const Vector3 onSecond = edgeMiddle(second, edges.secondAxis, n);
  const auto [s, t] = nearestOnLines(onFirst, a, onSecond, b);
  if (std::abs(s) > first.half[edges.firstAxis] || std::abs(t) > second.half[edges.secondAxis]) return;
  manifold.normal = n;
  manifold.normalOf = Manifold::NormalOf::edges;
  manifold.firstPart = a;
  manifold.secondPart = dot(cross(a, b), n) < 0. ? -b : b;
  if (isAlongAxis(first, n) || isAlongAxis(second, n)) manifold.width = 0.;
  const double gap = dot(n, onFirst - onSecond);
  if (gap > range) return;
  manifold.add({onFirst + s * a, onSecond + t * b, gap});
}

}  // namespace

void findBoxManifold(const BoxShape& first, const Placement& firstPlace, const BoxShape& second,
                     const Placement& secondPlace, double range, Manifold& manifold) {
  manifold.clear();
  const Box a(first, firstPlace);
  const Box b(second, secondPlace);
  Separation ofFirst, ofSecond;
  for (std::size_t k = 0; k < 3; ++k) ofFirst.consider(a, b, a.axes[k], k, 0);
  if (ofFirst.distance > range) return;
  for (std::size_t k = 0; k < 3; ++k) ofSecond.consider(a, b, b.axes[k], 0, k);
  if (ofSecond.distance > range) return;
  const Separation edges = separateEdges(a, b);
  if (edges.distance > range) return;

  const double size = std::min(sizeOf(first), sizeOf(second));
  const double same = tie * size;
  if (edges.distance > std::max(ofFirst.distance, ofSecond.distance) + same) {
    meetEdges(a, b, edges, range, manifold);
    return;
  }
  if (meetParallelEdges(a, b, ofFirst, ofSecond, rounded * size, range, manifold)) return;
  if (ofSecond.distance > ofFirst.distance + same) {
    meetFace(b, a, faceOf(b, ofSecond.secondAxis, ofSecond.normal), false, range, manifold);
  } else {
    meetFace(a, b, faceOf(a, ofFirst.firstAxis, -ofFirst.normal), true, range, manifold);
  }
}

}  // namespace delassus
