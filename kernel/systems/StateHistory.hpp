// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Memory.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string>
#include <vector>

namespace delassus {

/// The last accepted states of a system before the present one, in a ring of fixed depth; pushing a state does not
/// allocate. The type State depends on the order of the system.
template <class State>
class StateHistory {
 public:
  /// Empty, with room for `depth` states, which may be 0. Throws Error, naming `owner`, where there is no memory for so
  /// many.
  explicit StateHistory(std::size_t depth = 1, const std::string& owner = "StateHistory")
      : ring_(memoryFor(owner, "a history of " + std::to_string(depth) + " states",
                        [depth] { return std::vector<State>(depth); })) {}

  /// Number of states that are kept at most.
  std::size_t depth() const { return ring_.size(); }
  /// Number of states held; at most depth().
  std::size_t size() const { return size_; }

  /// The state `stepsBack` steps before the present one (1: the previous one); throws Error if it is not held or no
  /// longer held.
  const State& at(std::size_t stepsBack) const {
    if (stepsBack == 0 || stepsBack > size_) {
      throw Error("StateHistory", "asked for the state " + std::to_string(stepsBack) + " steps back, but 1 to " +
                                      std::to_string(size_) + " are held; set a larger depth with setHistoryDepth.");
    }
    return ring_[(newest_ + ring_.size() - (stepsBack - 1)) % ring_.size()];
  }

  /// Makes room for the newest state, to be filled by the caller; null if none are kept.
  State* push() {
    if (ring_.empty()) return nullptr;
    newest_ = newest_ + 1 == ring_.size() ? 0 : newest_ + 1;
    size_ = std::min(size_ + 1, ring_.size());
    return &ring_[newest_];
  }

  /// Forgets the states but keeps the depth.
  void clear() { size_ = 0; }

  /// Saves or restores the states, by serializeState(archive, State&) of the owner.
  template <class Serialize>
  void serializeState(StateArchive& archive, Serialize serialize) {
    ring_.resize(archive.count("depth", ring_.size()));
    archive.value("size", size_);
    archive.value("newest", newest_);
    if (size_ > ring_.size() || (newest_ >= ring_.size() && !ring_.empty())) {
      archive.refuse("it has a history whose states are outside of it.");
    }
    for (State& state : ring_) serialize(state);
  }

 private:
  std::vector<State> ring_;
  std::size_t size_ = 0;
  std::size_t newest_ = 0;
};

}  // namespace delassus
