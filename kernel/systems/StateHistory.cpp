// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/StateHistory.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>

namespace delassus {

const StateHistory::State& StateHistory::at(std::size_t stepsBack) const {
  if (stepsBack == 0 || stepsBack > size_) {
    throw Error("StateHistory", "asked for the state " + std::to_string(stepsBack) + " steps back, but 1 to " +
                                    std::to_string(size_) + " are held; set a larger depth with setHistoryDepth.");
  }
  return ring_[(newest_ + ring_.size() - (stepsBack - 1)) % ring_.size()];
}

void StateHistory::push(double time, const Vector& q, const Vector& v) {
  if (ring_.empty()) return;
  newest_ = newest_ + 1 == ring_.size() ? 0 : newest_ + 1;
  State& state = ring_[newest_];
  state.time = time;
  assign(q, state.q);
  assign(v, state.v);
  size_ = std::min(size_ + 1, ring_.size());
}

}  // namespace delassus
