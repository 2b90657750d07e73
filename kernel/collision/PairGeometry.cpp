// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/PairGeometry.hpp>

#include <delassus/kernel/collision/BallGeometry.hpp>
#include <delassus/kernel/collision/ManifoldGeometry.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>

namespace delassus {
namespace {

template <class Geometry>
class SmoothPair : public PairGeometry {
 public:
  std::string_view className() const final { return geometry_.className(); }
  std::size_t bodies() const final { return geometry_.bodies(); }
  bool isTimeDependent() const final { return geometry_.isTimeDependent(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) final {
    geometry_.Geometry::findContacts(t, q, contacts);
  }

 protected:
  explicit SmoothPair(const Geometry& geometry) : geometry_(geometry) {}
  Geometry geometry_;
};

class TwoSpheres final : public SmoothPair<SphereSphere> {
 public:
  TwoSpheres() : SmoothPair(SphereSphere(1., 1.)) {}
  void begin(const Collider& first, const Collider& second) override {
    geometry_ = SphereSphere(first.ballRadius(), second.ballRadius(), first.at().position, second.at().position);
  }
};

class SphereAndPlane final : public SmoothPair<SpherePlane> {
 public:
  SphereAndPlane() : SmoothPair(SpherePlane(1., Plane{})) {}
  void begin(const Collider& first, const Collider& second) override {
    const MovingPlane plane(second.plane()->placed(second.at()), second.motion());
    geometry_ = SpherePlane(first.ballRadius(), plane, first.at().position);
  }
};

bool hasRims(const Collider& collider) {
  return collider.shape().convex() != nullptr && !collider.shape().convex()->rims().empty();
}

}  // namespace

PairKind kindOf(const Collider& first, const Collider& second) {
  const bool isSphere = first.isBall(), onSphere = second.isBall();
  const std::size_t bodies = second.body() ? 2 : 1;
  const bool moves = second.motion().isMoving();
  if (isSphere && onSphere && bodies == 2) return {PairKind::Type::twoSpheres, 2, 1, false};
  if (isSphere && second.plane() != nullptr) return {PairKind::Type::sphereAndPlane, 1, 1, moves};
  if (isSphere || onSphere) return {PairKind::Type::ball, bodies, 1, moves};
  const bool isRound = hasRims(first) || hasRims(second);
  return {PairKind::Type::manifold, bodies, isRound ? Manifold::maxPoints : Manifold::mostSharp, moves};
}

std::unique_ptr<PairGeometry> makePairGeometry(const PairKind& kind) {
  if (kind.type == PairKind::Type::twoSpheres) return std::make_unique<TwoSpheres>();
  if (kind.type == PairKind::Type::sphereAndPlane) return std::make_unique<SphereAndPlane>();
  if (kind.type == PairKind::Type::ball) return std::make_unique<BallGeometry>(kind.bodies);
  return std::make_unique<ManifoldGeometry>(kind.bodies, kind.points);
}

}  // namespace delassus
