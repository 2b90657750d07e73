// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/CollisionManager.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <delassus/kernel/relations/Relation.hpp>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/Threads.hpp>
#include <exception>

namespace delassus {
namespace {

const char* const managerName = "CollisionManager";

constexpr std::size_t rangeSize = 256;  // colliders that a thread takes at once

using Clock = std::chrono::steady_clock;

// What is one-sided has no inside that another body could not enter.
void requireSolid(const Shape& shape, const NewtonEulerDS& body) {
  const auto isOneSided = [](const Shape& part) { return part.convex() != nullptr && part.convex()->isOneSided(); };
  if (!isOneSided(shape) &&
      std::ranges::none_of(shape.parts(), [&](const PlacedShape& part) { return isOneSided(*part.shape); })) {
    return;
  }
  throw Error(managerName,
              "body '" + body.name() +
                  "' cannot have triangles as its shape; a mesh is an obstacle. Take a compound of hulls.");
}

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

CollisionManager::CollisionManager(double margin, std::shared_ptr<NonSmoothLaw> law) : margin_(margin) {
  if (!(margin > 0. && std::isfinite(margin))) {
    throw Error(managerName, "the margin must be positive and finite, got " + toText(margin) + ".");
  }
  addLaw(std::move(law));
}

CollisionManager::~CollisionManager() {
  const bool isForgotten = statistics_.updates == 0 && !numberOf_.empty() && std::uncaught_exceptions() == 0;
  if (!isForgotten) return;
  Log::warning("CollisionManager: " + std::to_string(numberOf_.size()) +
               " bodies were inserted, but no simulation ever asked for their contacts. Give the manager to "
               "setInteractionManager of the simulation.");
}

// ---------------------------------------------------------------------------------------------------- what collides

void CollisionManager::insert(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape,
                              const Placement& at, Group group) {
  if (!body) throw Error(managerName, "the body to insert is null.");
  if (!shape) throw Error(managerName, "the shape of body '" + body->name() + "' is null.");
  if (numberOf_.contains(body.get())) {
    throw Error(managerName,
                "body '" + body->name() + "' is inserted already; a body has one shape, which may be a compound.");
  }
  if (shape->plane() != nullptr) {
    throw Error(managerName, "body '" + body->name() + "' cannot have a half-space as its shape; these are obstacles.");
  }
  shapes::requirePlacement(at, managerName);
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
    throw Error(managerName, "the shape of body '" + body->name() + "' has its centre of mass at (" +
                                 toText(centre[0]) + ", " + toText(centre[1]) + ", " + toText(centre[2]) +
                                 "), not at its origin: say where it is in the body, placementInBody(shape), or "
                                 "Placement{} if its origin is where the body's centre of mass is.");
  }
  insert(std::move(body), std::move(shape), Placement{}, group);
}

std::size_t CollisionManager::insertObstacle(std::shared_ptr<const Shape> shape, const Vector3& x, const Quaternion& p,
                                             Group group) {
  if (!isFinite(x)) throw Error(managerName, "the position of an obstacle must be finite.");
  const Placement at{x, rotations::rotationMatrix(rotations::normalised(p, "orientation of an obstacle"))};
  return addObstacle(ObstacleMotion(), {std::move(shape), at}, group);
}

std::size_t CollisionManager::insertObstacle(std::shared_ptr<const Shape> shape, ObstacleMotion motion, Group group) {
  return addObstacle(motion, {std::move(shape), {}}, group);
}

std::size_t CollisionManager::addObstacle(const ObstacleMotion& motion, const PlacedShape& whole, Group group) {
  if (!whole.shape) throw Error(managerName, "the shape of an obstacle is null.");
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
    throw Error(managerName, "the shape of " + (body ? "body '" + body->name() + "'" : obstacle) + " has no part.");
  colliders_.reserve(colliders_.size() + parts.size());
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
    throw Error(managerName,
                std::string("the body to remove") + (body ? " ('" + body->name() + "')" : "") + " was not inserted.");
  }
  removeParts(found->second);
  numberOf_.erase(found);
}

