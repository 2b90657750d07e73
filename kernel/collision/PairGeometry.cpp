// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/PairGeometry.hpp>

#include <delassus/kernel/collision/BallGeometry.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <limits>

namespace delassus {
namespace {

template <class Geometry>
class SmoothPair : public PairGeometry {
 public:
  std::string_view className() const final { return geometry_.className(); }
  std::size_t bodies() const final { return geometry_.bodies(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) final {
    geometry_.Geometry::findContacts(t, q, contacts);
  }

 protected:
  explicit SmoothPair(const Geometry& geometry) : geometry_(geometry) {}
  Geometry geometry_;
};

bool isBall(const Collider& collider) {
  return std::holds_alternative<SphereShape>(collider.shape());
}

double radiusOf(const Collider& collider) {
  return std::get<SphereShape>(collider.shape()).radius();
}

class TwoSpheres final : public SmoothPair<SphereSphere> {
 public:
  TwoSpheres() : SmoothPair(SphereSphere(1., 1.)) {}
  void begin(const Collider& first, const Collider& second) override {
    geometry_ = SphereSphere(radiusOf(first), radiusOf(second));
  }
};

class SphereAndPlane final : public SmoothPair<SpherePlane> {
 public:
  SphereAndPlane() : SmoothPair(SpherePlane(1., Plane{})) {}
  void begin(const Collider& first, const Collider& second) override {
    geometry_ = SpherePlane(radiusOf(first), std::get<Plane>(second.shape()));
  }
};

// From the centre of mass to a point, in the body's frame if the point turns with the body.
Vector3 armOf(const Collider& collider, bool turns, const Vector3& point) {
  const Vector3 arm = point - collider.placement().position;
  return turns ? multiplyTransposed(collider.placement().rotation, arm) : arm;
}

Vector3 pointOf(const double* q, bool turns, const Vector3& arm) {
  return vector3(q) + (turns ? rotations::rotate({q[3], q[4], q[5], q[6]}, arm) : arm);
}

}  // namespace

PairKind kindOf(const Collider& first, const Collider& second) {
  const bool isSphere = isBall(first), onSphere = isBall(second);
  const std::size_t bodies = second.body() ? 2 : 1;
  if (isSphere && onSphere && bodies == 2) return {PairKind::Type::twoSpheres, 2};
  if (isSphere && std::holds_alternative<Plane>(second.shape())) return {PairKind::Type::sphereAndPlane, 1};
  if (isSphere || onSphere) return {PairKind::Type::ball, bodies};
  return {PairKind::Type::manifold, bodies};
}

std::unique_ptr<PairGeometry> makePairGeometry(const PairKind& kind) {
  if (kind.type == PairKind::Type::twoSpheres) return std::make_unique<TwoSpheres>();
  if (kind.type == PairKind::Type::sphereAndPlane) return std::make_unique<SphereAndPlane>();
  if (kind.type == PairKind::Type::ball) return std::make_unique<BallGeometry>(kind.bodies);
  return std::make_unique<ManifoldGeometry>(kind.bodies);
}

void ManifoldGeometry::begin(const Collider& first, const Collider& second) {
  firstTurns_ = spinRadius(first.shape()) > 0.;
  secondTurns_ = second.body() && spinRadius(second.shape()) > 0.;
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
  normal_ = manifold.normal;
  for (Slot& slot : slots_) slot.present = false;
  for (std::size_t k = 0; k < manifold.count; ++k) {
    const Manifold::Point& point = manifold.points[k];
    const Vector3 firstArm = armOf(first, firstTurns_, point.onFirst);
    Slot& slot = slotFor(firstArm);
    slot.present = slot.known = true;
    slot.firstArm = firstArm;
    slot.secondArm = bodies_ == 2 ? armOf(second, secondTurns_, point.onSecond) : point.onSecond;
    if (k == 0) anyPoint_ = slot;
  }
  return true;
}

void ManifoldGeometry::findContacts(double, const Vector& q, ContactPoint* contacts) {
  for (const Slot& slot : slots_) {
    const Slot& from = slot.present ? slot : anyPoint_;
    const Vector3 onFirst = pointOf(data(q), firstTurns_, from.firstArm);
    const Vector3 onSecond = bodies_ == 2 ? pointOf(data(q) + 7, secondTurns_, from.secondArm) : from.secondArm;
    contacts->normal = normal_;
    contacts->gap = dot(normal_, onFirst - onSecond) + (slot.present ? 0. : absent);
    contacts->point = 0.5 * (onFirst + onSecond);
    ++contacts;
  }
}

void ManifoldGeometry::serializeState(StateArchive& archive) {
  archive.value("firstTurns", firstTurns_);
  archive.value("secondTurns", secondTurns_);
  archive.values("normal", normal_.data(), normal_.size());
  const auto serialize = [&](Slot& slot) {
    archive.value("present", slot.present);
    archive.value("known", slot.known);
    archive.values("firstArm", slot.firstArm.data(), slot.firstArm.size());
    archive.values("secondArm", slot.secondArm.data(), slot.secondArm.size());
  };
  serialize(anyPoint_);
  for (Slot& slot : slots_) serialize(slot);
}

}  // namespace delassus
