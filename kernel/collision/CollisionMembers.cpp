// SPDX-License-Identifier: Apache-2.0
//
// The part of CollisionManager that takes bodies and obstacles in and lets them go.
#include <algorithm>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

const char* const ofMembers = "CollisionManager";

// What is one-sided has no inside that another body could not enter.
void requireSolid(const Shape& shape, const NewtonEulerDS& body) {
  const auto isOneSided = [](const Shape& part) { return part.convex() != nullptr && part.convex()->isOneSided(); };
  if (!isOneSided(shape) &&
      std::ranges::none_of(shape.parts(), [&](const PlacedShape& part) { return isOneSided(*part.shape); })) {
    return;
  }
  throw Error(ofMembers, "body '" + body.name() +
                             "' cannot have triangles as its shape; a mesh is an obstacle. Take a compound of hulls.");
}

}  // namespace

void CollisionManager::insert(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape,
                              const Placement& at, Group group) {
  if (!body) throw Error(ofMembers, "the body to insert is null.");
  if (!shape) throw Error(ofMembers, "the shape of body '" + body->name() + "' is null.");
  if (numberOf_.contains(body.get())) {
    throw Error(ofMembers,
                "body '" + body->name() + "' is inserted already; a body has one shape, which may be a compound.");
  }
  if (shape->plane() != nullptr) {
    throw Error(ofMembers, "body '" + body->name() + "' cannot have a half-space as its shape; these are obstacles.");
  }
  shapes::requirePlacement(at, ofMembers);
  requireSolid(*shape, *body);
  const std::uint32_t number = addParts(body, ObstacleMotion(), {std::move(shape), at}, group);
  numberOf_.emplace(body.get(), number);
  for (const std::uint32_t plane : planes_) {
    for (std::uint32_t k = number; k < colliders_.size(); ++k) {
      begunPlanes_.push_back({std::min(plane, k), std::max(plane, k)});
    }
  }
}

void CollisionManager::insert(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape, Group group) {
  const bool isKnown = body && shape && shape->plane() == nullptr;
  if (isKnown && !isAboutCentreOfMass(*shape)) {
    const Vector3 centre = shape->massProperties(1.).centre;
    throw Error(ofMembers, "the shape of body '" + body->name() + "' has its centre of mass at (" + toText(centre[0]) +
                               ", " + toText(centre[1]) + ", " + toText(centre[2]) +
                               "), not at its origin: say where it is in the body, placementInBody(shape), or "
                               "Placement{} if its origin is where the body's centre of mass is.");
  }
  insert(std::move(body), std::move(shape), Placement{}, group);
}

std::size_t CollisionManager::insertObstacle(std::shared_ptr<const Shape> shape, const Vector3& x, const Quaternion& p,
                                             Group group) {
  if (!isFinite(x)) throw Error(ofMembers, "the position of an obstacle must be finite.");
  const Placement at{x, rotations::rotationMatrix(rotations::normalised(p, "orientation of an obstacle"))};
  return addObstacle(ObstacleMotion(), {std::move(shape), at}, group);
}

std::size_t CollisionManager::insertObstacle(std::shared_ptr<const Shape> shape, ObstacleMotion motion, Group group) {
  return addObstacle(motion, {std::move(shape), {}}, group);
}

std::size_t CollisionManager::addObstacle(const ObstacleMotion& motion, const PlacedShape& whole, Group group) {
  if (!whole.shape) throw Error(ofMembers, "the shape of an obstacle is null.");
  const std::uint32_t number = addParts(nullptr, motion, whole, group);
  if (colliders_[number].plane() != nullptr) {
    planes_.push_back(number);
    for (std::uint32_t k = 0; k < number; ++k) {
      if (colliders_[k].body() && !colliders_[k].isRemoved()) begunPlanes_.push_back({k, number});
    }
  }
  return number;
}

