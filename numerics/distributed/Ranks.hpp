// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace delassus::distributed {

/// An error that all ranks throw with the same message, so that one of them may tell it.
class AgreedError final : public Error {
 public:
  using Error::Error;
};

/// The ranks of a program under MPI, and what they do together. Every function that is marked collective is called by
/// all ranks in the same order; sums are formed in one order, so that runs on as many ranks give the same bits.
class Ranks {
 public:
  /// Of a communicator, which must outlive this.
  explicit Ranks(MPI_Comm communicator = MPI_COMM_WORLD);

  std::size_t rank() const { return rank_; }               ///< of this process
  std::size_t size() const { return size_; }               ///< number of ranks
  bool isFirst() const { return rank_ == 0; }              ///< the one that reads, writes and tells
  MPI_Comm communicator() const { return communicator_; }  ///< for calls of MPI and PETSc

  /// Collective. The numbers of all ranks, rank after rank, as many of each; valid until the next call.
  std::span<const double> gather(std::span<const double> own) const;
  /// Collective. Sums over all ranks, entry by entry: added up in the order of the ranks, on each of them.
  void sum(std::span<double> values) const;
  /// Collective. True if it is so on any rank.
  bool any(bool isSo) const;
  /// Collective. The bytes or numbers of the first rank, on all; sizes included.
  ///@{
  void share(std::string& text) const;
  void share(std::vector<std::size_t>& numbers) const;
  ///@}
  /// Collective. Calls `work` on each rank; where any of them throws, all throw AgreedError with the message of the
  /// lowest that did.
  void agree(const std::function<void()>& work) const;
  /// Collective. The same with work for the first rank alone.
  void onFirst(const std::function<void()>& work) const;

 private:
  MPI_Comm communicator_;
  std::size_t rank_, size_;
  mutable std::vector<double> gathered_;
};

/// What main() of a program under MPI calls: starts MPI and PETSc, and ends them when `work` is done.
///
///     int main(int argc, char** argv) {
///       return distributed::runOnRanks("program", [&](const Ranks& ranks) { … return 0; });
///     }
///
/// Gives what `work` returned, or 1 where all ranks threw AgreedError, which the first one writes to the standard error
/// after the name of the program. Any other exception ends all ranks, with the message of the one that threw it.
int runOnRanks(const std::string& program, const std::function<int(const Ranks&)>& work);

/// What this rank has sent since MPI began, as PETSc counts it, and the functions of this library with it.
struct Traffic {
  double messages = 0.;     ///< from one rank to another
  double bytes = 0.;        ///< in them
  double collectives = 0.;  ///< reductions, broadcasts and gatherings over several ranks

  /// What was sent between two counts.
  Traffic operator-(const Traffic& before) const {
    return {messages - before.messages, bytes - before.bytes, collectives - before.collectives};
  }
};

/// Until now, of this rank.
Traffic traffic();
/// Collective. The mean over all ranks, and the largest of any.
///@{
Traffic mean(const Ranks& ranks, const Traffic& own);
Traffic largest(const Ranks& ranks, const Traffic& own);
///@}

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
