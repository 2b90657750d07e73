// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace delassus {

/// A spanning forest of a graph whose branches come in an order of preference: each one is taken into the tree unless
/// it closes a loop with those before it (Kruskal). In an order of voltage sources, capacitors, resistors and switching
/// elements, inductors, current sources this is a normal tree of a circuit: it has as many capacitors and as few
/// inductors as any. (Bryant, Proc. IEE C 106, 1959.)
class NormalTree {
 public:
  /// A branch from a to b.
  struct Branch {
    std::size_t a = 0;   ///< node
    std::size_t b = 0;   ///< node
    int preference = 0;  ///< small ones first; of equal ones in the order of the list
  };
  /// A branch of the tree, passed from its a to its b (+1) or against that (−1).
  struct Step {
    std::size_t branch = 0;  ///< its number
    double sign = 1.;        ///< of the passage
  };

  /// Nodes are numbered from 0 on.
  NormalTree(std::size_t nodes, std::vector<Branch> branches);

  bool contains(std::size_t branch) const { return inTree_[branch] != 0; }  ///< whether it is in the tree
  /// Number of the connected part of a node.
  std::size_t part(std::size_t node) const { return part_[node]; }
  /// Whether a way in the tree leads from one to the other.
  bool areConnected(std::size_t a, std::size_t b) const { return part_[a] == part_[b]; }
  /// The node of a part that its voltages count from: that of the smallest number, ground where it belongs to the part.
  std::size_t root(std::size_t node) const { return root_[part_[node]]; }
  /// The way from a to b in the tree. The voltage v(a) − v(b) is the sum of sign · v over it.
  std::vector<Step> path(std::size_t a, std::size_t b) const;

 private:
  void choose();
  void rootParts();

  std::vector<Branch> branches_;
  std::vector<char> inTree_;
  std::vector<std::size_t> part_, root_, depth_;
  std::vector<std::size_t> parent_, above_;  // of each node: the next node towards the root, and the branch to it
};

}  // namespace delassus
