// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/SurfacePoint.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {

SurfacePoint::SurfacePoint(std::shared_ptr<ContactGeometry> geometry, Of body)
    : geometry_(std::move(geometry)), body_(body) {
  if (!geometry_) throw Error("SurfacePoint", "the contact geometry is null.");
}

void SurfacePoint::findContacts(double t, const Vector& q, ContactPoint* contacts) {
  geometry_->findContacts(t, q, contacts);
  const double side = body_ == Of::firstBody ? 0.5 : -0.5;
  for (std::size_t k = 0; k < geometry_->points(); ++k) {
    ContactPoint& contact = contacts[k];
    const Vector3 shift = side * contact.gap * contact.normal;
    contact.point += shift;
    // Matter of an obstacle that turns is faster or slower there.
    contact.obstacleVelocity += cross(contact.obstacleRotation, shift);
  }
}

Settings SurfacePoint::settings() const {
  Settings settings;
  settings.add("pointOn", body_ == Of::firstBody ? "the surface of the first body" : "the surface of the second body");
  settings.add("geometry", geometry_->className());
  settings.add("geometry", geometry_->settings());
  return settings;
}

}  // namespace delassus
