// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <delassus/kernel/shapes/Placement.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// Two members of a BroadPhase by their numbers, the smaller one first.
struct MemberPair {
  std::uint32_t first = 0;   ///< the smaller number
  std::uint32_t second = 0;  ///< the larger one
  /// By the first members, then by the second.
  auto operator<=>(const MemberPair&) const = default;
};

/// Finds which of many moving bounds overlap: the dynamic bounding volume trees and the overlapping pair cache of the
/// library Bullet (btDbvtBroadphase). Bounds at rest cost nothing; a moving one costs about the logarithm of their
/// number. Fixed members make no pairs among themselves.
///
/// The answer depends on the bounds alone, not on the order in which the trees were built.
class BroadPhase {
 public:
  BroadPhase();
  ~BroadPhase();
  /// A moved-from object can only be destroyed or assigned to.
  ///@{
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;
  ///@}

  /// `member` is a number that is not in use; the bounds must be finite.
  void insert(std::uint32_t member, const Bounds& bounds, bool fixed);
  /// Changes the bounds of an existing member; they must be finite.
  void move(std::uint32_t member, const Bounds& bounds);
  /// Removes an existing member; its pairs end with the next update, and its number is free.
  void remove(std::uint32_t member);

  /// The pairs that began and ceased to overlap since the last call, each list in ascending order.
  void update(std::vector<MemberPair>& begun, std::vector<MemberPair>& ended);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace delassus
