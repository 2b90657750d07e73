// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SeparatingAxis.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/collision/OverlapNormal.hpp>
#include <optional>
#include <vector>

namespace delassus {
namespace {

// Looks for the best axis of two shapes.
class AxisSearch {
 public:
  AxisSearch(const PlacedConvex& first, const PlacedConvex& second, double range, SeparatingAxes& axes)
      : first_(first), second_(second), range_(range), axes_(axes), between_(first.centre() - second.centre()) {}

  bool run() {
    searchFaces(first_, second_, -1., axes_.firstFace);
    if (axes_.firstFace.separation > range_) return false;
    searchFaces(second_, first_, 1., axes_.secondFace);
    if (axes_.secondFace.separation > range_) return false;
    searchEdges();
    if (first_.shape.isRound() || second_.shape.isRound()) searchRound();
    return axes_.others.separation <= range_;
  }

 private:
  // `side`: of n along the normal of the face.
  void searchFaces(const PlacedConvex& owner, const PlacedConvex& other, double side, SeparatingAxis& best) const {
    const std::span<const Face> faces = owner.shape.faces();
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const Vector3 outward = owner.turned(faces[k].normal);
      if (side * dot(outward, between_) < 0.) continue;  // it looks away
      const double separation = -other.reach(-outward) - faces[k].offset - dot(outward, owner.place.position);
      if (separation <= best.separation) continue;
      best.separation = separation;
      best.normal = side * outward;
      best.of = SeparatingAxis::Of::face;
      best.number = k;
    }
  }

  // A unit vector of either sense.
  Vector3 towardsFirst(const Vector3& direction) const {
    return dot(direction, between_) < 0. ? -direction : direction;
  }

  // The axis that a unit vector of either sense gives, if it is the best one so far, by this lead.
  SeparatingAxis* consider(const Vector3& direction, SeparatingAxis::Of of, double lead = 0.) {
    const Vector3 n = towardsFirst(direction);
    const double separation = -first_.reach(-n) - second_.reach(n);
    if (separation <= axes_.others.separation + lead) return nullptr;
    axes_.others.separation = separation;
    axes_.others.normal = n;
    axes_.others.of = of;
    return &axes_.others;
  }

  bool hasAxis() const {
    return axes_.firstFace.of != SeparatingAxis::Of::none || axes_.secondFace.of != SeparatingAxis::Of::none ||
           axes_.others.of != SeparatingAxis::Of::none;
  }

  // Whether parts with this gap are those at which the shapes are separated along a unit vector.
  bool isWitness(const Vector3& direction, double gap) const {
    constexpr double rounding = 1e-6;  // of the size of the smaller shape
    const Vector3 n = towardsFirst(direction);
    const double separation = -first_.reach(-n) - second_.reach(n);
    return gap - separation <= rounding * std::min(first_.shape.size(), second_.shape.size());
  }

  void searchEdges() {
    const std::span<const Vector3> along = first_.shape.directions(), alongSecond = second_.shape.directions();
    for (std::size_t i = 0; i < along.size(); ++i) {
      const Vector3 a = first_.turned(along[i]);
      for (std::size_t j = 0; j < alongSecond.size(); ++j) {
        const Vector3 across = cross(a, second_.turned(alongSecond[j]));
        const double sine = norm(across);
        if (sine <= parallelEdges) continue;
        if (SeparatingAxis* const best = consider(1. / sine * across, SeparatingAxis::Of::edges)) {
          best->number = i;
          best->numberOfSecond = j;
        }
      }
    }
  }

  void searchRound() {
    searchCorners(first_, second_, SeparatingAxis::Of::firstBall, true);
    searchCorners(second_, first_, SeparatingAxis::Of::secondBall, true);
    searchParallelEdges();
    if (!first_.shape.rims().empty() || !second_.shape.rims().empty()) searchRims();
    if (hasAxis()) return;
    // Shapes that hold each other, as capsules on one line.
    searchCorners(first_, second_, SeparatingAxis::Of::firstBall, false);
    searchCorners(second_, first_, SeparatingAxis::Of::secondBall, false);
  }

  // Of corners with the surface of the other shape; sharp ones matter where that is round. Another corner may have the
  // same normal, at the far end of the shape: it is no witness of the separation.
  void searchCorners(const PlacedConvex& owner, const PlacedConvex& other, SeparatingAxis::Of of, bool asWitness) {
    const std::span<const RoundCorner> corners = owner.shape.corners();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (corners[k].isSharp() && !other.shape.isRound()) continue;
      const SurfaceFoot foot = other.shape.foot(other.place.local(owner.place.place(corners[k].centre)));
      if (asWitness && !isWitness(other.turned(foot.normal), foot.distance - corners[k].ball)) continue;
      if (SeparatingAxis* const best = consider(other.turned(foot.normal), of)) best->number = k;
    }
  }

