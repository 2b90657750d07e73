// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <delassus/kernel/collision/Shapes.hpp>
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

/// Which bounds overlap, of many that move: the dynamic bounding volume trees and the overlapping pair cache of the
/// library Bullet (btDbvtBroadphase). Bounds that stay where they are cost nothing; one that moves costs about the
/// logarithm of their number. Fixed members make no pairs among themselves.
///
/// The answer depends on the bounds alone, not on the order in which the trees were built.
class BroadPhase {
 public:
  BroadPhase();
  ~BroadPhase();
  /// The one that is moved from can only be destroyed or assigned to.
  ///@{
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;
  ///@}

  /// `member` is a number that is not in use; the bounds must be finite.
  void insert(std::uint32_t member, const Bounds& bounds, bool fixed);
  /// Gives a member that is there other bounds, which must be finite.
  void move(std::uint32_t member, const Bounds& bounds);
  /// Takes out a member that is there; its pairs end with the next update, and its number is free.
  void remove(std::uint32_t member);

  /// The pairs that began and ceased to overlap since the last call, each list in ascending order.
  void update(std::vector<MemberPair>& begun, std::vector<MemberPair>& ended);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace delassus
