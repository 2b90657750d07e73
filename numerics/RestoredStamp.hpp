// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>

namespace delassus::numerics {

/// Keeps, over a checkpoint, the stamp of a matrix that a solver derives from the problem's matrix. The matrix is not
/// saved: it is computed again from the same values and then gets its old stamp, by which other solvers know it.
class RestoredStamp {
 public:
  /// `source`: the stamp of the problem that the matrix was made from, 0 if there is none; it is 0 after restoring, so
  /// that the matrix is computed again.
  void serializeState(StateArchive& archive, std::uint64_t& source, std::uint64_t made) {
    // The state may be saved again before the matrix has been made.
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

  /// The stamp for a matrix now made from `source` with the stamp `made`: the restored one the first time.
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
