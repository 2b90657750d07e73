// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/ManifoldGeometry.hpp>

#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <limits>

namespace delassus {
namespace {

Placement placementOf(const Vector& q, std::size_t body) {
  return {shapes::centreOf(q, body), shapes::rotationOf(q, body)};
}

// From a point and a direction in the inertial frame.
Vector3 armOf(const Placement& place, const Vector3& point) {
  return multiplyTransposed(place.rotation, point - place.position);
}

Vector3 pointOf(const Placement& place, const Vector3& arm) {
  return place.position + multiply(place.rotation, arm);
}

// The contact between a point of each body, where parts of the normal turn with each.
void touchFaces(const Vector3& onFirst, const Vector3& onSecond, const Vector3& firstPart, const Vector3& secondPart,
                ContactPoint& contact) {
  const Vector3 sum = firstPart + secondPart;
  const double length = norm(sum);
  contact.normal = 1. / length * sum;
  const Vector3 between = onFirst - onSecond;
  contact.gap = dot(contact.normal, between);
  const Vector3 across = between - contact.gap * contact.normal;
  const double share = dot(secondPart, contact.normal) / length;
  contact.point = onSecond + share * across + 0.5 * contact.gap * contact.normal;
}

// The contact of two edges through these points. Edges that have turned parallel within the step keep them, since the
// points where such lines are nearest are anywhere.
void touchEdges(const Vector3& onFirst, const Vector3& onSecond, const Vector3& firstEdge, const Vector3& secondEdge,
                ContactPoint& contact) {
  constexpr double parallel = 5e-4;  // of the sine; found ones have twice that
  const Vector3 across = cross(firstEdge, secondEdge);
  const double sine = norm(across);
  contact.normal = sine > 0. ? 1. / sine * across : Vector3{1., 0., 0.};
  contact.gap = dot(contact.normal, onFirst - onSecond);
  contact.point = 0.5 * (onFirst + onSecond);
  if (sine < parallel) return;
  const NearestOnLines nearest = nearestOnLines(onFirst, firstEdge, onSecond, secondEdge);
  contact.point += 0.5 * (nearest.along * firstEdge + nearest.alongSecond * secondEdge);
}

}  // namespace

void ManifoldGeometry::begin(const Collider&, const Collider&) {
  slots_.fill({});
}

ManifoldGeometry::Slot& ManifoldGeometry::slotFor(const Vector3& firstArm) {
  Slot* nearest = nullptr;
  double smallest = std::numeric_limits<double>::infinity();
  for (Slot& slot : slots_) {
    if (slot.present) continue;
    const Vector3 between = slot.firstArm - firstArm;
    // Any known slot is nearer than an unknown one.
    const double distance = slot.known ? dot(between, between) : std::numeric_limits<double>::max();
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = &slot;
  }
  return *nearest;
}

bool ManifoldGeometry::follow(const Collider& first, const Collider& second, const Manifold& manifold) {
  const Placement obstacle;
  const Placement& firstPlace = first.placement();
  const Placement& secondPlace = bodies_ == 2 ? second.placement() : obstacle;
  normalOf_ = manifold.normalOf;
  firstPart_ = multiplyTransposed(firstPlace.rotation, manifold.firstPart);
  secondPart_ = multiplyTransposed(secondPlace.rotation, manifold.secondPart);
  for (Slot& slot : slots_) slot.present = false;
  for (std::size_t k = 0; k < manifold.count; ++k) {
    const Manifold::Point& point = manifold.points[k];
    const Vector3 firstArm = armOf(firstPlace, point.onFirst);
    Slot& slot = slotFor(firstArm);
    slot.present = slot.known = true;
    slot.firstArm = firstArm;
    slot.secondArm = armOf(secondPlace, point.onSecond);
    slot.share = point.share;
    if (k == 0) anyPoint_ = slot;
  }
  return true;
}

void ManifoldGeometry::findContacts(double, const Vector& q, ContactPoint* contacts) {
  const Placement first = placementOf(q, 0);
  const Placement second = bodies_ == 2 ? placementOf(q, 1) : Placement{};
  const Vector3 firstPart = multiply(first.rotation, firstPart_);
  const Vector3 secondPart = multiply(second.rotation, secondPart_);
  for (const Slot& slot : slots_) {
    const Slot& from = slot.present ? slot : anyPoint_;
    const Vector3 onFirst = pointOf(first, from.firstArm), onSecond = pointOf(second, from.secondArm);
    if (normalOf_ == Manifold::NormalOf::faces) {
      touchFaces(onFirst, onSecond, (1. - from.share) * firstPart, from.share * secondPart, *contacts);
    } else {
      touchEdges(onFirst, onSecond, firstPart, secondPart, *contacts);
    }
    if (!slot.present) contacts->gap += absent;
    ++contacts;
  }
}

void ManifoldGeometry::serializeState(StateArchive& archive) {
  bool isOfEdges = normalOf_ == Manifold::NormalOf::edges;
  archive.value("normalOfEdges", isOfEdges);
  normalOf_ = isOfEdges ? Manifold::NormalOf::edges : Manifold::NormalOf::faces;
  archive.values("firstPart", firstPart_.data(), firstPart_.size());
  archive.values("secondPart", secondPart_.data(), secondPart_.size());
  const auto serialize = [&](Slot& slot) {
    archive.value("present", slot.present);
    archive.value("known", slot.known);
    archive.values("firstArm", slot.firstArm.data(), slot.firstArm.size());
    archive.values("secondArm", slot.secondArm.data(), slot.secondArm.size());
    archive.value("share", slot.share);
  };
  serialize(anyPoint_);
  for (Slot& slot : slots_) serialize(slot);
}

}  // namespace delassus
