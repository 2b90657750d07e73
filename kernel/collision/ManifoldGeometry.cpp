// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/ManifoldGeometry.hpp>

#include <algorithm>
#include <limits>

namespace delassus {
void ManifoldGeometry::begin(const Collider& first, const Collider& second) {
  std::fill(slots_.begin(), slots_.end(), Slot{});
  ShapePair::begin(first, second);
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
  const Placement& firstPlace = first.bodyPlacement();
  const Placement& secondPlace = second.bodyPlacement();
  firstPart_ = multiplyTransposed(firstPlace.rotation, manifold.firstPart);
  secondPart_ = multiplyTransposed(secondPlace.rotation, manifold.secondPart);
  // Those of another kind are of the pair before; edges are the first of the points.
  const bool isOfEdges = manifold.count > 0 && manifold.points[0].normalOf == Manifold::NormalOf::edges;
  firstCurve_ = isOfEdges ? manifold.firstCurve.local(firstPlace) : ContactCurve{};
  secondCurve_ = isOfEdges ? manifold.secondCurve.local(secondPlace) : ContactCurve{};
  for (Slot& slot : slots_) slot.present = false;
  for (std::size_t k = 0; k < manifold.count; ++k) {
    const Manifold::Point& point = manifold.points[k];
    const Vector3 firstArm = firstPlace.local(point.onFirst);
    Slot& slot = slotFor(firstArm);
    slot.present = slot.known = true;
    slot.firstArm = firstArm;
    slot.secondArm = secondPlace.local(point.onSecond);
    slot.share = point.share;
    slot.normalOf = point.normalOf;
    const Placement& tipPlace = point.share == 1. ? firstPlace : secondPlace;
    slot.tip = {tipPlace.local(point.tip.centre), point.tip.ball, point.tip.rim,
                multiplyTransposed(tipPlace.rotation, point.tip.axis)};
    if (k == 0) anyPoint_ = slot;
  }
  return true;
}

// Between a point of each body, where parts of the normal turn with each.
void ManifoldGeometry::touchFaces(const Slot& slot, const std::array<Placement, 2>& bodies,
                                  ContactPoint& contact) const {
  const Vector3 firstPart = (1. - slot.share) * multiply(bodies[0].rotation, firstPart_);
  const Vector3 secondPart = slot.share * multiply(bodies[1].rotation, secondPart_);
  const Vector3 sum = firstPart + secondPart;
  const double length = norm(sum);
  contact.normal = 1. / length * sum;
  Vector3 onFirst = bodies[0].place(slot.firstArm), onSecond = bodies[1].place(slot.secondArm);
  if (!slot.tip.isSharp()) {
    const bool isOfFirst = slot.share == 1.;
    const RoundCorner tip = slot.tip.placed(bodies[isOfFirst ? 0 : 1]);
    (isOfFirst ? onFirst : onSecond) = tip.towards(isOfFirst ? -contact.normal : contact.normal);
  }
  const Vector3 between = onFirst - onSecond;
  contact.gap = dot(contact.normal, between);
  const Vector3 across = between - contact.gap * contact.normal;
  const double share = dot(secondPart, contact.normal) / length;
  contact.point = onSecond + share * across + 0.5 * contact.gap * contact.normal;
}

// Lines that have turned parallel within the step keep their points, since those where such lines are nearest are
// anywhere.
void ManifoldGeometry::touchEdges(const Slot& slot, const std::array<Placement, 2>& bodies,
                                  ContactPoint& contact) const {
  const ContactCurve first = firstCurve_.placed(bodies[0]), second = secondCurve_.placed(bodies[1]);
  const CurveMeeting meeting = meetCurves(first, second, 0.5 * parallelEdges);
  const Vector3 found = multiply(bodies[1].rotation, secondPart_);
  contact.normal = dot(meeting.normal, found) < 0. ? -meeting.normal : meeting.normal;
  Vector3 onFirst = meeting.onFirst - first.rounding * contact.normal;
  Vector3 onSecond = meeting.onSecond + second.rounding * contact.normal;
  if (!meeting.isFound) {
    onFirst = bodies[0].place(slot.firstArm);
    onSecond = bodies[1].place(slot.secondArm);
  }
  contact.gap = dot(contact.normal, onFirst - onSecond);
  contact.point = 0.5 * (onFirst + onSecond);
}

void ManifoldGeometry::touchFoot(const Slot& slot, const std::array<Placement, 2>& bodies,
                                 ContactPoint& contact) const {
  const std::size_t owner = slot.share == 1. ? 0 : 1, other = 1 - owner;
  const Placement place = placeOf(bodies[other], other);
  const SurfaceFoot foot = shape(other).convex()->foot(place.local(bodies[owner].place(slot.tip.centre)));
  const Vector3 outwards = multiply(place.rotation, foot.normal);
  contact.gap = foot.distance - slot.tip.ball;
  contact.normal = owner == 0 ? outwards : -outwards;
  contact.point = place.place(foot.point) + 0.5 * contact.gap * outwards;
}

void ManifoldGeometry::findPresent(double t, const Vector& q, ContactPoint* contacts) {
  const auto [obstacle, bodies] = membersAt(t, q);
  for (const Slot& slot : slots_) {
    const Slot& from = slot.present ? slot : anyPoint_;
    switch (from.normalOf) {
      case Manifold::NormalOf::faces:
        touchFaces(from, bodies, *contacts);
        break;
      case Manifold::NormalOf::edges:
        touchEdges(from, bodies, *contacts);
        break;
      case Manifold::NormalOf::feet:
        touchFoot(from, bodies, *contacts);
        break;
    }
    if (isTimeDependent()) obstacle.drive(*contacts);
    if (!slot.present) contacts->gap += absent;
    ++contacts;
  }
}

namespace {

void serialize(StateArchive& archive, ContactCurve& curve) {
  archive.values("curveAt", curve.at.data(), curve.at.size());
  archive.values("curveDirection", curve.direction.data(), curve.direction.size());
  archive.values("curveOutward", curve.outward.data(), curve.outward.size());
  archive.value("curveRounding", curve.rounding);
  archive.value("curveRim", curve.rim);
}

void serialize(StateArchive& archive, RoundCorner& corner) {
  archive.values("tipCentre", corner.centre.data(), corner.centre.size());
  archive.values("tipAxis", corner.axis.data(), corner.axis.size());
  archive.value("tipBall", corner.ball);
  archive.value("tipRim", corner.rim);
}

}  // namespace

void ManifoldGeometry::serializePresent(StateArchive& archive) {
  archive.values("firstPart", firstPart_.data(), firstPart_.size());
  archive.values("secondPart", secondPart_.data(), secondPart_.size());
  serialize(archive, firstCurve_);
  serialize(archive, secondCurve_);
  const auto serializeSlot = [&](Slot& slot) {
    archive.value("present", slot.present);
    archive.value("known", slot.known);
    archive.values("firstArm", slot.firstArm.data(), slot.firstArm.size());
    archive.values("secondArm", slot.secondArm.data(), slot.secondArm.size());
    archive.value("share", slot.share);
    serialize(archive, slot.tip);
    archive.value("normalOf", slot.normalOf);
    if (slot.normalOf > Manifold::NormalOf::feet) archive.refuse("it has a normal of an unknown kind.");
  };
  serializeSlot(anyPoint_);
  for (Slot& slot : slots_) serializeSlot(slot);
}

}  // namespace delassus
