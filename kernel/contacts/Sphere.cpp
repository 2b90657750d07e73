// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/Sphere.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

void requireRadius(double radius, const char* what) {
  if (radius >= 0. && std::isfinite(radius)) return;
  throw Error(what, "a radius must not be negative, and finite, got " + toText(radius) + ".");
}

}  // namespace

Plane Plane::through(const Vector3& point, const Vector3& normal) {
  const double length = norm(normal);
  if (!(length > 0.) || !std::isfinite(length) || !std::isfinite(dot(point, point))) {
    throw Error("Plane", "the normal must not be zero, and point and normal must be finite; the normal has length " +
                             toText(length) + ".");
  }
  const Vector3 unit = scaled(1. / length, normal);
  return {unit, dot(unit, point)};
}

SpherePlane::SpherePlane(double radius, Plane plane)
    : radius_(radius), plane_(Plane::through(scaled(plane.offset, plane.normal), plane.normal)) {
  requireRadius(radius, "SpherePlane");
}

void SpherePlane::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const Vector3 centre = vector3(data(q));
  const double gap = dot(plane_.normal, centre) - plane_.offset - radius_;
  contacts->gap = gap;
  contacts->normal = plane_.normal;
  contacts->point = subtract(centre, scaled(radius_ + 0.5 * gap, plane_.normal));
}

SphereSphere::SphereSphere(double firstRadius, double secondRadius)
    : firstRadius_(firstRadius), secondRadius_(secondRadius) {
  requireRadius(firstRadius, "SphereSphere");
  requireRadius(secondRadius, "SphereSphere");
}

void SphereSphere::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const Vector3 first = vector3(data(q));
  const Vector3 second = vector3(data(q) + 7);
  const Vector3 between = subtract(first, second);
  const double distance = norm(between);
  const Vector3 normal = distance > 0. ? scaled(1. / distance, between) : Vector3{1., 0., 0.};
  const double gap = distance - firstRadius_ - secondRadius_;
  contacts->gap = gap;
  contacts->normal = normal;
  contacts->point = add(second, scaled(secondRadius_ + 0.5 * gap, normal));
}

}  // namespace delassus
