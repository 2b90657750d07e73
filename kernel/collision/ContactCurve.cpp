// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/ContactCurve.hpp>

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

Vector3 pointOf(const ContactCurve& curve) {
  return curve.rim > 0. ? curve.at + curve.rim * curve.outward : curve.at;
}

Vector3 tangentOf(const ContactCurve& curve) {
  return curve.rim > 0. ? cross(curve.direction, curve.outward) : curve.direction;
}

// Moves the point of a circle along its tangent by about `along`; gives by how much of the radius. `between` is what
// leads from the other curve to this one, `squaredSine` that of the angle of their tangents: with them this is Newton's
// step for the nearest point, along a circle that curves towards the other curve or away from it.
double advance(ContactCurve& circle, double along, const Vector3& between, double squaredSine) {
  constexpr double farthest = 0.5;  // rad: a tangent says little about points that are farther
  const double curved = circle.rim - dot(circle.outward, between) / squaredSine;
  const double radius = curved > 0.1 * circle.rim ? curved : circle.rim;
  const double angle = std::clamp(std::atan(along / radius), -farthest, farthest);
  const Vector3 turned = std::cos(angle) * circle.outward + std::sin(angle) * tangentOf(circle);
  circle.outward = 1. / norm(turned) * turned;
  return std::abs(angle);
}

}  // namespace

ContactCurve ContactCurve::placed(const Placement& place) const {
  return {place.place(at), multiply(place.rotation, direction), rounding, rim, multiply(place.rotation, outward)};
}

ContactCurve ContactCurve::local(const Placement& place) const {
  return {place.local(at), multiplyTransposed(place.rotation, direction), rounding, rim,
          multiplyTransposed(place.rotation, outward)};
}

// Both conditions, first + s a − second − t b orthogonal to a and to b.
NearestOnLines nearestOnLines(const Vector3& first, const Vector3& a, const Vector3& second, const Vector3& b) {
  const Vector3 between = second - first;
  const double c = dot(a, b);
  const double determinant = 1. - c * c;
  return {(dot(between, a) - c * dot(between, b)) / determinant, (c * dot(between, a) - dot(between, b)) / determinant};
}

CurveMeeting meetCurves(const ContactCurve& first, const ContactCurve& second, double parallel) {
  constexpr int mostSteps = 30;
  ContactCurve a = first, b = second;
  CurveMeeting meeting;
  LastStep last;
  for (int step = 0; step < mostSteps && !meeting.isFound; ++step) {
    const Vector3 tangent = tangentOf(a), secondTangent = tangentOf(b);
    const Vector3 across = cross(tangent, secondTangent);
    const double sine = norm(across);
    meeting.normal = sine > 0. ? 1. / sine * across : Vector3{1., 0., 0.};
    meeting.onFirst = pointOf(a);
    meeting.onSecond = pointOf(b);
    if (sine < parallel) return meeting;
    const NearestOnLines nearest = nearestOnLines(meeting.onFirst, tangent, meeting.onSecond, secondTangent);
    const Vector3 between =
        meeting.onFirst + nearest.along * tangent - meeting.onSecond - nearest.alongSecond * secondTangent;
    double moved = 0.;
    if (a.rim > 0.) {
      moved = std::max(moved, advance(a, nearest.along, between, sine * sine));
    } else {
      meeting.along = nearest.along;
      meeting.onFirst += nearest.along * tangent;
    }
    if (b.rim > 0.) {
      moved = std::max(moved, advance(b, nearest.alongSecond, -between, sine * sine));
    } else {
      meeting.alongSecond = nearest.alongSecond;
      meeting.onSecond += nearest.alongSecond * secondTangent;
    }
    meeting.isFound = last.isReached(moved);
  }
  return meeting;
}

}  // namespace delassus
