// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>

namespace delassus::numerics {

/// The stamp of a matrix that a solver makes from the problem's, over a checkpoint. The matrix is not saved: it is made
/// again, from the same values, and then takes the stamp that it had, by which other solvers know it.
class RestoredStamp {
 public:
  /// `source`: the stamp of the problem that the matrix was made from, 0 if there is none; it is 0 after restoring, so
  /// that the matrix is made again.
  void serializeState(StateArchive& archive, std::uint64_t& source, std::uint64_t made) {
    // It may be saved again before it was made.
    const bool pending = source == 0;
    std::uint64_t first = pending ? source_ : source;
    std::uint64_t second = pending ? made_ : made;
    archive.stamp("source", first);
    archive.stamp("made", second);
    if (!archive.restores()) return;
    source_ = first;
    made_ = second;
    source = 0;
  }

  /// The stamp for what was made from `source` now, and has the stamp `made`: once the one that was restored.
  std::uint64_t of(std::uint64_t source, std::uint64_t made) {
    if (source == 0 || source != source_) return made;
    source_ = 0;
    return made_;
  }

 private:
  std::uint64_t source_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace delassus::numerics
