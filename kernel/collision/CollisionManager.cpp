// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/CollisionManager.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <delassus/kernel/relations/Relation.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/Threads.hpp>
#include <exception>

namespace delassus {
namespace {

const char* const managerName = "CollisionManager";

constexpr std::size_t rangeSize = 256;  // colliders that a thread takes at once

using Clock = std::chrono::steady_clock;

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
  events_.tell();  // what an action that threw has left
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
  events_.tell();
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
    if (events_.hasActions()) events_.noteEnd(pair.key, contactOf(pair));
    gone_.push_back(std::move(held_[pair.contact]));
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
  if (contact.geometry->followPair(colliders_[pair.first()], colliders_[pair.second()], manifold) || isNew) {
    contact.interaction->relation().parametersChanged();
  }
}

void CollisionManager::begin(std::size_t pair, double h) {
  Manifold manifold;
  meetInStep(pairs_[pair], h, manifold);
  takeContact(pairs_[pair]);
  follow(pairs_[pair], manifold, true);
  toLink_.push_back(pair);
}

void CollisionManager::takeContact(Pair& pair) {
  const Collider& first = colliders_[pair.first()];
  const Collider& second = colliders_[pair.second()];
  PairContact contact = pool_.take(pair.law, laws_[pair.law], kindOf(first, second));
  contact.geometry->beginPair(first, second);
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
  if (events_.hasActions()) events_.noteEnd(pair.key, contactOf(pair));
  dropped_.push_back(std::move(held_[pair.contact]));
  holes_.push_back(pair.contact);
  pair.contact = noContact;
  --contactCount_;
}

// Contacts removed in this step return to the pool last, so that they are linked again in a later step only.
void CollisionManager::applyChanges(NonSmoothDynamicalSystem& model) {
  for (const PairContact& contact : dropped_) model.remove(contact.interaction);
  for (const std::size_t k : toLink_) {
    link(model, pairs_[k]);
    if (events_.hasActions()) events_.noteBegin(pairs_[k].key, contactOf(pairs_[k]));
  }
  statistics_.linked += toLink_.size();
  statistics_.removed += dropped_.size();
  toLink_.clear();
  for (std::vector<PairContact>* const contacts : {&dropped_, &gone_}) {
    for (PairContact& contact : *contacts) pool_.giveBack(std::move(contact));
    contacts->clear();
  }
}

CollisionManager::Contact CollisionManager::contactOf(const Pair& pair) const {
  const Collider& second = colliders_[pair.second()];
  return {held_[pair.contact].interaction, colliders_[pair.first()].body(), second.body(),
          second.body() ? std::size_t{0} : second.whole()};
}

std::vector<CollisionManager::Contact> CollisionManager::contacts() const {
  std::vector<Contact> all;
  for (const Pair& pair : pairs_) {
    if (pair.contact != noContact) all.push_back(contactOf(pair));
  }
  return all;
}

}  // namespace delassus
