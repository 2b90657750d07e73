// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>

namespace delassus::numerics {

/// Which matrix of a problem the one that a solver derives from it was made from, as MadeFrom says it, and the stamp of
/// the derived one over a checkpoint. That matrix is not saved: it is computed again from the same values and then gets
/// its old stamp, by which other solvers know it.
class DerivedStamp {
 public:
  /// Whether it was made from the matrix with this stamp.
  bool isCurrent(std::uint64_t source) const { return from_.isCurrent(source); }
  /// It is to be made again.
  void forget() { from_.forget(); }
  /// What was restored does not count either: what is made now is made in another way.
  void forgetRestored() { restored_.forget(); }
  /// It has been made from `source`, and has the stamp `made`. Gives the stamp that it is to have: this one, or the
  /// restored one the first time.
  std::uint64_t take(std::uint64_t source, std::uint64_t made) {
    from_.take(source);
    if (!restored_.isCurrent(source)) return made;
    restored_.forget();
    return stamp_;
  }

  /// Saves or restores both, with the present stamp `made`; after restoring nothing is current.
  void serializeState(StateArchive& archive, std::uint64_t made) {
    // The state may be saved again before the matrix has been made.
    bool isKnown = from_.isMade() || restored_.isMade();
    std::uint64_t source = from_.isMade() ? from_.source() : isKnown ? restored_.source() : 0;
    std::uint64_t stamp = from_.isMade() ? made : isKnown ? stamp_ : 0;
    archive.value("isKnown", isKnown);
    archive.stamp("source", source);
    archive.stamp("made", stamp);
    if (!archive.restores()) return;
    from_.forget();
    restored_.forget();
    if (isKnown) restored_.take(source);
    stamp_ = stamp;
  }

 private:
  MadeFrom<std::uint64_t> from_;
  MadeFrom<std::uint64_t> restored_;
  std::uint64_t stamp_ = 0;  // restored
};

}  // namespace delassus::numerics