void CollisionManager::removeObstacle(std::size_t obstacle) {
  const bool isThere = obstacle < colliders_.size() && !colliders_[obstacle].body() &&
                       !colliders_[obstacle].isRemoved() && colliders_[obstacle].whole() == obstacle;
  if (!isThere) throw Error(managerName, "there is no obstacle " + std::to_string(obstacle) + " to remove.");
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

// -------------------------------------------------------------------------------------------------------------- laws

std::uint32_t CollisionManager::addLaw(std::shared_ptr<NonSmoothLaw> law) {
  if (!law) throw Error(managerName, "the law is null.");
  PairContactPool::requireLaw(*law);
  laws_.push_back(std::move(law));
  return static_cast<std::uint32_t>(laws_.size() - 1);
}

void CollisionManager::setLaw(Group a, Group b, std::shared_ptr<NonSmoothLaw> law) {
  lawOfGroups_[std::minmax(a, b)] = addLaw(std::move(law));
  lawsChanged_ = true;
}

void CollisionManager::exclude(Group a, Group b) {
  lawOfGroups_[std::minmax(a, b)] = noLaw;
  lawsChanged_ = true;
}

std::uint32_t CollisionManager::lawOf(const Collider& first, const Collider& second) const {
  if (first.whole() == second.whole()) return noLaw;
  if (lawOfGroups_.empty()) return 0;
  const auto found = lawOfGroups_.find(std::minmax(first.group(), second.group()));
  return found == lawOfGroups_.end() ? 0 : found->second;
}

void CollisionManager::refreshLaws() {
  if (!lawsChanged_) return;
  lawsChanged_ = false;
  for (Pair& pair : pairs_) {
    pair.law = lawOf(colliders_[pair.first()], colliders_[pair.second()]);
    if (pair.contact != noContact && held_[pair.contact].law != pair.law) drop(pair);
    pair.isExamined = false;
  }
}

// ------------------------------------------------------------------------------------------------------------ a step

void CollisionManager::updateInteractions(NonSmoothDynamicalSystem& model, double t, double h) {
  if (model_ != nullptr && model_ != &model) {
    throw Error(managerName, "it has linked the bodies of another model already; each model needs its own.");
  }
  if (!leftAt_.isCurrent(model.topology().version())) {
    requireBodies(model);
    forgetContactsRemovedByOthers(model);
  }
  model_ = &model;
  leftAt_.forget();
  const Clock::time_point begin = Clock::now();
  moveColliders(t, h);
  updatePairs();
  refreshLaws();
  examinePairs(h);
  const Clock::time_point detected = Clock::now();
  applyChanges(model);
  ++statistics_.updates;
  statistics_.detectionSeconds += seconds(begin, detected);
  statistics_.linkingSeconds += seconds(detected, Clock::now());
  leftAt_.take(model.topology().version());
}

void CollisionManager::requireBodies(const NonSmoothDynamicalSystem& model) const {
  for (const Collider& collider : colliders_) {
    if (!collider.body() || collider.isRemoved() || model.topology().contains(*collider.body())) continue;
    throw Error(managerName, "body '" + collider.label() +
                                 "' is not in the model: insert it there, or remove it from the CollisionManager too.");
  }
}

// Removing a body from the model removes its interactions with it.
void CollisionManager::forgetContactsRemovedByOthers(const NonSmoothDynamicalSystem& model) {
  for (Pair& pair : pairs_) {
    if (pair.contact == noContact || model.topology().contains(*held_[pair.contact].interaction)) continue;
    pool_.giveBack(std::move(held_[pair.contact]));
    holes_.push_back(pair.contact);
    pair.contact = noContact;
    pair.isExamined = false;
    --contactCount_;
  }
}

void CollisionManager::moveColliders(double t, double h) {
  outgrowBounds_.assign(colliders_.size(), 0);
  forRanges(colliders_.size(), rangeSize, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      Collider& collider = colliders_[k];
      if (collider.isFixed() || collider.isRemoved()) continue;
      collider.readState(t);
      if (collider.plane() != nullptr) continue;  // its bounds are infinite, and not in the broad phase
      outgrowBounds_[k] = collider.updateBounds(h, margin_) ? 1 : 0;
    }
  });
  for (std::uint32_t k = 0; k < colliders_.size(); ++k) {
    if (outgrowBounds_[k] != 0) broadPhase_.move(k, colliders_[k].heldBounds());
  }
}

CollisionManager::Pair CollisionManager::pairOf(const MemberPair& key) const {
  Pair pair{key};
  pair.obstacleFirst = !colliders_[key.first].body();
  pair.law = lawOf(colliders_[pair.first()], colliders_[pair.second()]);
  return pair;
}

