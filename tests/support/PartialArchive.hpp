// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace delassus::test {

/// Saves a state in memory, but for whole numbers of some names.
class PartialArchive final : public MemoryArchive {
 public:
  explicit PartialArchive(std::set<std::string, std::less<>> leftOut) : leftOut_(std::move(leftOut)) {}

 private:
  void integer(std::string_view name, std::uint64_t& x) override {
    if (!leftOut_.contains(name)) MemoryArchive::integer(name, x);
  }

  std::set<std::string, std::less<>> leftOut_;
};

}  // namespace delassus::test
