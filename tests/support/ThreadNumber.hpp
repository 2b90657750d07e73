// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Threads.hpp>

namespace delassus::test {

/// The library works on this many threads while it lives.
class ThreadNumber {
 public:
  explicit ThreadNumber(std::size_t count) { setThreads(count); }
  ThreadNumber(const ThreadNumber&) = delete;
  ThreadNumber& operator=(const ThreadNumber&) = delete;
  ~ThreadNumber() { setThreads(1); }
};

}  // namespace delassus::test
