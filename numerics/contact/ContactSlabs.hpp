// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/contact/ContactPattern.hpp>
#include <span>
#include <vector>

namespace delassus::numerics {

/// An order of contacts in which several threads can sweep over them with the same result for any number of threads.
///
/// From a contact at the edge of a pile, those are numbered in layers by how many contacts away they are. Two layers
/// make a slab; W couples a slab with the ones before and after it, and with no other. So all even slabs are swept
/// side by side, then all odd ones, each in its own order.
class ContactSlabs {
 public:
  /// Finds slabs of the contacts that W couples.
  void find(const ContactPattern& W);
  /// One slab of all contacts, in the order of their numbers.
  void takeWhole(std::size_t contacts);

  /// All contacts: the even slabs, then the odd ones.
  const std::vector<std::size_t>& order() const { return order_; }
  /// Prepares forEach() for the contacts at these places of order(), ascending.
  void cut(std::span<const std::uint32_t> places);
  /// visit(part) for the parts of the places of the last cut(), on several threads where they are independent.
  template <class Visit>
  void forEach(std::span<const std::uint32_t> places, const Visit& visit) const {
    for (std::size_t phase = 0; phase < 2; ++phase) {
      const std::size_t first = phase == 0 ? 0 : evenParts_;
      const std::size_t last = phase == 0 ? evenParts_ : partStarts_.size() - 1;
      forEachPart(last - first, [&](std::size_t k) {
        const std::size_t begin = partStarts_[first + k];
        visit(places.subspan(begin, partStarts_[first + k + 1] - begin));
      });
    }
  }

 private:
  void reach(const ContactPattern& W, std::size_t contact);

  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> slabOf_;  // contact: twice the number of its slab, and 1 if that is odd in its pile
  std::vector<std::size_t> partStarts_ = {0};
  std::size_t evenParts_ = 0;

  std::vector<std::uint32_t> layers_;  // by contacts
  std::vector<std::size_t> reached_;   // in the order of layers, pile after pile
};

}  // namespace delassus::numerics
