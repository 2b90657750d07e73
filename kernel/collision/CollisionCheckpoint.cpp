// SPDX-License-Identifier: Apache-2.0
//
// The part of CollisionManager that checkpoints need: its parameters, and what is kept from step to step.
#include <algorithm>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <unordered_map>

namespace delassus {
namespace {

void serialize(StateArchive& archive, std::vector<MemberPair>& pairs) {
  pairs.resize(archive.count("pairs", pairs.size()));
  for (MemberPair& pair : pairs) {
    std::uint64_t first = pair.first;
    std::uint64_t second = pair.second;
    archive.value("first", first);
    archive.value("second", second);
    pair = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)};
  }
}

}  // namespace

Settings CollisionManager::settings() const {
  Settings settings;
  settings.add("margin", margin_);
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const std::string number = "law " + std::to_string(k);
    settings.add(number, laws_[k]->className());
    settings.add(number, laws_[k]->settings());
  }
  for (const auto& [groups, law] : lawOfGroups_) {
    settings.add("groups " + std::to_string(groups.first) + " and " + std::to_string(groups.second),
                 law == noLaw ? std::string("no contact") : "law " + std::to_string(law));
  }
  settings.add("members", colliders_.size());
  for (std::size_t k = 0; k < colliders_.size(); ++k) {
    const Collider& collider = colliders_[k];
    const std::string number = "member " + std::to_string(k);
    settings.add(number, collider.label() + ", group " + std::to_string(collider.group()));
    settings.add(number, collider.shape().settings());
    if (collider.motion().isMoving()) settings.add(number, collider.motion().settings());
    if (collider.body() && collider.at().isIdentity()) continue;
    settings.add(number + ".position", std::span<const double>(collider.at().position));
    settings.add(number + ".rotation", std::span<const double>(collider.at().rotation));
  }
  return settings;
}

std::vector<const Interaction*> CollisionManager::managed() const {
  std::vector<const Interaction*> all;
  for (const Pair& pair : pairs_) {
    if (pair.contact != noContact) all.push_back(held_[pair.contact].interaction.get());
  }
  return all;
}

// Numbers of the pairs that are linked, in the order of their interactions in the model.
std::vector<std::size_t> CollisionManager::linkOrder(const NonSmoothDynamicalSystem& model) const {
  std::unordered_map<const Interaction*, std::size_t> pairOfInteraction;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (pairs_[k].contact != noContact) pairOfInteraction[held_[pairs_[k].contact].interaction.get()] = k;
  }
  std::vector<std::size_t> order;
  for (const auto& interaction : model.topology().interactions()) {
    const auto found = pairOfInteraction.find(interaction.get());
    if (found != pairOfInteraction.end()) order.push_back(found->second);
  }
  return order;
}

void CollisionManager::unlinkAll(NonSmoothDynamicalSystem& model) {
  forgetContactsRemovedByOthers(model);
  for (Pair& pair : pairs_) drop(pair);
  applyChanges(model);
  events_.clear();
  pairs_.clear();
  held_.clear();
  holes_.clear();
}

void CollisionManager::serializeColliders(StateArchive& archive) {
  const std::size_t members = archive.count("members", colliders_.size());
  if (members != colliders_.size()) archive.refuse("it has another number of colliding bodies and obstacles.");
  for (std::uint32_t k = 0; k < colliders_.size(); ++k) {
    Collider& collider = colliders_[k];
    bool removed = collider.isRemoved();
    archive.value("removed", removed);
    collider.serializeState(archive);
    if (!archive.restores()) continue;
    if (!removed && collider.isRemoved()) archive.refuse("it has member " + std::to_string(k) + ", removed here.");
    if (removed && !collider.isRemoved()) {
      if (collider.body()) numberOf_.erase(collider.body().get());
      std::erase(planes_, k);
      collider.remove();
    }
  }
  if (archive.restores()) rebuildBroadPhase();
}

void CollisionManager::serializePairs(StateArchive& archive) {
  pairs_.resize(archive.count("pairs", pairs_.size()));
  for (Pair& pair : pairs_) {
    std::uint64_t first = pair.key.first;
    std::uint64_t second = pair.key.second;
    archive.value("first", first);
    archive.value("second", second);
    if (!archive.restores()) continue;
    if (first >= colliders_.size() || second >= colliders_.size()) archive.refuse("it has pairs of unknown members.");
    pair = pairOf({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
  }
}

void CollisionManager::serializeState(StateArchive& archive, NonSmoothDynamicalSystem& model) {
  archive.section("CollisionManager");
  std::vector<std::size_t> order;
  if (archive.restores()) {
    unlinkAll(model);
  } else {
    forgetContactsRemovedByOthers(model);
    order = linkOrder(model);
  }
  serializeColliders(archive);
  archive.value("updates", statistics_.updates);
  archive.value("linked", statistics_.linked);
  archive.value("removed", statistics_.removed);
  archive.value("detectionSeconds", statistics_.detectionSeconds);
  archive.value("linkingSeconds", statistics_.linkingSeconds);
  archive.value("lawsChanged", lawsChanged_);
  archive.value("anyRemoved", anyRemoved_);
  serialize(archive, begunPlanes_);
  serializePairs(archive);
  archive.value("order", order);
  if (!archive.restores()) return;
  findPendingPairs();
  for (const std::size_t k : order) {
    if (k >= pairs_.size() || pairs_[k].law == noLaw || pairs_[k].contact != noContact) {
      archive.refuse("it has contacts of pairs that cannot touch here.");
    }
    takeContact(pairs_[k]);
    link(model, pairs_[k]);
  }
  leftAt_.forget();
  if (statistics_.updates == 0) return;
  model_ = &model;
  leftAt_.take(model.topology().version());
}

}  // namespace delassus
