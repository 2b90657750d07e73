// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/BroadPhase.hpp>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>

#include <algorithm>

namespace delassus {
namespace {

constexpr int movingGroup = 1;
constexpr int fixedGroup = 2;

btVector3 bulletVector(const Vector3& x) {
  return {x[0], x[1], x[2]};
}

std::uint32_t numberOf(const btBroadphaseProxy* proxy) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(proxy->m_clientObject));
}

MemberPair pairOf(const btBroadphaseProxy* a, const btBroadphaseProxy* b) {
  const auto [first, second] = std::minmax({numberOf(a), numberOf(b)});
  return {first, second};
}

// The pair cache notifies it of each pair that it adds or removes.
class PairEvents final : public btOverlappingPairCallback {
 public:
  struct Event {
    MemberPair pair;
    bool begins;
  };

  btBroadphasePair* addOverlappingPair(btBroadphaseProxy* a, btBroadphaseProxy* b) override {
    events_.push_back({pairOf(a, b), true});
    return nullptr;
  }
  void* removeOverlappingPair(btBroadphaseProxy* a, btBroadphaseProxy* b, btDispatcher*) override {
    events_.push_back({pairOf(a, b), false});
    return nullptr;
  }
  void removeOverlappingPairsContainingProxy(btBroadphaseProxy*, btDispatcher*) override {}

  // The net result of the events: a pair that was added and removed, or removed and added, did not change.
  void takeOut(std::vector<MemberPair>& begun, std::vector<MemberPair>& ended) {
    begun.clear();
    ended.clear();
    std::stable_sort(events_.begin(), events_.end(), [](const Event& x, const Event& y) { return x.pair < y.pair; });
    for (auto first = events_.begin(); first != events_.end();) {
      const auto next =
          std::find_if(first, events_.end(), [first](const Event& event) { return event.pair != first->pair; });
      const bool isOdd = (next - first) % 2 != 0;
      if (isOdd) (first->begins ? begun : ended).push_back(first->pair);
      first = next;
    }
    events_.clear();
  }

 private:
  std::vector<Event> events_;
};

}  // namespace

struct BroadPhase::Implementation {
  btHashedOverlappingPairCache pairs;
  btDbvtBroadphase trees{&pairs};
  PairEvents events;
  std::vector<btBroadphaseProxy*> proxies;

  Implementation() {
    listen(&events);
    // All pairs are searched for those that no longer overlap, in each update in which bounds have moved.
    trees.m_cupdates = 100;
  }
  ~Implementation() {
    listen(nullptr);
    for (btBroadphaseProxy* const proxy : proxies) {
      if (proxy != nullptr) trees.destroyProxy(proxy, nullptr);
    }
  }
  void listen(PairEvents* listener) {
    // The function is public in the base class only.
    static_cast<btOverlappingPairCache&>(pairs).setInternalGhostPairCallback(listener);
  }
};

BroadPhase::BroadPhase() : implementation_(std::make_unique<Implementation>()) {
}

BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

void BroadPhase::insert(std::uint32_t member, const Bounds& bounds, bool fixed) {
  auto& proxies = implementation_->proxies;
  if (member >= proxies.size()) proxies.resize(member + 1, nullptr);
  const int group = fixed ? fixedGroup : movingGroup;
  const int collidesWith = fixed ? movingGroup : movingGroup | fixedGroup;
  void* const number = reinterpret_cast<void*>(static_cast<std::uintptr_t>(member));
  proxies[member] = implementation_->trees.createProxy(bulletVector(bounds.lower), bulletVector(bounds.upper), 0,
                                                       number, group, collidesWith, nullptr);
}

void BroadPhase::move(std::uint32_t member, const Bounds& bounds) {
  // setAabb would add a margin of its own.
  implementation_->trees.setAabbForceUpdate(implementation_->proxies[member], bulletVector(bounds.lower),
                                            bulletVector(bounds.upper), nullptr);
}

void BroadPhase::remove(std::uint32_t member) {
  implementation_->trees.destroyProxy(implementation_->proxies[member], nullptr);
  implementation_->proxies[member] = nullptr;
}

void BroadPhase::update(std::vector<MemberPair>& begun, std::vector<MemberPair>& ended) {
  implementation_->trees.calculateOverlappingPairs(nullptr);
  implementation_->events.takeOut(begun, ended);
}

}  // namespace delassus
