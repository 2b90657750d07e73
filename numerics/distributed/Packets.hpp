// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <map>
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

}  // namespace delassus::distributed