  // Across edges that are about parallel, of which one is round.
  void searchParallelEdges() {
    constexpr double about = 0.1;  // of the sine
    for (const RoundEdge& edge : first_.shape.edges()) {
      const RoundEdge a = first_.placed(edge);
      for (const RoundEdge& other : second_.shape.edges()) {
        if (!(edge.rounding > 0. || other.rounding > 0.)) continue;
        const RoundEdge b = second_.placed(other);
        if (norm(cross(a.direction, b.direction)) > about) continue;
        const Vector3 between = a.middle - b.middle;
        const Vector3 across = between - dot(between, a.direction) * a.direction;
        const double distance = norm(across);
        if (distance > 0.) consider(1. / distance * across, SeparatingAxis::Of::sideBySide);
      }
    }
  }

  // A rim may meet anything anywhere: the algorithms that know support points alone say about where, and the curves
  // that have these points say exactly. Curves at the best axis so far are tried, too.
  void searchRims() {
    const SeparatingAxis* best = &axes_.others;
    for (const SeparatingAxis* const faces : {&axes_.firstFace, &axes_.secondFace}) {
      if (faces->separation > best->separation) best = faces;
    }
    const Vector3 about = best->normal;
    if (const std::optional<Vector3> normal = findNormalOfShrunk(first_, second_)) meetCurvesAt(towardsFirst(*normal));
    if (const std::optional<Vector3> normal = findOverlapNormal(first_, second_, about)) {
      meetCurvesAt(towardsFirst(*normal));
      meetCurvesAt(about);
      // What is exact comes first.
      constexpr double lead = 1e-4;  // of the size of the smaller shape
      const double size = std::min(first_.shape.size(), second_.shape.size());
      consider(*normal, SeparatingAxis::Of::supports, lead * size);
    } else {
      meetCurvesAt(about);
    }
  }

  void meetCurvesAt(const Vector3& n) {
    const std::vector<ContactCurve>& curves = curvesAt(first_, -n, 0);
    const std::vector<ContactCurve>& others = curvesAt(second_, n, 1);
    for (const ContactCurve& first : curves) {
      for (const ContactCurve& second : others) {
        if (first.rim > 0. || second.rim > 0.) meet(first, second);
      }
    }
  }

  // Of a shape, what has its support point in a direction: a rim, the round side, edges with an end there.
  static const std::vector<ContactCurve>& curvesAt(const PlacedConvex& owner, const Vector3& d, std::size_t place) {
    thread_local std::array<std::vector<ContactCurve>, 2> kept;
    constexpr double same = 1e-9;  // of the size of the shape
    std::vector<ContactCurve>& curves = kept[place];
    curves.clear();
    const double reach = owner.reach(d), tolerance = same * owner.shape.size();
    for (const RoundCorner& rim : owner.shape.rims()) {
      const RoundCorner placed = rim.placed(owner.place);
      const Vector3 point = placed.towards(d);
      if (dot(d, point) < reach - tolerance) continue;
      curves.push_back({placed.centre, placed.axis, 0., placed.rim, 1. / placed.rim * (point - placed.centre)});
    }
    for (const RoundEdge& edge : owner.shape.edges()) {
      const RoundEdge placed = owner.placed(edge);
      const double ends = std::abs(dot(d, placed.direction)) * placed.half;
      const bool isSide = placed.rounding > 0. && !owner.shape.rims().empty();
      if (!isSide && dot(d, placed.middle) + ends + placed.rounding < reach - tolerance) continue;
      curves.push_back({placed.middle, placed.direction, placed.rounding, 0., {}});
    }
    return curves;
  }

  void meet(ContactCurve first, ContactCurve second) {
    const CurveMeeting meeting = meetCurves(first, second, parallelEdges);
    if (!meeting.isFound) return;
    const double apart = dot(towardsFirst(meeting.normal), meeting.onFirst - meeting.onSecond);
    if (!isWitness(meeting.normal, apart - first.rounding - second.rounding)) return;
    SeparatingAxis* const best = consider(meeting.normal, SeparatingAxis::Of::curves);
    if (best == nullptr) return;
    if (first.rim > 0.) first.outward = 1. / first.rim * (meeting.onFirst - first.at);
    if (second.rim > 0.) second.outward = 1. / second.rim * (meeting.onSecond - second.at);
    best->first = first;
    best->second = second;
  }

  const PlacedConvex& first_;
  const PlacedConvex& second_;
  double range_;
  SeparatingAxes& axes_;
  Vector3 between_;
};

}  // namespace

bool findSeparatingAxes(const PlacedConvex& first, const PlacedConvex& second, double range, SeparatingAxes& axes) {
  return AxisSearch(first, second, range, axes).run();
}

}  // namespace delassus