// Merges the events of the broad phase into the pairs.
void CollisionManager::updatePairs() {
  broadPhase_.update(begun_, ended_);
  if (!begunPlanes_.empty()) {
    std::erase_if(begunPlanes_,
                  [this](const MemberPair& key) { return std::binary_search(ended_.begin(), ended_.end(), key); });
    begun_.insert(begun_.end(), begunPlanes_.begin(), begunPlanes_.end());
    std::sort(begun_.begin(), begun_.end());
    begunPlanes_.clear();
  }
  neighboursChanged_.clear();
  if (begun_.empty() && ended_.empty() && !anyRemoved_) return;
  neighboursChanged_.assign(colliders_.size(), 0);
  const auto noteChange = [this](const MemberPair& key) {
    neighboursChanged_[key.first] = neighboursChanged_[key.second] = 1;
  };
  const auto isGone = [this](const MemberPair& key) {
    return colliders_[key.first].isRemoved() || colliders_[key.second].isRemoved();
  };
  auto ended = ended_.begin();
  auto end = pairs_.begin();
  for (Pair& pair : pairs_) {
    while (ended != ended_.end() && *ended < pair.key) ++ended;
    if ((ended != ended_.end() && *ended == pair.key) || isGone(pair.key)) {
      noteChange(pair.key);
      drop(pair);
    } else {
      *end++ = pair;
    }
  }
  pairs_.erase(end, pairs_.end());
  std::erase_if(begun_, isGone);
  std::ranges::for_each(begun_, noteChange);
  // From behind, so that it takes no second list.
  std::size_t old = pairs_.size(), fresh = begun_.size();
  pairs_.resize(old + fresh);
  while (fresh > 0) {
    const bool isOld = old > 0 && begun_[fresh - 1] < pairs_[old - 1].key;
    Pair& place = pairs_[old + fresh - 1];
    if (isOld) {
      place = pairs_[--old];
    } else {
      place = pairOf(begun_[--fresh]);
    }
  }
  anyRemoved_ = false;
}

void CollisionManager::follow(const Pair& pair, const Manifold& manifold, bool isNew) {
  PairContact& contact = held_[pair.contact];
  if (contact.geometry->follow(colliders_[pair.first()], colliders_[pair.second()], manifold) || isNew) {
    contact.interaction->relation().parametersChanged();
  }
}

void CollisionManager::begin(std::size_t pair, double h) {
  Manifold manifold;
  meet(pairs_[pair], h, manifold);
  takeContact(pairs_[pair]);
  follow(pairs_[pair], manifold, true);
  toLink_.push_back(pair);
}

void CollisionManager::takeContact(Pair& pair) {
  const Collider& first = colliders_[pair.first()];
  const Collider& second = colliders_[pair.second()];
  PairContact contact = pool_.take(pair.law, laws_[pair.law], kindOf(first, second));
  contact.geometry->begin(first, second);
  name_.assign(first.label()).append(" - ").append(second.label());
  contact.interaction->setName(name_);
  if (holes_.empty()) {
    holes_.push_back(static_cast<std::uint32_t>(held_.size()));
    held_.emplace_back();
  }
  pair.contact = holes_.back();
  holes_.pop_back();
  held_[pair.contact] = std::move(contact);
  ++contactCount_;
}

void CollisionManager::link(NonSmoothDynamicalSystem& model, const Pair& pair) {
  const auto& interaction = held_[pair.contact].interaction;
  const auto& first = colliders_[pair.first()].body();
  if (const auto& second = colliders_[pair.second()].body()) {
    model.link(interaction, first, second);
  } else {
    model.link(interaction, first);
  }
}

void CollisionManager::drop(Pair& pair) {
  if (pair.contact == noContact) return;
  dropped_.push_back(std::move(held_[pair.contact]));
  holes_.push_back(pair.contact);
  pair.contact = noContact;
  --contactCount_;
}

// Contacts removed in this step return to the pool last, so that they are linked again in a later step only.
void CollisionManager::applyChanges(NonSmoothDynamicalSystem& model) {
  for (const PairContact& contact : dropped_) model.remove(contact.interaction);
  for (const std::size_t k : toLink_) link(model, pairs_[k]);
  statistics_.linked += toLink_.size();
  statistics_.removed += dropped_.size();
  toLink_.clear();
  for (PairContact& contact : dropped_) pool_.giveBack(std::move(contact));
  dropped_.clear();
}

std::vector<CollisionManager::Contact> CollisionManager::contacts() const {
  std::vector<Contact> all;
  for (const Pair& pair : pairs_) {
    if (pair.contact == noContact) continue;
    const bool isObstacle = !colliders_[pair.second()].body();
    all.push_back({held_[pair.contact].interaction, colliders_[pair.first()].body(), colliders_[pair.second()].body(),
                   isObstacle ? colliders_[pair.second()].whole() : std::size_t{0}});
  }
  return all;
}

}  // namespace delassus
