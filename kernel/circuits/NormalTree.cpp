// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/NormalTree.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace delassus {

NormalTree::NormalTree(std::size_t nodes, std::vector<Branch> branches)
    : branches_(std::move(branches)), inTree_(branches_.size()), part_(nodes) {
  std::iota(part_.begin(), part_.end(), std::size_t{0});
  choose();
  rootParts();
}

// In part_ each node refers to another one of its part until rootParts() numbers the parts.
void NormalTree::choose() {
  const auto firstOf = [this](std::size_t node) {
    while (part_[node] != node) node = part_[node] = part_[part_[node]];
    return node;
  };
  std::vector<std::size_t> order(branches_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](std::size_t i, std::size_t j) { return branches_[i].preference < branches_[j].preference; });
  for (const std::size_t branch : order) {
    const std::size_t a = firstOf(branches_[branch].a), b = firstOf(branches_[branch].b);
    if (a == b) continue;
    inTree_[branch] = 1;
    part_[std::max(a, b)] = std::min(a, b);
  }
}

void NormalTree::rootParts() {
  const std::size_t nodes = part_.size();
  std::vector<std::vector<std::size_t>> at(nodes);
  for (std::size_t branch = 0; branch < branches_.size(); ++branch) {
    if (inTree_[branch] == 0) continue;
    at[branches_[branch].a].push_back(branch);
    at[branches_[branch].b].push_back(branch);
  }
  depth_.assign(nodes, 0);
  parent_.assign(nodes, nodes);
  above_.assign(nodes, 0);
  std::vector<char> isReached(nodes, 0);
  for (std::size_t first = 0; first < nodes; ++first) {
    if (isReached[first] != 0) continue;
    std::vector<std::size_t> open{first};
    isReached[first] = 1;
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      part_[node] = root_.size();
      for (const std::size_t branch : at[node]) {
        const std::size_t other = branches_[branch].a == node ? branches_[branch].b : branches_[branch].a;
        if (isReached[other] != 0) continue;
        isReached[other] = 1;
        parent_[other] = node;
        above_[other] = branch;
        depth_[other] = depth_[node] + 1;
        open.push_back(other);
      }
    }
    root_.push_back(first);
  }
}

std::vector<NormalTree::Step> NormalTree::path(std::size_t a, std::size_t b) const {
  std::vector<Step> up, down;
  while (a != b) {
    if (depth_[a] >= depth_[b]) {
      up.push_back({above_[a], branches_[above_[a]].a == a ? 1. : -1.});
      a = parent_[a];
    } else {
      down.push_back({above_[b], branches_[above_[b]].b == b ? 1. : -1.});
      b = parent_[b];
    }
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

}  // namespace delassus
