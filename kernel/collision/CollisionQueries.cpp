// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/CollisionQueries.hpp>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

const char* const ofQueries = "CollisionQueries";

btVector3 asBullet(const Vector3& x) {
  return {x[0], x[1], x[2]};
}

btDbvtVolume volumeOf(const Bounds& bounds) {
  return btDbvtVolume::FromMM(asBullet(bounds.lower), asBullet(bounds.upper));
}

Vector3 vectorOf(const btVector3& x) {
  return {x[0], x[1], x[2]};
}

Bounds boundsOfVolume(const btDbvtVolume& volume) {
  return {vectorOf(volume.Mins()), vectorOf(volume.Maxs())};
}

// Hands the numbers of the leaves that the tree visits on.
template <class Take>
struct LeafVisitor final : btDbvt::ICollide {
  explicit LeafVisitor(const Take& take_) : take(take_) {}
  void Process(const btDbvtNode* leaf) override { take(static_cast<std::size_t>(leaf->dataAsInt)); }
  const Take& take;
};

// Of two boxes, 0 if they overlap.
double distanceOf(const Bounds& a, const Bounds& b) {
  Vector3 apart{};
  for (std::size_t k = 0; k < 3; ++k) {
    apart[k] = std::max({0., a.lower[k] - b.upper[k], b.lower[k] - a.upper[k]});
  }
  return norm(apart);
}

}  // namespace

struct CollisionQueries::Implementation {
  std::vector<Collider> colliders;
  std::vector<std::size_t> planes;  // not in the tree
  btDbvt tree;

  Implementation(const CollisionManager& manager, double t) : colliders(manager.colliders()) {
    for (std::size_t k = 0; k < colliders.size(); ++k) add(k, t);
  }

  void add(std::size_t number, double t) {
    // A ray that only touches a box of the tree would miss it.
    constexpr double slack = 1e-3;
    Collider& collider = colliders[number];
    if (collider.isRemoved()) return;
    collider.readState(t);
    if (collider.plane() != nullptr) return planes.push_back(number);
    Bounds held = collider.shape().bounds(collider.placement());
    held.inflate(slack * norm(held.upper - held.lower));
    tree.insert(volumeOf(held), nullptr)->dataAsInt = static_cast<int>(number);
  }

  Member memberOf(std::size_t number) const {
    const Collider& collider = colliders[number];
    return {number, collider.body(), collider.body() ? std::size_t{0} : collider.whole()};
  }

  template <class Take>
  void forEachAlong(const Vector3& from, const Vector3& to, const Take& take) const {
    LeafVisitor<Take> visitor(take);
    btDbvt::rayTest(tree.m_root, asBullet(from), asBullet(to), visitor);
    std::ranges::for_each(planes, take);
  }

  template <class Take>
  void forEachWithin(const Bounds& region, const Take& take) const {
    LeafVisitor<Take> visitor(take);
    tree.collideTV(tree.m_root, volumeOf(region), visitor);
    std::ranges::for_each(planes, take);
  }

  // With the least `distanceTo(collider)` of at most `range`, and of equal ones the least number. Boxes are opened in
  // the order of their distances, as long as these are not more than what was found.
  template <class DistanceTo>
  std::optional<Neighbour> nearest(const Bounds& own, double range, const DistanceTo& distanceTo) const {
    if (!(range > 0.)) throw Error(ofQueries, "the range must be positive, got " + toText(range) + ".");
    std::optional<Neighbour> found;
    const auto take = [&](std::size_t k) {
      const ShapeDistance distance = distanceTo(colliders[k]);
      if (distance.gap > range) return;
      const auto rank = std::pair(distance.gap, k);
      if (!found || rank < std::pair(found->distance.gap, found->member.collider)) {
        found = Neighbour{memberOf(k), distance};
      }
    };
    std::ranges::for_each(planes, take);
    std::vector<std::pair<double, const btDbvtNode*>> boxes;  // a heap, the nearest on top
    const auto isFarther = [](const auto& x, const auto& y) { return x.first > y.first; };
    const auto open = [&](const btDbvtNode* node) {
      boxes.emplace_back(distanceOf(own, boundsOfVolume(node->volume)), node);
      std::push_heap(boxes.begin(), boxes.end(), isFarther);
    };
    if (tree.m_root != nullptr) open(tree.m_root);
    while (!boxes.empty()) {
      std::pop_heap(boxes.begin(), boxes.end(), isFarther);
      const auto [least, node] = boxes.back();
      boxes.pop_back();
      // Those that overlap may do so deeper.
      if (least > range || (found && least > std::max(0., found->distance.gap))) break;
      if (node->isleaf()) {
        take(static_cast<std::size_t>(node->dataAsInt));
      } else {
        for (const btDbvtNode* const child : node->childs) open(child);
      }
    }
    return found;
  }
};

CollisionQueries::CollisionQueries(const CollisionManager& manager, double t)
    : implementation_(std::make_unique<Implementation>(manager, t)) {
}

CollisionQueries::~CollisionQueries() = default;
CollisionQueries::CollisionQueries(CollisionQueries&&) noexcept = default;
CollisionQueries& CollisionQueries::operator=(CollisionQueries&&) noexcept = default;

std::vector<CollisionQueries::Hit> CollisionQueries::hits(const Vector3& from, const Vector3& to) const {
  const Implementation& all = *implementation_;
  requireSegment(from, to);
  std::vector<Hit> found;
  all.forEachAlong(from, to, [&](std::size_t k) {
    const auto hit = castRay(from, to, all.colliders[k].shape(), all.colliders[k].placement());
    if (hit) found.push_back({*hit, all.memberOf(k)});
  });
  std::ranges::sort(found, {}, [](const Hit& hit) { return std::pair(hit.fraction, hit.member.collider); });
  return found;
}

std::optional<CollisionQueries::Hit> CollisionQueries::firstHit(const Vector3& from, const Vector3& to) const {
  const std::vector<Hit> found = hits(from, to);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<CollisionQueries::Neighbour> CollisionQueries::overlaps(const Shape& shape, const Placement& at,
                                                                    double margin) const {
  if (!(margin >= 0. && std::isfinite(margin))) {
    throw Error(ofQueries, "the margin must be finite and not negative, got " + toText(margin) + ".");
  }
  shapes::requirePlacement(at, ofQueries);
  const Implementation& all = *implementation_;
  std::vector<Neighbour> found;
  const auto take = [&](std::size_t k) {
    const Collider& collider = all.colliders[k];
    const ShapeDistance distance = findDistance(shape, at, collider.shape(), collider.placement());
    if (distance.gap <= margin) found.push_back({all.memberOf(k), distance});
  };
  Bounds region = shape.bounds(at);
  region.inflate(margin);
  all.forEachWithin(region, take);
  std::ranges::sort(found, {}, [](const Neighbour& neighbour) { return neighbour.member.collider; });
  return found;
}

std::optional<CollisionQueries::Neighbour> CollisionQueries::nearest(const Shape& shape, const Placement& at,
                                                                     double range) const {
  shapes::requirePlacement(at, ofQueries);
  return implementation_->nearest(shape.bounds(at), range, [&](const Collider& collider) {
    return findDistance(shape, at, collider.shape(), collider.placement());
  });
}

std::optional<CollisionQueries::Neighbour> CollisionQueries::nearest(const Vector3& point, double range) const {
  shapes::requirePoint(point, ofQueries, "point");
  return implementation_->nearest({point, point}, range, [&](const Collider& collider) {
    return findDistance(point, collider.shape(), collider.placement());
  });
}

}  // namespace delassus
