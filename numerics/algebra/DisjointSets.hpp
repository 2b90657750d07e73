// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace delassus {

/// Elements 0 .. n − 1 in groups that are joined pair by pair, in the vector of the caller. (Union–find by the smallest
/// element, with path halving.)
class DisjointSets {
 public:
  /// Each of `count` elements by itself. `group` must outlive the sets.
  DisjointSets(std::vector<std::size_t>& group, std::size_t count) : group_(group) {
    // An element refers to one before it in its group, the first of a group to itself.
    group_.resize(count);
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }
  /// Makes the groups of a and b one.
  void join(std::size_t a, std::size_t b) {
    const auto [before, after] = std::minmax({firstOf(a), firstOf(b)});
    group_[after] = before;
  }
  /// Replaces each entry of the vector by the number of its group, in the order of their first elements, and gives how
  /// many there are. Ends the use of the sets.
  std::size_t number() {
    std::size_t count = 0;
    for (std::size_t k = 0; k < group_.size(); ++k) group_[k] = group_[k] == k ? count++ : group_[group_[k]];
    return count;
  }

 private:
  std::size_t firstOf(std::size_t k) {
    while (group_[k] != k) k = group_[k] = group_[group_[k]];
    return k;
  }

  std::vector<std::size_t>& group_;
};

}  // namespace delassus
