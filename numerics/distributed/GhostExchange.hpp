// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace delassus::distributed {

/// Numbers for another rank, or from one.
using Packet = std::vector<double>;
/// By rank, in ascending order.
using Packets = std::map<std::size_t, Packet>;

/// Sends each rank its packet (one that is empty is not sent), and returns those that have come. No rank has to know
/// who will write to it: the number of messages is that of the packets (PETSc's two-sided communication). Collective.
/// Throws Error if a call of PETSc fails.
Packets sendPackets(const Ranks& ranks, const Packets& packets);

/// Reads a packet from its beginning.
class PacketReader {
 public:
  /// Counts are below this, so that a packet holds them exactly.
  static constexpr std::size_t mostCount = std::size_t{1} << 53;

  /// `packet` must outlive this.
  explicit PacketReader(std::span<const double> packet) : rest_(packet) {}
  bool isAtEnd() const { return rest_.empty(); }  ///< no number is left
  /// The next number. Throws Error if there is none.
  double number() { return *numbers(1); }
  /// The next number, which is a count. Throws Error if there is none, or it is no count.
  std::size_t count();
  /// The next `n` numbers, which stay where they are. Throws Error if there are fewer.
  const double* numbers(std::size_t n);

 private:
  std::span<const double> rest_;
};

/// Numbers of contacts that other ranks own, brought from there: the star forest of PETSc (PetscSF).
class GhostExchange {
 public:
  /// A contact of another rank.
  struct Ghost {
    std::size_t rank = 0;    ///< its owner
    std::size_t number = 0;  ///< among the owner's contacts
  };

  /// Collective. `own`: contacts of this rank; `ghosts`: those that it needs of others; `numbers`: of each contact.
  GhostExchange(const Ranks& ranks, std::size_t own, const std::vector<Ghost>& ghosts, std::size_t numbers);
  ~GhostExchange();
  GhostExchange(const GhostExchange&) = delete;
  GhostExchange& operator=(const GhostExchange&) = delete;

  /// Collective. ghosts := the numbers of those contacts, from the `own` of their owners.
  void bring(const double* own, double* ghosts) const;

  const std::vector<Ghost>& ghosts() const { return ghosts_; }  ///< in the order of the constructor

 private:
  struct Forest;

  std::vector<Ghost> ghosts_;
  std::unique_ptr<Forest> forest_;
};

}  // namespace delassus::distributed
