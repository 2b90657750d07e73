// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/ContactSlabs.hpp>

#include <limits>
#include <numeric>

namespace delassus::numerics {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
// Contacts that are worth a thread's while.
constexpr std::size_t leastPart = 50;

}  // namespace

void ContactSlabs::takeWhole(std::size_t contacts) {
  order_.resize(contacts);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  slabOf_.assign(contacts, 0);
}

// Adds the pile of a contact to reached_, layer after layer.
void ContactSlabs::reach(const ContactPattern& W, std::size_t contact) {
  std::size_t next = reached_.size();
  reached_.push_back(contact);
  layers_[contact] = 0;
  for (; next < reached_.size(); ++next) {
    const std::size_t row = reached_[next];
    for (const std::uint32_t other : W.row(row)) {
      if (layers_[other] != none) continue;
      layers_[other] = layers_[row] + 1;
      reached_.push_back(other);
    }
  }
}

void ContactSlabs::find(const ContactPattern& W) {
  const std::size_t n = W.contacts();
  layers_.assign(n, none);
  slabOf_.resize(n);
  reached_.clear();
  reached_.reserve(n);
  std::uint32_t slabs = 0;
  for (std::size_t contact = 0; contact < n; ++contact) {
    if (layers_[contact] != none) continue;
    const std::size_t first = reached_.size();
    reach(W, contact);
    // From the farthest one, there are more and thinner layers.
    const std::size_t edge = reached_.back();
    for (std::size_t k = first; k < reached_.size(); ++k) layers_[reached_[k]] = none;
    reached_.resize(first);
    reach(W, edge);
    for (std::size_t k = first; k < reached_.size(); ++k) {
      const std::uint32_t slab = layers_[reached_[k]] / 2;
      slabOf_[reached_[k]] = 2 * (slabs + slab) + slab % 2;
    }
    slabs += layers_[reached_.back()] / 2 + 1;
  }
  order_.clear();
  order_.reserve(n);
  for (const std::uint32_t parity : {0U, 1U}) {
    for (const std::size_t contact : reached_) {
      if (slabOf_[contact] % 2 == parity) order_.push_back(contact);
    }
  }
}

void ContactSlabs::cut(std::span<const std::uint32_t> places) {
  const auto slabAt = [&](std::size_t k) { return slabOf_[order_[places[k]]]; };
  partStarts_.assign(1, 0);
  evenParts_ = 0;
  bool isOdd = false;
  for (std::size_t k = 1; k < places.size(); ++k) {
    const std::uint32_t slab = slabAt(k), before = slabAt(k - 1);
    const bool turnsOdd = slab % 2 != before % 2;
    if (!turnsOdd && (slab == before || k - partStarts_.back() < leastPart)) continue;
    partStarts_.push_back(k);
    if (turnsOdd) evenParts_ = partStarts_.size() - 1;
    isOdd = isOdd || turnsOdd;
  }
  if (!places.empty()) partStarts_.push_back(places.size());
  if (!isOdd) evenParts_ = partStarts_.size() - 1;
}

}  // namespace delassus::numerics
