// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/PairGeometry.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/collision/BallGeometry.hpp>
#include <delassus/kernel/collision/ManifoldGeometry.hpp>
#include <delassus/kernel/collision/SmoothGeometry.hpp>
#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <limits>

namespace delassus {
namespace {

template <class Geometry>
class SmoothPair : public PairGeometry {
 public:
  std::string_view className() const final { return geometry_.className(); }
  std::size_t bodies() const final { return geometry_.bodies(); }
  bool isTimeDependent() const final { return geometry_.isTimeDependent(); }
  void findPresent(double t, const Vector& q, ContactPoint* contacts) final {
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

// Infinite where nothing can be passed through.
double thicknessOf(const Collider& collider) {
  const double size = collider.shape().size();
  return collider.isOneSided() || !(size > 0.) ? std::numeric_limits<double>::infinity() : size;
}

}  // namespace

void PairGeometry::beginPair(const Collider& first, const Collider& second) {
  ahead_.clear();
  obstacle_ = second.motion();
  const double thinner = std::min(thicknessOf(first), thicknessOf(second));
  thickness_ = std::isfinite(thinner) ? thinner : 0.;
  begin(first, second);
}

bool PairGeometry::followPair(const Collider& first, const Collider& second, const Manifold& manifold) {
  const bool wasAhead = !ahead_.empty();
  ahead_.clear();
  if (!manifold.isAhead) return follow(first, second, manifold) || wasAhead;
  goAhead(first, second, manifold);
  return true;
}

void PairGeometry::goAhead(const Collider& first, const Collider& second, const Manifold& manifold) {
  for (std::size_t k = 0; k < std::min(manifold.count, points()); ++k) {
    const Manifold::Point& point = manifold.points[k];
    const Placement& ofSecond = second.bodyPlacement();
    ahead_.push_back({point.onFirst - manifold.way - first.bodyPlacement().position,
                      second.body() ? point.onSecond - ofSecond.position : ofSecond.local(point.onSecond),
                      manifold.normalAt(point)});
  }
}

void PairGeometry::findAhead(double t, const Vector& q, ContactPoint* contacts) const {
  const ObstacleMotion::State obstacle = obstacle_.at(t);
  const Vector3 first = shapes::centreOf(q, 0);
  for (std::size_t k = 0; k < points(); ++k, ++contacts) {
    const Ahead& point = ahead_[std::min(k, ahead_.size() - 1)];
    const Vector3 onFirst = first + point.arm;
    const Vector3 onSecond =
        bodies() == 2 ? shapes::centreOf(q, 1) + point.armOfSecond : obstacle.place.place(point.armOfSecond);
    contacts->normal = point.normal;
    contacts->gap = dot(point.normal, onFirst - onSecond) + (k < ahead_.size() ? 0. : absent);
    contacts->point = onSecond;
    if (isTimeDependent()) obstacle.drive(*contacts);
    contacts->point = onFirst;
    contacts->beside = onSecond - onFirst;
  }
}

void PairGeometry::findContacts(double t, const Vector& q, ContactPoint* contacts) {
  if (!ahead_.empty()) return findAhead(t, q, contacts);
  findPresent(t, q, contacts);
  for (std::size_t k = 0; k < points(); ++k) contacts[k].beside = {};
}

// Gaps of points that are ahead leave rotations out: the shapes say how much of such a depth is there.
double PairGeometry::depth(double t, const Vector& q, double found) const {
  if (ahead_.empty()) return found;
  double deepest = 0.;
  for (const Ahead& point : ahead_) deepest = std::max(deepest, std::min(found, overlap(t, q, point.normal)));
  return deepest;
}

// The next step looks whether the contact was ahead in the last one.
void PairGeometry::serializeState(StateArchive& archive) {
  ahead_.resize(archive.count("ahead", ahead_.size()));
  for (Ahead& point : ahead_) {
    for (Vector3* const v : {&point.arm, &point.armOfSecond, &point.normal}) {
      archive.values("vector", v->data(), v->size());
    }
  }
  serializePresent(archive);
}

PairKind kindOf(const Collider& first, const Collider& second) {
  const bool isSphere = first.isBall(), onSphere = second.isBall();
  const std::size_t bodies = second.body() ? 2 : 1;
  const bool moves = second.motion().isMoving();
  if (isSphere && onSphere && bodies == 2) return {PairKind::Type::twoSpheres, 2, 1, false};
  if (isSphere && second.plane() != nullptr) return {PairKind::Type::sphereAndPlane, 1, 1, moves};
  if (isSphere || onSphere) return {PairKind::Type::ball, bodies, 1, moves};
  if (SmoothGeometry::isFor(first.shape(), second.shape())) return {PairKind::Type::smooth, bodies, 1, moves};
  const bool isRound = hasRims(first) || hasRims(second);
  return {PairKind::Type::manifold, bodies, isRound ? Manifold::maxPoints : Manifold::mostSharp, moves};
}

std::unique_ptr<PairGeometry> makePairGeometry(const PairKind& kind) {
  if (kind.type == PairKind::Type::twoSpheres) return std::make_unique<TwoSpheres>();
  if (kind.type == PairKind::Type::sphereAndPlane) return std::make_unique<SphereAndPlane>();
  if (kind.type == PairKind::Type::ball) return std::make_unique<BallGeometry>(kind.bodies);
  if (kind.type == PairKind::Type::smooth) return std::make_unique<SmoothGeometry>(kind.bodies);
  return std::make_unique<ManifoldGeometry>(kind.bodies, kind.points);
}

}  // namespace delassus