// All or none: what may throw comes before any part is added.
std::uint32_t CollisionManager::addParts(const std::shared_ptr<NewtonEulerDS>& body, const ObstacleMotion& motion,
                                         const PlacedShape& whole, Group group) {
  const auto first = static_cast<std::uint32_t>(colliders_.size());
  const std::string obstacle = "obstacle " + std::to_string(first);
  const bool isCompound = whole.shape->convex() == nullptr && whole.shape->plane() == nullptr;
  std::vector<Collider> parts;
  const auto add = [&](const std::shared_ptr<const Shape>& shape, const Placement& at) {
    const std::string part = isCompound ? " part " + std::to_string(parts.size()) : "";
    parts.push_back(body ? Collider(body, shape, at, group, part)
                         : Collider(shape, at, motion, group, obstacle + part));
    parts.back().setWhole(first);
    parts.back().updateBounds(0., margin_);
  };
  if (!isCompound) add(whole.shape, whole.at);
  for (const PlacedShape& part : whole.shape->parts()) add(part.shape, whole.at.place(part.at));
  if (parts.empty())
    throw Error(ofMembers, "the shape of " + (body ? "body '" + body->name() + "'" : obstacle) + " has no part.");
  for (Collider& part : parts) addCollider(std::move(part));
  return first;
}

void CollisionManager::addCollider(Collider collider) {
  const auto number = static_cast<std::uint32_t>(colliders_.size());
  hasFlat_ = hasFlat_ || !(collider.isBall() || collider.plane() != nullptr);
  if (collider.plane() == nullptr) broadPhase_.insert(number, collider.heldBounds(), !collider.body());
  colliders_.push_back(std::move(collider));
}

void CollisionManager::remove(const std::shared_ptr<NewtonEulerDS>& body) {
  const auto found = numberOf_.find(body.get());
  if (found == numberOf_.end()) {
    throw Error(ofMembers,
                std::string("the body to remove") + (body ? " ('" + body->name() + "')" : "") + " was not inserted.");
  }
  removeParts(found->second);
  numberOf_.erase(found);
}

void CollisionManager::removeObstacle(std::size_t obstacle) {
  const bool isThere = obstacle < colliders_.size() && !colliders_[obstacle].body() &&
                       !colliders_[obstacle].isRemoved() && colliders_[obstacle].whole() == obstacle;
  if (!isThere) throw Error(ofMembers, "there is no obstacle " + std::to_string(obstacle) + " to remove.");
  removeParts(static_cast<std::uint32_t>(obstacle));
}

void CollisionManager::removeParts(std::uint32_t number) {
  for (std::uint32_t k = number; k < colliders_.size() && colliders_[k].whole() == number; ++k) {
    if (colliders_[k].plane() != nullptr) {
      std::erase(planes_, k);
    } else {
      broadPhase_.remove(k);
    }
    colliders_[k].remove();
  }
  anyRemoved_ = true;
}

void CollisionManager::forgetRemoved() {
  // Their pairs end with the next update.
  if (anyRemoved_) return;
  std::vector<std::uint32_t> numbers(colliders_.size());
  std::uint32_t kept = 0;
  for (std::uint32_t k = 0; k < colliders_.size(); ++k) {
    numbers[k] = kept;
    if (!colliders_[k].isRemoved()) ++kept;
  }
  if (kept == colliders_.size()) return;
  std::erase_if(colliders_, [](const Collider& collider) { return collider.isRemoved(); });
  for (Collider& collider : colliders_) collider.setWhole(numbers[collider.whole()]);
  for (auto& [body, number] : numberOf_) number = numbers[number];
  for (std::uint32_t& plane : planes_) plane = numbers[plane];
  for (MemberPair& pair : begunPlanes_) pair = {numbers[pair.first], numbers[pair.second]};
  for (Pair& pair : pairs_) {
    pair.key = {numbers[pair.key.first], numbers[pair.key.second]};
  }
  rebuildBroadPhase();
  findPendingPairs();
}

// With the bounds that it had.
void CollisionManager::rebuildBroadPhase() {
  broadPhase_ = BroadPhase();
  for (std::uint32_t k = 0; k < colliders_.size(); ++k) {
    const Collider& collider = colliders_[k];
    if (!collider.isRemoved() && collider.plane() == nullptr)
      broadPhase_.insert(k, collider.heldBounds(), !collider.body());
  }
}

// A new broad phase reports all pairs; those not known yet begin with the next update.
void CollisionManager::findPendingPairs() {
  broadPhase_.update(begun_, ended_);
  const auto isBefore = [](const Pair& pair, const MemberPair& key) { return pair.key < key; };
  for (const MemberPair& key : begun_) {
    const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), key, isBefore);
    if (found == pairs_.end() || found->key != key) begunPlanes_.push_back(key);
  }
  std::sort(begunPlanes_.begin(), begunPlanes_.end());
  begunPlanes_.erase(std::unique(begunPlanes_.begin(), begunPlanes_.end()), begunPlanes_.end());
}

}  // namespace delassus
