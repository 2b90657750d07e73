// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/BroadPhase.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <functional>
#include <list>
#include <utility>
#include <vector>

namespace delassus {

/// A pair that a CollisionManager has linked.
struct LinkedContact {
  std::shared_ptr<Interaction> interaction;  ///< may be reused for another pair once this one has separated
  std::shared_ptr<NewtonEulerDS> first;      ///< into which the normal points
  std::shared_ptr<NewtonEulerDS> second;     ///< null for an obstacle
  std::size_t obstacle = 0;                  ///< its number as insertObstacle gave it, where `second` is null
};

/// What a CollisionManager tells its user of contacts that begin and end: first those that end, then those that begin,
/// each in the order of their pairs, whatever order they were found in.
class ContactEvents {
 public:
  /// A function of the user, which may throw, call the manager and change the model.
  using Action = std::function<void(const LinkedContact&)>;

  /// Adds an action of contacts that begin, or end. Throws Error if it is empty.
  ///@{
  void onBegin(Action action);
  void onEnd(Action action);
  ///@}
  /// Whether there is any action; nothing is noted otherwise.
  bool hasActions() const { return !begins_.empty() || !ends_.empty(); }

  /// Notes that the contact of a pair has begun, or ended.
  ///@{
  void noteBegin(const MemberPair& pair, LinkedContact contact) { note(pair, true, std::move(contact)); }
  void noteEnd(const MemberPair& pair, LinkedContact contact) { note(pair, false, std::move(contact)); }
  ///@}
  /// Calls the actions with all that was noted since the last call. After one that throws the others are called by the
  /// next call, before those of later notes.
  void tell();
  /// Forgets what was noted.
  void clear();

 private:
  struct Event {
    MemberPair pair;
    bool begins;
    LinkedContact contact;
  };
  void note(const MemberPair& pair, bool begins, LinkedContact contact);

  std::list<Action> begins_, ends_;  // an action may add another one
  std::vector<Event> events_;
  std::size_t told_ = 0, sorted_ = 0;  // of the events, from the first one
  std::ptrdiff_t toldTo_ = 0;          // how many of the actions have been called with the next event
};

}  // namespace delassus
