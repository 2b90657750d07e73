// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/Sphere.hpp>

#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <utility>

namespace delassus {

SpherePlane::SpherePlane(double radius, MovingPlane plane, const Vector3& centre)
    : radius_(radius), plane_(std::move(plane)), centre_(centre) {
  shapes::requireLength(radius, true, "SpherePlane", "radius");
  shapes::requirePoint(centre, "SpherePlane", "centre");
}

void SpherePlane::findContacts(double t, const Vector& q, ContactPoint* contacts) {
  plane_.moveTo(t);
  const Vector3 centre = shapes::place(q, centre_);
  plane_.touch(centre - radius_ * plane_.normal(), plane_.distance(centre) - radius_, *contacts);
}

SphereSphere::SphereSphere(double firstRadius, double secondRadius, const Vector3& firstCentre,
                           const Vector3& secondCentre)
    : firstRadius_(firstRadius), secondRadius_(secondRadius), firstCentre_(firstCentre), secondCentre_(secondCentre) {
  for (const double radius : {firstRadius, secondRadius}) {
    shapes::requireLength(radius, true, "SphereSphere", "radius");
  }
  for (const Vector3& centre : {firstCentre, secondCentre}) shapes::requirePoint(centre, "SphereSphere", "centre");
}

void SphereSphere::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const Vector3 first = shapes::place(q, firstCentre_, 0);
  const Vector3 second = shapes::place(q, secondCentre_, 1);
  const Vector3 between = first - second;
  const double distance = norm(between);
  const Vector3 normal = distance > 0. ? 1. / distance * between : Vector3{1., 0., 0.};
  const double gap = distance - firstRadius_ - secondRadius_;
  contacts->gap = gap;
  contacts->normal = normal;
  contacts->point = second + (secondRadius_ + 0.5 * gap) * normal;
}

Settings SpherePlane::settings() const {
  Settings settings;
  settings.add("radius", radius_);
  settings.add("plane", plane_.settings());
  settings.add("centre", std::span<const double>(centre_));
  return settings;
}

Settings SphereSphere::settings() const {
  Settings settings;
  settings.add("firstRadius", firstRadius_);
  settings.add("secondRadius", secondRadius_);
  settings.add("firstCentre", std::span<const double>(firstCentre_));
  settings.add("secondCentre", std::span<const double>(secondCentre_));
  return settings;
}

}  // namespace delassus
