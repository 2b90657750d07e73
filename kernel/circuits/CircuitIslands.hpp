// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/CircuitEquations.hpp>
#include <vector>

namespace delassus {

/// Which states and rows of a circuit belong together. States and rows that depend on each other make an island. A
/// small island is one part: a dense system, and one interaction of all its rows. A large island is cut: states whose
/// rates depend on each other but by way of multipliers stay together, and so do rows whose multipliers enter each
/// other's outputs; of these groups, those that are near each other make a part of up to eight states. Then the
/// one-step problem of a ladder of diodes and capacitors is block sparse, and the ladder has few systems and
/// interactions, each of which costs a step as much as some ten states.
class CircuitIslands {
 public:
  /// A system, and its interactions.
  struct Part {
    std::vector<std::size_t> states;             ///< of the system, ascending; none() alone if there are none
    std::vector<std::vector<std::size_t>> rows;  ///< of each interaction
    bool isCut = false;                          ///< its interactions see states of other parts, too
  };

  /// An island with up to this many states and rows is one part.
  static constexpr std::size_t mostWhole = 60;

  /// Of `equations`.
  explicit CircuitIslands(const CircuitEquations& equations);

  const std::vector<Part>& parts() const { return parts_; }  ///< island by island

 private:
  using Numbers = std::vector<std::size_t>;
  struct Island {
    Numbers states, rows;
  };
  // States or rows of an island that stay together, and to which of their groups each one belongs.
  struct Groups {
    std::vector<Numbers> members;
    Numbers of;
  };

  std::vector<Island> findIslands() const;
  void cut(const Island& island);
  Groups groupsOfStates(const Numbers& states) const;
  Groups groupsOfRows(const Numbers& rows) const;
  std::vector<Numbers> groupsSeen(const Groups& rows, const Groups& states) const;
  void grow(const Groups& states, const std::vector<Numbers>& seen, Numbers& partOf);
  void addRows(const Groups& rows, const std::vector<Numbers>& seen, const Numbers& partOf, std::size_t firstPart);

  const CircuitEquations& equations_;
  std::vector<Numbers> actsOn_;  // of each row: states in whose rates its multiplier is
  std::vector<Part> parts_;
};

}  // namespace delassus
