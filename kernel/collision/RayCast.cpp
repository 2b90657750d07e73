// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/RayCast.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/shapes/ConvexShape.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {
namespace {

// A grazing ray takes about 30, since each halves what is left of the way; where more would be needed, the last one is
// the answer, which is not beyond the surface.
constexpr int mostRaySteps = 200;

// A segment in the frame of a shape.
struct Segment {
  Vector3 from{}, way{};

  Vector3 at(double t) const { return from + t * way; }
};

RayHit hitAt(const Segment& ray, double t, const Vector3& normal) {
  return {t, ray.at(t), normal};
}

std::optional<RayHit> meetPlane(const Segment& ray, const Plane& plane) {
  const double height = dot(plane.normal, ray.from) - plane.offset, rate = dot(plane.normal, ray.way);
  if (height <= 0.) return hitAt(ray, 0., plane.normal);
  if (!(height + rate <= 0.)) return {};
  return hitAt(ray, std::min(1., -height / rate), plane.normal);
}

// On an edge the normal is that of the plane that the ray came down on, of a face or between two; elsewhere that of the
// foot, which round shapes know better.
Vector3 normalWhereMet(const Vector3& ofFoot, const Vector3& ofPlane) {
  constexpr double same = 1. - 1e-6;  // of the cosine
  return dot(ofFoot, ofPlane) > same ? ofFoot : ofPlane;
}

std::optional<RayHit> meetConvex(const Segment& ray, const ConvexShape& shape) {
  constexpr double rounding = 8. * std::numeric_limits<double>::epsilon();
  const double near = rounding * (norm(ray.from) + norm(ray.way));
  const bool isOneSided = shape.isOneSided();
  if (isOneSided && dot(shape.faces().front().normal, ray.way) >= 0.) return {};
  Vector3 normal{};
  double t = 0.;
  for (int step = 0; step < mostRaySteps; ++step) {
    const SurfaceFoot foot = shape.foot(ray.at(t));
    if (isOneSided && foot.distance < -near) return {};
    if (foot.distance <= near) return hitAt(ray, t, step == 0 ? foot.normal : normalWhereMet(foot.normal, normal));
    const double rate = dot(foot.normal, ray.way);
    if (!(foot.distance + rate * (1. - t) <= near)) return {};
    t = std::min(1., t - foot.distance / rate);
    normal = foot.normal;
  }
  return hitAt(ray, t, normal);
}

// Parts of a compound are no compounds.
std::optional<RayHit> meet(const Segment& ray, const Shape& shape, const Placement& at) {
  const Segment local{at.local(ray.from), multiplyTransposed(at.rotation, ray.way)};
  std::optional<RayHit> hit;
  if (shape.plane() != nullptr) hit = meetPlane(local, *shape.plane());
  if (shape.convex() != nullptr) hit = meetConvex(local, *shape.convex());
  if (hit) return RayHit{hit->fraction, ray.at(hit->fraction), multiply(at.rotation, hit->normal)};
  for (const PlacedShape& part : shape.parts()) {
    const std::optional<RayHit> ofPart = meet(ray, *part.shape, at.place(part.at));
    if (ofPart && (!hit || ofPart->fraction < hit->fraction)) hit = ofPart;
  }
  return hit;
}

}  // namespace

void requireSegment(const Vector3& from, const Vector3& to) {
  shapes::requirePoint(from, "castRay", "beginning of the segment");
  shapes::requirePoint(to, "castRay", "end of the segment");
  if (from == to) throw Error("castRay", "a segment is expected, but its ends are the same point.");
}

std::optional<RayHit> castRay(const Vector3& from, const Vector3& to, const Shape& shape, const Placement& at) {
  requireSegment(from, to);
  shapes::requirePlacement(at, "castRay");
  return meet({from, to - from}, shape, at);
}

}  // namespace delassus
