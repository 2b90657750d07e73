// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/ContactEvents.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <iterator>
#include <tuple>

namespace delassus {
namespace {

void addAction(std::list<ContactEvents::Action>& actions, ContactEvents::Action action) {
  if (!action) throw Error("CollisionManager", "the action for contacts that begin or end is empty.");
  actions.push_back(std::move(action));
}

}  // namespace

void ContactEvents::onBegin(Action action) {
  addAction(begins_, std::move(action));
}

void ContactEvents::onEnd(Action action) {
  addAction(ends_, std::move(action));
}

void ContactEvents::note(const MemberPair& pair, bool begins, LinkedContact contact) {
  events_.push_back({pair, begins, std::move(contact)});
}

void ContactEvents::tell() {
  std::sort(events_.begin() + static_cast<std::ptrdiff_t>(sorted_), events_.end(),
            [](const Event& x, const Event& y) { return std::tie(x.begins, x.pair) < std::tie(y.begins, y.pair); });
  sorted_ = events_.size();
  while (told_ < sorted_) {
    const Event event = events_[told_];
    const std::list<Action>& actions = event.begins ? begins_ : ends_;
    for (auto action = std::next(actions.begin(), toldTo_); action != actions.end(); ++action) {
      ++toldTo_;
      (*action)(event.contact);
    }
    toldTo_ = 0;
    ++told_;
  }
  clear();
}

void ContactEvents::clear() {
  events_.clear();
  told_ = sorted_ = 0;
  toldTo_ = 0;
}

}  // namespace delassus
