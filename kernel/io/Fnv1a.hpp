// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace delassus {

/// Fowler, Noll and Vo's hash 1a with 64 bits, over bytes added piece by piece. It is the same in every program and may
/// be stored in a checkpoint; it detects accidents, not forgeries.
class Fnv1a {
 public:
  Fnv1a() = default;
  /// Goes on from a value().
  explicit Fnv1a(std::uint64_t value) : value_(value) {}

  /// Adds bytes, or the eight bytes of a number, the lowest first.
  ///@{
  void add(std::string_view bytes) {
    for (const char byte : bytes) addByte(static_cast<unsigned char>(byte));
  }
  void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) addByte((number >> shift) & 0xff);
  }
  ///@}

  /// The hash of the bytes added so far.
  std::uint64_t value() const { return value_; }

 private:
  void addByte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace delassus
