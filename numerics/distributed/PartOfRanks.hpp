// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/distributed/Ranks.hpp>
#include <optional>
#include <vector>

namespace delassus::distributed {

/// Those of the ranks that take part in something: they keep a communicator as long as they are the same.
class PartOfRanks {
 public:
  /// A part of these, without any rank.
  explicit PartOfRanks(const Ranks& whole) : whole_(whole) {}
  ~PartOfRanks();
  PartOfRanks(const PartOfRanks&) = delete;
  PartOfRanks& operator=(const PartOfRanks&) = delete;

  /// Collective over all ranks, with the same list on each: whether a rank takes part.
  void choose(const std::vector<char>& takesPart);
  /// Those that take part, in the same order, if this rank does.
  const std::optional<Ranks>& ranks() const { return ranks_; }

 private:
  void release();

  Ranks whole_;
  std::vector<char> takesPart_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::optional<Ranks> ranks_;
};

}  // namespace delassus::distributed
